#include "kernels/kernels.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "kernels/parts.h"

namespace skincells::kernels {
namespace {

std::atomic<int> scalar_only_count{0};

bool environmentForcesScalar() {
  const char* value = std::getenv("SKINCELLS_SCALAR");
  return value != nullptr && std::string_view(value) == "1";
}

template <class T> void setPoseDefinitions(PoseKernels<T>& table) {
  scalar::setRowTerms(table);
  scalar::setSkinRows(table);
  scalar::setSmoothness(table);
}

Kernels makeScalarKernels() {
  Kernels table{};
  setPoseDefinitions<float>(table);
  scalar::setAdam(table);
  scalar::setDense(table);
  scalar::setFieldBlock(table);
  scalar::setFieldReverse(table);
  scalar::setFieldSites(table);
  return table;
}

PoseKernels<double> makeDoubleKernels() {
  PoseKernels<double> table{};
  setPoseDefinitions(table);
  return table;
}

} // namespace

const Kernels& scalarKernels() {
  static const Kernels table = makeScalarKernels();
  return table;
}

Kernels simdKernels() {
  Kernels table = scalarKernels();
#ifndef SKINCELLS_NO_SIMD
  simd::setAdam(table);
  simd::setDense(table);
  simd::setFieldBlock(table);
  simd::setFieldReverse(table);
  simd::setFieldSites(table);
  simd::setRowTerms(table);
  simd::setSkinRows(table);
  simd::setSmoothness(table);
#endif
  return table;
}

const Kernels& active() {
  static const Kernels table = environmentForcesScalar() ? scalarKernels() : simdKernels();
  return scalar_only_count.load(std::memory_order_relaxed) > 0 ? scalarKernels() : table;
}

template <> const PoseKernels<float>& poseKernels() {
  return active();
}

template <> const PoseKernels<double>& poseKernels() {
  static const PoseKernels<double> table = makeDoubleKernels();
  return table;
}

ScalarOnly::ScalarOnly() {
  ++scalar_only_count;
}
ScalarOnly::~ScalarOnly() {
  --scalar_only_count;
}

} // namespace skincells::kernels
