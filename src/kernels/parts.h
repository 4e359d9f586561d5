// The sources that fill the tables. Each function sets the entries of one source; those of namespace `simd` may leave
// an entry at its definition.
#pragma once

#include "kernels/kernels.h"

namespace skincells::kernels {

namespace scalar {
void setAdam(Kernels& table);
void setDense(Kernels& table);
void setFieldBlock(Kernels& table);
void setFieldReverse(Kernels& table);
void setFieldSites(Kernels& table);
template <class T> void setRowTerms(PoseKernels<T>& table);
template <class T> void setSkinRows(PoseKernels<T>& table);
template <class T> void setSmoothness(PoseKernels<T>& table);
} // namespace scalar

namespace simd {
void setAdam(Kernels& table);
void setDense(Kernels& table);
void setFieldBlock(Kernels& table);
void setFieldReverse(Kernels& table);
void setFieldSites(Kernels& table);
void setRowTerms(Kernels& table);
void setSkinRows(Kernels& table);
void setSmoothness(Kernels& table);
} // namespace simd

} // namespace skincells::kernels
