// A door for the browser tests and for curious people at the console: window.skincells.
import { Quaternion, Vector3 } from "three";
import type { Viewer } from "./viewer";

export interface TestAccess {
  viewer: Viewer;
  // Posed positions by section (a JSON pointer into the file), three numbers a vertex.
  positions(pane: number): { where: string; positions: number[] }[];
  // Turns a joint about one of its own axes (0, 1, 2) by an angle in degrees.
  turn(joint: string, axis: number, degrees: number): void;
  figures(pane: number): unknown;
  camera(): number[];
  // Where a joint is on the screen.
  screenOf(joint: string): { x: number; y: number };
}

export function exposeForTests(viewer: Viewer): void {
  const access: TestAccess = {
    viewer,
    positions: (pane) => {
      const { model } = viewer.panes[pane];
      const posed = model.posedPositions();
      return model.sections.map((s) => ({ where: s.where, positions: Array.from(posed.subarray(3 * s.firstVertex, 3 * (s.firstVertex + s.vertexCount))) }));
    },
    turn: (joint, axis, degrees) => {
      const direction = new Vector3().setComponent(axis, 1);
      viewer.setTurn(joint, new Quaternion().setFromAxisAngle(direction, (degrees * Math.PI) / 180));
    },
    figures: (pane) => viewer.panes[pane].model.shape().figures,
    camera: () => [...viewer.camera.matrixWorld.elements],
    screenOf: (joint) => {
      const pane = viewer.visiblePanes[0];
      const r = pane.element.getBoundingClientRect();
      const p = new Vector3().setFromMatrixPosition(pane.model.rig.joints[pane.model.rig.find(joint)].bone.matrixWorld).project(viewer.camera);
      return { x: r.left + ((p.x + 1) / 2) * r.width, y: r.top + ((1 - p.y) / 2) * r.height };
    },
  };
  Object.assign(window, { skincells: access });
}
