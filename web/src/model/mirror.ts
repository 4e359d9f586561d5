// The mirror image of a pose: what the left side does, the right side does.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { SkinModel } from "./skin_model";

const kTolerance = 0.03; // of the size: how far a joint may be from the mirror image of its partner

// Swaps words for left and right in a name; null for a name without a side.
export function mirroredName(name: string): string | null {
  const words: [RegExp, string][] = [
    [/left/, "right"],
    [/right/, "left"],
    [/Left/, "Right"],
    [/Right/, "Left"],
    [/LEFT/, "RIGHT"],
    [/RIGHT/, "LEFT"],
    [/(^|[^A-Za-z])L(?![A-Za-z])/, "$1R"],
    [/(^|[^A-Za-z])R(?![A-Za-z])/, "$1L"],
    [/(^|[^A-Za-z])l(?![A-Za-z])/, "$1r"],
    [/(^|[^A-Za-z])r(?![A-Za-z])/, "$1l"],
  ];
  const found = words.find(([pattern]) => pattern.test(name));
  return found ? name.replace(found[0], found[1]) : null;
}

// By joint: the joint on the other side, or the joint itself.
function partners(model: SkinModel, across: Vector3): number[] {
  const { joints } = model.rig;
  const places = joints.map((j) => new Vector3().setFromMatrixPosition(j.bindWorld));
  const middle = model.bounds().getCenter(new Vector3()).dot(across);
  const size = model.bounds().getSize(new Vector3()).length();
  return joints.map((j, i) => {
    const named = mirroredName(j.name);
    const byName = named ? model.rig.find(named) : -1;
    if (byName >= 0) return byName;
    const image = places[i].clone().addScaledVector(across, 2 * (middle - places[i].dot(across)));
    let best = i;
    let nearest = Math.min(kTolerance * size, image.distanceTo(places[i]));
    places.forEach((p, k) => {
      if (p.distanceTo(image) < nearest) [best, nearest] = [k, p.distanceTo(image)];
    });
    return best;
  });
}

// The turns of the other side, in the joints' local axes like `turns`.
export function mirroredTurns(model: SkinModel, turns: ReadonlyMap<string, Quaternion>): Map<string, Quaternion> {
  const across = new Vector3(0, 1, 0).cross(model.forward).normalize();
  const { rig } = model;
  const bind = rig.joints.map((j) =>
    new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(j.bindWorld)),
  );
  const out = new Map<string, Quaternion>();
  partners(model, across).forEach((partner, i) => {
    const turn = turns.get(rig.joints[i].name);
    if (!turn) return;
    const world = bind[i].clone().multiply(turn).multiply(bind[i].clone().invert());
    const axis = new Vector3(world.x, world.y, world.z);
    axis.negate().addScaledVector(across, -2 * axis.dot(across)); // axes mirror with a change of sign
    const image = new Quaternion(axis.x, axis.y, axis.z, world.w);
    out.set(rig.joints[partner].name, bind[partner].clone().invert().multiply(image).multiply(bind[partner]));
  });
  return out;
}
