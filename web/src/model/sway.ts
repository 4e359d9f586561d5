// One joint that bends back and forth within its range.
import { Quaternion, Vector3 } from "three";
import type { JointMotion } from "../payload";
import type { SkinModel } from "./skin_model";

const kSeconds = 3; // for one axis, there and back
const kRadians = Math.PI / 180;

// The turn of the joint after some seconds: a hinge about its axis; others about two axes across the bone in turn, then
// about the bone.
export function swayTurn(model: SkinModel, motion: JointMotion, seconds: number): Quaternion {
  const joint = model.rig.find(motion.name);
  if (joint < 0) return new Quaternion();
  const [axis, [lo, hi]] = swayAxes(model, motion)[Math.floor(seconds / kSeconds) % swayAxes(model, motion).length];
  const phase = Math.sin((2 * Math.PI * seconds) / kSeconds); // -1 .. 1, from 0
  const angle = phase > 0 ? hi * phase : -lo * phase;
  return model.rig.localTurn(joint, axis, angle * kRadians);
}

function swayAxes(model: SkinModel, { axis, bone, swing, twist }: JointMotion): [Vector3, [number, number]][] {
  const inScene = (v: readonly [number, number, number]) => new Vector3(...v).transformDirection(model.frame);
  if (axis) return [[inScene(axis), swing]];
  const both: [number, number] = [-swing[1], swing[1]];
  const along = new Vector3(...bone).length() > 0 ? inScene(bone) : new Vector3(0, 1, 0);
  const first = model.forward.clone().cross(along);
  if (first.length() < 0.3) first.set(0, 1, 0).cross(along);
  const across = first.normalize();
  const axes: [Vector3, [number, number]][] = [
    [across, both],
    [along.clone().cross(across).normalize(), both],
  ];
  return twist[0] === twist[1] ? axes : [...axes, [along, twist]];
}
