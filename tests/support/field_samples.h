// Field documents built in code.
#pragma once

#include "base/random.h"
#include "skincells/field_document.h"
#include "support/random_field.h"
#include "support/shapes.h"

namespace skincells::test {

// A document with every kind of content: a chain of `joint_count` joints of which all but the last own a cell, a rigid
// part, a part that is not, provenance. The same numbers on every machine.
inline FieldDocument sampleDocument(int joint_count = 4, int sites = 2, FieldShape shape = FieldShape::ScaleRotation,
                                    int max_influences = 2, bool normals = false) {
  Random random(7);
  FieldDocument document;
  document.field = randomField(random, {joint_count - 1, sites, shape, normals}, max_influences);
  document.field.unit_origin = {-0.5, 0, -0.5};
  document.field.unit_scale = 0.25;
  for (float& v : document.field.values) v = static_cast<float>(std::round(v * 1024) / 1024); // exact anywhere
  document.skeleton = chain(joint_count, 4);
  for (int j = 0; j + 1 < joint_count; ++j) document.joints.push_back(joint_count - 2 - j); // not in order
  document.box.add({-0.5, 0, -0.5});
  document.box.add({0.5, 4, 0.5});
  document.meters_per_unit = 0.01;
  document.up_axis = 'y';
  FieldPart rigid;
  rigid.box.add({0.25, 1, 0.25});
  rigid.box.add({0.5, 1.5, 0.5});
  rigid.center = {0.375F, 1.25F, 0.375F};
  rigid.vertex_count = 8;
  rigid.joints = {1, 0};
  rigid.weights = {0.75F, 0.25F};
  FieldPart free = rigid;
  free.vertex_count = 12;
  free.joints.clear(), free.weights.clear();
  document.parts = {rigid, free};
  document.provenance = {"skincells 0.1.0", "tube \xC3\xA4.glb", std::string(64, 'a'), {{"max-influences", "2"}}};
  return document;
}

} // namespace skincells::test
