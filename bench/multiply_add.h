// How fast this machine multiplies and adds: the measure that all other times are compared with.
#pragma once

namespace skincells::bench {

// The most that `threads` threads reached together in `rounds` short tries, in float32 operations per second; a fused
// multiply-add counts as two. Uses the widest vectors that the machine has, as the kernels do.
double multiplyAddRate(int threads, int rounds);

} // namespace skincells::bench
