#include "capi/arrays.h"
#include "capi/results.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"
#include "skincells/io/output_set.h"
#include "skincells/skincells_c.h"

using namespace skincells::capi;

skincells_code skincells_field_read(skincells_context* context, const char* path, skincells_field* field) {
  return call(context, [&](skincells_context& c) {
    required(field, "field") =
        c.add(std::make_shared<FieldObject>(valueOf(skincells::readFieldFile(&required(path, "path")))));
  });
}

skincells_code skincells_field_decode(skincells_context* context, const void* data, size_t size,
                                      skincells_field* field) {
  return call(context, [&](skincells_context& c) {
    if (data == nullptr && size > 0) failArgument("it is a null pointer", "data");
    const std::span bytes(static_cast<const std::uint8_t*>(data), size);
    required(field, "field") = c.add(std::make_shared<FieldObject>(valueOf(skincells::decodeField(bytes, "memory"))));
  });
}

skincells_code skincells_field_write(skincells_context* context, skincells_field field, const char* path,
                                     int32_t replace) {
  return call(context, [&](skincells_context& c) {
    const auto f = c.get<FieldObject>(field, "field");
    skincells::OutputSet outputs;
    valueOf(outputs.stage(&required(path, "path"), skincells::encodeField(f->document), replace != 0));
    valueOf(outputs.commit());
  });
}

skincells_code skincells_field_encode(skincells_context* context, skincells_field field, skincells_bytes* bytes) {
  return call(context, [&](skincells_context& c) {
    const std::vector<std::uint8_t> encoded = skincells::encodeField(c.get<FieldObject>(field, "field")->document);
    required(bytes, "bytes") = addBytes(c, std::string(encoded.begin(), encoded.end()));
  });
}

skincells_code skincells_field_get(skincells_context* context, skincells_field field, skincells_field_view* view) {
  return call(context, [&](skincells_context& c) {
    const auto f = c.get<FieldObject>(field, "field");
    const skincells::FieldDocument& d = f->document;
    fill(view,
         {0,
          d.joints.size(),
          static_cast<size_t>(d.field.max_influences),
          d.field.layout.normals ? 1 : 0,
          d.parts.size(),
          {d.box.lo.x, d.box.lo.y, d.box.lo.z, d.box.hi.x, d.box.hi.y, d.box.hi.z},
          d.meters_per_unit,
          d.up_axis},
         "view");
  });
}

skincells_code skincells_field_joint(skincells_context* context, skincells_field field, size_t index,
                                     const char** name) {
  return call(context, [&](skincells_context& c) {
    const auto f = c.get<FieldObject>(field, "field");
    if (index >= f->document.joints.size())
      failArgument("the field has " + std::to_string(f->document.joints.size()) + " joints", "index");
    required(name, "name") = f->document.jointName(index).c_str();
  });
}

skincells_code skincells_field_evaluate(skincells_context* context, skincells_field field,
                                        const skincells_array* positions, const skincells_array* normals,
                                        size_t max_influences, skincells_result* result) {
  return call(context, [&](skincells_context& c) {
    required(result, "result");
    const auto f = c.get<FieldObject>(field, "field");
    const auto most = static_cast<size_t>(f->document.field.max_influences);
    if (max_influences > most)
      throw Failure(SKINCELLS_INVALID_OPTION,
                    "the field was made for at most " + std::to_string(most) +
                        " joints per point; use at most that many, or bind again with more",
                    "max_influences");
    const auto at = points(required(positions, "positions"), "positions");
    const auto facing = normals == nullptr ? std::vector<skincells::Vec3f>{} : points(*normals, "normals");
    if (!facing.empty() && facing.size() != at.size())
      throw Failure(SKINCELLS_MISMATCH,
                    "there are " + std::to_string(facing.size()) + " normals, but " + std::to_string(at.size()) +
                        " positions",
                    "normals");
    auto out = std::make_shared<Weighted>();
    out->weights = skincells::evaluateField(f->document, {at, facing}, static_cast<int>(max_influences));
    *result = c.add(std::move(out));
  });
}
