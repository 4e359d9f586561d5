// A door for the browser tests and for curious people at the console: window.skincells.
import { Quaternion, Vector3 } from "three";
import type { CellOverlay } from "./cell_overlay";
import { weightOf } from "./skinning";
import type { Viewer } from "./viewer";

export interface TestAccess {
  viewer: Viewer;
  // Posed positions in bind space by section (a JSON pointer into the file), three numbers a vertex.
  positions(pane: number): { where: string; positions: number[] }[];
  // Turns a joint about one of its own axes (0, 1, 2) by an angle in degrees.
  turn(joint: string, axis: number, degrees: number): void;
  figures(pane: number): unknown;
  camera(): number[];
  // What is drawn of the selected joint's cell.
  cell(pane: number): CellOverlay["content"] | undefined;
  // At how many of the vertices the field gives the weight that the file has.
  fieldAgainstWeights(pane: number, joint: string): { close: number; count: number };
  // Where a joint is on the screen.
  screenOf(joint: string): { x: number; y: number };
}

export function exposeForTests(viewer: Viewer): void {
  const access: TestAccess = {
    viewer,
    positions: (pane) => {
      const { model } = viewer.panes[pane];
      const bindFromScene = model.frame.clone().invert(), p = new Vector3();
      const posed = model.posedPositions().slice();
      for (let i = 0; i < posed.length; i += 3) p.fromArray(posed, i).applyMatrix4(bindFromScene).toArray(posed, i);
      return model.sections.map((s) => ({ where: s.where, positions: Array.from(posed.subarray(3 * s.firstVertex, 3 * (s.firstVertex + s.vertexCount))) }));
    },
    turn: (joint, axis, degrees) => {
      const direction = new Vector3().setComponent(axis, 1);
      viewer.setTurn(joint, new Quaternion().setFromAxisAngle(direction, (degrees * Math.PI) / 180));
    },
    figures: (pane) => viewer.panes[pane].model.shape().figures,
    camera: () => [...viewer.camera.matrixWorld.elements],
    cell: (pane) => viewer.panes[pane].cell?.content,
    fieldAgainstWeights: (pane, joint) => {
      const { model, info } = viewer.panes[pane];
      const cell = info.field?.data.joints.indexOf(joint) ?? -1;
      const bindOf = model.frame.clone().invert(), p = new Vector3();
      let close = 0;
      for (let v = 0; v < model.vertexCount; ++v) {
        p.fromArray(model.rest, 3 * v).applyMatrix4(bindOf);
        const weight = info.field?.weightAt(cell, p.x, p.y, p.z) ?? NaN;
        if (Math.abs(weight - weightOf(model.rows, v, model.rig.find(joint))) < 0.01) ++close;
      }
      return { close, count: model.vertexCount };
    },
    screenOf: (joint) => {
      const pane = viewer.visiblePanes[0];
      const r = pane.element.getBoundingClientRect();
      const p = new Vector3().setFromMatrixPosition(pane.model.rig.joints[pane.model.rig.find(joint)].bone.matrixWorld).project(viewer.camera);
      return { x: r.left + ((p.x + 1) / 2) * r.width, y: r.top + ((1 - p.y) / 2) * r.height };
    },
  };
  Object.assign(window, { skincells: access });
}
