// window.skincells: access for the browser tests and for the console.
import { Quaternion, Vector3 } from "three";
import type { ShapeMetrics } from "./model/shape_meter";
import { weightOf } from "./model/skinning";
import type { CellOverlay } from "./stage/cell_overlay";
import type { Viewer } from "./viewer";

// Characters are given by their index.
export interface TestAccess {
  viewer: Viewer;
  // Posed positions in bind space by section (a JSON pointer into the file), 3 numbers per vertex.
  positions(character: number): { where: string; positions: number[] }[];
  // Turns a joint about one of its local axes (0, 1, 2) by an angle in degrees.
  turn(joint: string, axis: number, degrees: number): void;
  metrics(character: number): ShapeMetrics;
  // Vertex colors as last painted, 3 numbers per vertex.
  colors(character: number): Float32Array;
  // What is drawn of the selected joint's cell.
  cell(character: number): CellOverlay["content"] | undefined;
  // The number of vertices at which the field gives the weight that the file has.
  fieldAgainstWeights(character: number, joint: string): { close: number; count: number };
  // Position of a joint in the window.
  screenOf(joint: string): { x: number; y: number };
}

export function exposeForTests(viewer: Viewer): void {
  const { characters, stage, pose } = viewer;
  const figureOf = (character: number) => stage.paneOf(characters.all[character])?.figure;
  const access: TestAccess = {
    viewer,
    positions: (character) => {
      const { model } = characters.all[character];
      const bindFromScene = model.frame.clone().invert();
      const p = new Vector3();
      const posed = model.posedPositions().slice();
      for (let i = 0; i < posed.length; i += 3) p.fromArray(posed, i).applyMatrix4(bindFromScene).toArray(posed, i);
      return model.sections.map((s) => ({
        where: s.where,
        positions: Array.from(posed.subarray(3 * s.firstVertex, 3 * (s.firstVertex + s.vertexCount))),
      }));
    },
    turn: (joint, axis, degrees) => {
      const direction = new Vector3().setComponent(axis, 1);
      pose.turnJoint(joint, new Quaternion().setFromAxisAngle(direction, (degrees * Math.PI) / 180));
    },
    metrics: (character) => characters.all[character].model.shape().metrics,
    colors: (character) => figureOf(character)?.colors ?? new Float32Array(),
    cell: (character) => figureOf(character)?.cell?.content,
    fieldAgainstWeights: (character, joint) => {
      const { model, info } = characters.all[character];
      const cell = info.field?.data.joints.indexOf(joint) ?? -1;
      const bindFromScene = model.frame.clone().invert();
      const p = new Vector3();
      let close = 0;
      for (let v = 0; v < model.vertexCount; ++v) {
        p.fromArray(model.rest, 3 * v).applyMatrix4(bindFromScene);
        const weight = info.field?.weightAt(cell, p.x, p.y, p.z) ?? NaN;
        if (Math.abs(weight - weightOf(model.rows, v, model.rig.find(joint))) < 0.01) ++close;
      }
      return { close, count: model.vertexCount };
    },
    screenOf: (joint) => {
      const { character, element } = stage.visiblePanes[0];
      const { rig } = character.model;
      const r = element.getBoundingClientRect();
      const p = new Vector3().setFromMatrixPosition(rig.joints[rig.find(joint)].bone.matrixWorld);
      p.project(stage.camera);
      return { x: r.left + ((p.x + 1) / 2) * r.width, y: r.top + ((1 - p.y) / 2) * r.height };
    },
  };
  Object.assign(window, { skincells: access });
}
