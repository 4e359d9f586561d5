// Evaluates a field of skin cells at a point. The input is the packed field that skc_pack() of
// skincells/runtime/skincells_field.h writes (docs/field-file.md, "Packed field"). Concatenate this file
// with a shader that declares the buffer:
//
//   @group(0) @binding(3) var<storage, read> skc_buffer: array<vec4<f32>>;
//
// SPDX-License-Identifier: Apache-2.0

struct SkcWeights {
  count: i32,
  joint: array<u32, 8>,  // indices of cells
  weight: array<f32, 8>, // sum to 1
}

// The square of the factor 1 + k cos on the distance to a site: sites in front of the surface are farther.
fn skcFrontFactor(site: vec4<f32>, front: f32, p: vec3<f32>, normal: vec3<f32>) -> f32 {
  let x: f32 = site.x - p.x;
  let y: f32 = site.y - p.y;
  let z: f32 = site.z - p.z;
  let toward: f32 = normal.x * x + normal.y * y + normal.z * z;
  var factor: f32 = 1.0;
  if (toward > 0.0) {
    factor = 1.0 + front * toward / sqrt(x * x + y * y + z * z);
  }
  return factor * factor;
}

// The distance of a unit-box point to a cell whose sites begin at vec4 number `site`, `site_size` vec4 each. `front` is
// the cell's k, or 0 if normals do not matter.
fn skcCellDistance(site: i32, site_count: i32, site_size: i32, front: f32, p: vec3<f32>, normal: vec3<f32>) -> f32 {
  var nearest: f32 = 3.0e38;
  for (var s: i32 = 0; s < site_count; s++) {
    let first: i32 = site + site_size * s;
    let a: vec4<f32> = skc_buffer[first];
    let b: vec4<f32> = skc_buffer[first + 1];
    let c: vec4<f32> = skc_buffer[first + 2];
    let x: f32 = a.x * p.x + c.x;
    let y: f32 = a.y * p.x + a.z * p.y + c.y;
    let z: f32 = a.w * p.x + b.x * p.y + b.y * p.z + c.z;
    let squared: f32 = x * x + y * y + z * z;
    let inside: f32 = max(b.z - squared, 0.0);
    var smoothed: f32 = squared + inside * inside * b.w;
    if (front > 0.0) {
      smoothed *= skcFrontFactor(skc_buffer[first + 3], front, p, normal);
    }
    nearest = min(nearest, smoothed);
  }
  return sqrt(nearest);
}

// The weights at a point in bind space, given the smoothed normal that docs/field-file.md defines: a vector of length
// 0 .. 1, where 0 stands for none. Fields that do not see normals ignore it. max_influences lowers the field's limit; 0
// keeps it.
fn skcEvaluateNormal(position: vec3<f32>, normal: vec3<f32>, max_influences: i32) -> SkcWeights {
  let head: vec4<f32> = skc_buffer[0];
  let unit: vec4<f32> = skc_buffer[1];
  let joint_count: i32 = i32(head.x);
  let site_count: i32 = i32(head.y);
  var limit: i32 = i32(head.z);
  let site_size: i32 = 3 + i32(head.w);
  let has_normal: bool = normal.x != 0.0 || normal.y != 0.0 || normal.z != 0.0;
  if (max_influences > 0 && max_influences < limit) {
    limit = max_influences;
  }
  let p: vec3<f32> = (position - unit.xyz) * unit.w;

  // Keeps the nearest limit + 1 cells, in order.
  var distances: array<f32, 9>;
  var falloffs: array<f32, 9>;
  var joints: array<u32, 9>;
  var cells: i32 = 0;
  var begin: i32 = 2;
  for (var j: i32 = 0; j < joint_count; j++) {
    let cell: vec4<f32> = skc_buffer[begin];
    let front: f32 = select(0.0, cell.y, has_normal);
    let d: f32 = skcCellDistance(begin + 1, site_count, site_size, front, p, normal);
    let r: f32 = cell.x;
    begin += 1 + site_size * site_count;
    let full: bool = cells > limit;
    if (full && d >= distances[limit]) {
      continue;
    }
    var k: i32 = select(cells, limit, full);
    for (; k > 0; k--) {
      if (d >= distances[k - 1]) {
        break;
      }
      distances[k] = distances[k - 1];
      falloffs[k] = falloffs[k - 1];
      joints[k] = joints[k - 1];
    }
    distances[k] = d;
    falloffs[k] = r;
    joints[k] = u32(j);
    if (!full) {
      cells++;
    }
  }

  var result: SkcWeights;
  result.count = min(cells, limit);
  let cuts: bool = cells > limit;
  var reference: f32 = 0.0;
  if (cuts) {
    reference = distances[limit];
  }
  var log_raw: array<f32, 8>;
  var top: f32 = -1.0e30;
  for (var k: i32 = 0; k < result.count; k++) {
    let above: f32 = select(1.0, reference - distances[k], cuts);
    log_raw[k] = -1.0e30;
    if (above > 0.0) {
      log_raw[k] = falloffs[k] * (log(above) - log(distances[k]));
    }
    top = max(top, log_raw[k]);
  }
  var sum: f32 = 0.0;
  for (var k: i32 = 0; k < result.count; k++) {
    var weight: f32 = 0.0;
    if (log_raw[k] > -1.0e30) {
      weight = exp(log_raw[k] - top);
    }
    if (top <= -1.0e30) {
      weight = 1.0; // all tie with the first cell beyond the limit
    }
    result.joint[k] = joints[k];
    result.weight[k] = weight;
    sum += weight;
  }
  for (var k: i32 = 0; k < result.count; k++) {
    result.weight[k] /= sum;
  }
  return result;
}

// The same at a point without a normal.
fn skcEvaluate(position: vec3<f32>, max_influences: i32) -> SkcWeights {
  return skcEvaluateNormal(position, vec3<f32>(0.0, 0.0, 0.0), max_influences);
}
