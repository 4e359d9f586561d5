// The reverse pass over a way to add one distance's derivative to its site's sums. Included by the scalar definition
// and by the Highway version once per instruction set; hence no include guard, and a namespace that the includer opens.
// The includer defines addOuter(position, centre, g, sums): sums += (g u, g u_x u, g u_y u, g u_z u), u = position -
// centre, four numbers each.

// Clears the sums of a joint and its sites when they are needed for the first time.
HWY_INLINE_OR_PLAIN void touch(const ReverseRun& run, std::size_t joint) {
  if (run.touched[joint] != 0) return;
  run.touched[joint] = 1;
  const std::size_t per_joint = run.site_count * kSiteSums;
  for (std::size_t i = joint * per_joint; i < (joint + 1) * per_joint; ++i) run.site_sums[i] = 0;
  for (std::size_t i = joint * kJointSums; i < (joint + 1) * kJointSums; ++i) run.joint_sums[i] = 0;
}

// g = dL/d(distance).
HWY_INLINE_OR_PLAIN void addDistance(const ReverseRun& run, const float* position, std::size_t site,
                                     float inverse_distance, float g) {
  float* sums = run.site_sums + site * kSiteSums;
  const float t = run.offset[site];
  float by_squared = g * inverse_distance;
  if (t * inverse_distance > 1) { // inside, d^2 = 2 h t - t^2, and (1 - d^2 / t^2) / 2 = 1 - h / t
    by_squared = g / t;
    sums[3] += g * (t - 1 / inverse_distance);
  }
  addOuter(position, run.centre + 4 * site, by_squared, sums);
}

// The entries [begin, end) of point i.
HWY_INLINE_OR_PLAIN void reversePoint(const ReverseRun& run, std::size_t i, std::size_t begin, std::size_t end) {
  const float* position = run.position + 4 * i;
  float mean = 0, by_reference = 0;
  for (std::size_t e = begin; e < end; ++e) mean += run.weight[e] * run.gradient[e];
  for (std::size_t e = begin; e < end; ++e) {
    const float g = run.weight[e] * (run.gradient[e] - mean); // dL/d(log_raw)
    if (g == 0) continue;
    const EntryTrace& trace = run.trace[e];
    const std::size_t j = run.joint[e];
    touch(run, j);
    addDistance(run, position, trace.site, trace.inverse_distance, g * trace.by_distance);
    float* sums = run.joint_sums + j * kJointSums;
    if (run.cuts && trace.by_reference == 0) sums[0] += g * run.falloff[j];
    sums[1] += g * trace.log_raw;
    by_reference += g * trace.by_reference;
  }
  if (by_reference == 0) return;
  const ReferenceTrace& reference = run.reference[i];
  touch(run, reference.joint);
  addDistance(run, position, reference.site, reference.inverse_distance, by_reference);
}

HWY_INLINE_OR_PLAIN void reverseAll(const ReverseRun& run) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < run.points; ++i) {
    const std::size_t end = begin + run.count[i];
    if (run.reference[i].site != kNoSite) reversePoint(run, i, begin, end);
    begin = end;
  }
}
