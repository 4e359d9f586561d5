// The joints of a loaded character, and how to pose them.
import { Matrix4, Quaternion, Vector3, type Object3D } from "three";
import { withoutCommonPrefix } from "./short_names";

export interface Joint {
  name: string; // of the node in the file
  label: string; // the name without what all names begin with
  bone: Object3D;
  parent: number; // nearest ancestor that is a joint, or -1
  bindWorld: Matrix4; // its transform in bind pose, in the scene
  bindInverse: Matrix4;
}

interface LocalTransform {
  position: Vector3;
  quaternion: Quaternion;
  scale: Vector3;
}

const copyLocal = (o: Object3D): LocalTransform => ({
  position: o.position.clone(),
  quaternion: o.quaternion.clone(),
  scale: o.scale.clone(),
});

// Parents come before their children. A turn is a rotation from the bind pose, in the joint's local axes.
export class Rig {
  private readonly rest: LocalTransform[];
  private readonly bind: LocalTransform[] = [];
  private readonly matrices: Float64Array;
  private readonly byName = new Map<string, number>();

  constructor(
    readonly joints: Joint[],
    private readonly root: Object3D,
  ) {
    const labels = withoutCommonPrefix(joints.map((j) => j.name));
    joints.forEach((j, i) => (j.label = labels[i]));
    this.rest = joints.map((j) => copyLocal(j.bone));
    this.matrices = new Float64Array(12 * joints.length);
    joints.forEach((j, i) => {
      if (!this.byName.has(j.name)) this.byName.set(j.name, i);
    });
    this.findBindPose();
  }

  // The first joint of that name, or -1.
  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  // The label of a joint; the name itself if this rig lacks it.
  labelOf(name: string): string {
    return this.joints[this.find(name)]?.label ?? name;
  }

  // The node transforms of the file.
  setRestPose(): void {
    this.joints.forEach((j, i) => this.put(j.bone, this.rest[i]));
    this.root.updateMatrixWorld(true);
  }

  // The bind pose with some joints turned. Turns of joints that this rig lacks are ignored.
  setTurns(turns: ReadonlyMap<string, Quaternion>): void {
    this.joints.forEach((j, i) => this.put(j.bone, this.bind[i]));
    for (const [name, turn] of turns) {
      const i = this.find(name);
      if (i >= 0) this.joints[i].bone.quaternion.multiply(turn);
    }
    this.root.updateMatrixWorld(true);
  }

  // The present turn of a joint.
  turnOf(joint: number): Quaternion {
    return this.bind[joint].quaternion.clone().invert().multiply(this.joints[joint].bone.quaternion);
  }

  // The present turns of all joints, by name.
  turns(): Map<string, Quaternion> {
    return new Map(this.joints.map((j, i) => [j.name, this.turnOf(i)]));
  }

  // The turn of a joint that rotates it about an axis of the scene; angle in radians.
  localTurn(joint: number, axis: Vector3, angle: number): Quaternion {
    const world = new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(this.joints[joint].bindWorld));
    return new Quaternion().setFromAxisAngle(axis.clone().applyQuaternion(world.invert()), angle);
  }

  // Row-major 3x4 matrices from bind to posed positions, one per joint; valid until the next call.
  jointMatrices(): Float64Array {
    const m = new Matrix4();
    this.joints.forEach((j, i) => {
      const e = m.multiplyMatrices(j.bone.matrixWorld, j.bindInverse).elements;
      for (let row = 0; row < 3; ++row)
        for (let c = 0; c < 4; ++c) this.matrices[12 * i + 4 * row + c] = e[4 * c + row];
    });
    return this.matrices;
  }

  private put(bone: Object3D, t: LocalTransform): void {
    bone.position.copy(t.position);
    bone.quaternion.copy(t.quaternion);
    bone.scale.copy(t.scale);
  }

  // Finds the local transforms of the bind pose. Leaves the joints in it.
  private findBindPose(): void {
    for (const j of this.joints) {
      const parent = j.bone.parent;
      parent?.updateWorldMatrix(true, false);
      const local = parent ? parent.matrixWorld.clone().invert().multiply(j.bindWorld) : j.bindWorld.clone();
      local.decompose(j.bone.position, j.bone.quaternion, j.bone.scale);
      j.bone.updateMatrix();
      j.bone.updateWorldMatrix(false, false);
      this.bind.push(copyLocal(j.bone));
    }
    this.root.updateMatrixWorld(true);
  }
}
