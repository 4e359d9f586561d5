// Most stretched places and ranked poses (web/src/model/worst_places.ts, rank_poses.ts).
import assert from "node:assert/strict";
import test from "node:test";
import { makeCharacter, makeClip, page, turnAboutZ } from "./arm.mjs";

const { candidatePoses, kBindPose, leastSurePlaces, rankPoses, worstPlaces } = page;
const bent = (degrees) => ({ kind: "turns", label: "bent", turns: new Map([["upper", turnAboutZ(degrees)]]) });

test("nothing is stretched in bind pose", () => {
  const character = makeCharacter();
  character.setPose(kBindPose);
  for (const place of worstPlaces(character.model, 5)) assert.ok(place.value < 1e-6);
  assert.ok(character.model.shape().metrics.stretchRms < 1e-6);
});

test("places are sorted by stretch, near the bend, and face as the surface does", () => {
  const character = makeCharacter();
  character.setPose(bent(60));
  const places = worstPlaces(character.model, 5);
  assert.deepEqual(places.map((p) => p.joint).sort(), ["lower", "upper"]);
  assert.ok(places[0].value >= places[1].value && places[0].value > 0.02);
  assert.ok(Math.abs(places[0].center.y - 1) < 0.6);
  assert.ok(places[0].normal.z > 0.99);
  assert.equal(worstPlaces(character.model, 1).length, 1);
});

test("poses are ranked by stretch; clips and random poses are candidates", async () => {
  const character = makeCharacter({ clips: [makeClip()] });
  const candidates = candidatePoses(character, character.clips, 3, 1);
  assert.equal(candidates.filter((c) => c.pose.kind === "turns").length, 3);
  assert.equal(candidates.filter((c) => c.pose.kind === "clip").length, 16);
  const paused = [];
  const ranked = await rankPoses(
    character,
    [
      { label: "little", pose: bent(10) },
      { label: "much", pose: bent(80) },
      { label: "none", pose: kBindPose },
    ],
    async (done) => void paused.push(done),
  );
  assert.deepEqual(
    ranked.map((r) => r.label),
    ["much", "little", "none"],
  );
  assert.deepEqual(paused, [1, 2, 3]);
});

test("least sure places are apart from each other, least sure first, and only where there is doubt", () => {
  const { model } = makeCharacter();
  const confidence = new Float32Array(model.vertexCount).fill(0.8);
  assert.deepEqual(leastSurePlaces(model, confidence, 5), []);
  confidence.fill(0.2);
  confidence[3] = 0.1;
  model.rest.copyWithin(0, 9, 12); // vertex 0 at the position of vertex 3
  const places = leastSurePlaces(model, confidence, 50);
  assert.equal(places.length, model.vertexCount - 1);
  assert.ok(Math.abs(places[0].value - 0.1) < 1e-6);
  const diagonal = model.bounds().getSize(places[0].center.clone()).length();
  for (const [i, a] of places.entries())
    for (const b of places.slice(0, i)) assert.ok(a.center.distanceTo(b.center) >= 0.099 * diagonal);
  assert.equal(leastSurePlaces(model, confidence, 1).length, 1);
});
