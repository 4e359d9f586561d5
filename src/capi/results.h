// Weights behind handles, with what is known about how they were made.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "capi/context.h"
#include "capi/figure.h"
#include "skincells/bind.h"
#include "skincells/field_document.h"

namespace skincells::capi {

struct Weighted : Object {
  SparseWeights weights; // of a bind: in `bound`
  Warnings warnings;
  std::string stop_reason = "done";
  std::optional<FieldDocument> field;
  std::shared_ptr<const Figure> figure;               // the mesh that has these weights; null: points
  std::shared_ptr<const BindResult> bound;            // of a bind
  std::function<std::string(const Weighted&)> report; // the document as JSON; null: none

  const char* kind() const override { return "result"; }
  const SparseWeights& rows() const { return bound ? bound->weights : weights; }
  // The mesh; throws for points.
  const Figure& mesh() const;
};

// A field behind a handle.
struct FieldObject : Object {
  FieldDocument document;

  explicit FieldObject(FieldDocument d) : document(std::move(d)) {}
  const char* kind() const override { return "field"; }
};

// Limits threads and passes progress on, as the caller wants it; a null pointer wants nothing.
class Control {
public:
  explicit Control(const skincells_control* control);
  ProgressFunction progress() const;
  int threads() const { return control_.threads; }

private:
  skincells_control control_{};
};

} // namespace skincells::capi
