// The loops over sites that run once per step, in Highway; scalar/field_sites.cpp is their definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/field_sites.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

#include "kernels/lanes-inl.h"

struct Three {
  Vector x, y, z;
};
struct Rows {
  Three row[3];
};

HWY_INLINE Vector dot(const Three& a, const Three& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE Three scaled(const Three& a, Vector s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE Three times(const Rows& m, const Three& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
HWY_INLINE Three transposeTimes(const Rows& m, const Three& v) {
  const auto column = [&](Vector a, Vector b, Vector c) HWY_ATTR { return dot({a, b, c}, v); };
  return {column(m.row[0].x, m.row[1].x, m.row[2].x), column(m.row[0].y, m.row[1].y, m.row[2].y),
          column(m.row[0].z, m.row[1].z, m.row[2].z)};
}

struct UnitQuaternion {
  Vector w, x, y, z, inverse_length;
};

// q / |q|; the identity if q is zero.
template <class At> HWY_INLINE UnitQuaternion unitQuaternion(Lane d, const At& q) {
  const Vector squared = hn::MulAdd(q(0), q(0), hn::MulAdd(q(1), q(1), hn::MulAdd(q(2), q(2), hn::Mul(q(3), q(3)))));
  const auto some = hn::Gt(squared, hn::Zero(d));
  const Vector one = hn::Set(d, 1.0F), s = hn::IfThenElseZero(some, hn::Div(one, hn::Sqrt(squared)));
  return {hn::IfThenElse(some, hn::Mul(q(0), s), one), hn::Mul(q(1), s), hn::Mul(q(2), s), hn::Mul(q(3), s), s};
}

HWY_INLINE Rows rotationOf(Lane d, const UnitQuaternion& q) {
  const Vector one = hn::Set(d, 1.0F), two = hn::Set(d, 2.0F);
  const auto diagonal = [&](Vector a, Vector b)
                            HWY_ATTR { return hn::NegMulAdd(two, hn::MulAdd(a, a, hn::Mul(b, b)), one); };
  const auto sum = [&](Vector a, Vector b, Vector c, Vector e)
                       HWY_ATTR { return hn::Mul(two, hn::MulAdd(a, b, hn::Mul(c, e))); };
  const auto difference = [&](Vector a, Vector b, Vector c, Vector e)
                              HWY_ATTR { return hn::Mul(two, hn::MulSub(a, b, hn::Mul(c, e))); };
  return {{{diagonal(q.y, q.z), difference(q.x, q.y, q.w, q.z), sum(q.x, q.z, q.w, q.y)},
           {sum(q.x, q.y, q.w, q.z), diagonal(q.x, q.z), difference(q.y, q.z, q.w, q.x)},
           {difference(q.x, q.z, q.w, q.y), sum(q.y, q.z, q.w, q.x), diagonal(q.x, q.y)}}};
}

HWY_INLINE Vector clampedExp(Lane d, Vector logarithm, float min, float max) {
  return hn::Exp(d, hn::Min(hn::Max(logarithm, hn::Set(d, min)), hn::Set(d, max)));
}

struct Triangle {
  Vector l00, l10, l11, l20, l21, l22;
};

// See factor() in scalar/field_sites.cpp.
HWY_INLINE Triangle factor(Lane d, const Rows& turn, const Vector* scale) {
  const Vector one = hn::Set(d, 1.0F);
  Vector g22 = hn::Zero(d), g02 = g22, g12 = g22, inverse00 = g22, inverse01 = g22;
  for (int i = 0; i < 3; ++i) {
    const Three f = scaled(turn.row[i], scale[i]), over = scaled(turn.row[i], hn::Div(one, scale[i]));
    g22 = hn::MulAdd(f.z, f.z, g22);
    g02 = hn::MulAdd(f.x, f.z, g02);
    g12 = hn::MulAdd(f.y, f.z, g12);
    inverse00 = hn::MulAdd(over.x, over.x, inverse00);
    inverse01 = hn::MulAdd(over.x, over.y, inverse01);
  }
  const Vector l22 = hn::Sqrt(g22), over_l22 = hn::Div(one, l22), l00 = hn::Div(one, hn::Sqrt(inverse00));
  const Vector product = hn::Mul(scale[0], hn::Mul(scale[1], scale[2]));
  const Vector l11 = hn::Mul(product, hn::Mul(over_l22, hn::Sqrt(inverse00)));
  const Vector l10 = hn::Neg(hn::Mul(hn::Mul(inverse01, hn::Mul(l00, l00)), l11));
  return {l00, l10, l11, hn::Mul(g02, over_l22), hn::Mul(g12, over_l22), l22};
}

HWY_INLINE Vector spreadOf(Lane, const Triangle& l) {
  const Three last = {l.l20, l.l21, l.l22};
  const Vector squares = hn::MulAdd(l.l00, l.l00, hn::MulAdd(l.l10, l.l10, hn::MulAdd(l.l11, l.l11, dot(last, last))));
  const Vector a00 = hn::Abs(l.l00), a10 = hn::Abs(l.l10), a11 = hn::Abs(l.l11);
  const Vector a20 = hn::Abs(l.l20), a21 = hn::Abs(l.l21), a22 = hn::Abs(l.l22);
  const Vector rows = hn::Max(a00, hn::Max(hn::Add(a10, a11), hn::Add(a20, hn::Add(a21, a22))));
  const Vector columns = hn::Max(hn::Add(a00, hn::Add(a10, a20)), hn::Max(hn::Add(a11, a21), a22));
  return hn::Sqrt(hn::Min(squares, hn::Mul(rows, columns)));
}

// Access to the numbers of joints i .. i + lanes - 1 of a group.
struct Column {
  Lane d;
  std::size_t i;

  HWY_INLINE Vector get(const float* from, std::size_t c) const { return hn::LoadU(d, from + c * kJointGroup + i); }
  HWY_INLINE void put(Vector v, float* to, std::size_t c) const { hn::StoreU(v, d, to + c * kJointGroup + i); }
};

HWY_INLINE void compileColumn(const SiteColumns& sites, const Column& at) {
  const Lane d;
  const auto stored = [&](std::size_t c) HWY_ATTR { return at.get(sites.stored, kStoredShape + c); };
  const auto expOf = [&](std::size_t c) HWY_ATTR { return clampedExp(d, stored(c), -kMaxLogScale, kMaxLogScale); };
  const Vector zero = hn::Zero(d), one = hn::Set(d, 1.0F);
  Vector scale[3] = {one, one, one};
  Rows f;
  Triangle l;
  Vector spread;
  if (sites.triangular) {
    l = {expOf(0), stored(1), expOf(2), stored(3), stored(4), expOf(5)};
    f = {{{l.l00, zero, zero}, {l.l10, l.l11, zero}, {l.l20, l.l21, l.l22}}};
    spread = spreadOf(d, l);
  } else {
    const Rows turn = rotationOf(d, unitQuaternion(d, [&](std::size_t c) HWY_ATTR { return stored(3 + c); }));
    for (std::size_t i = 0; i < 3; ++i) {
      scale[i] = expOf(i);
      f.row[i] = scaled(turn.row[i], scale[i]);
    }
    l = factor(d, turn, scale);
    spread = hn::Max(scale[0], hn::Max(scale[1], scale[2]));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    at.put(f.row[i].x, sites.shape, 3 * i);
    at.put(f.row[i].y, sites.shape, 3 * i + 1);
    at.put(f.row[i].z, sites.shape, 3 * i + 2);
    at.put(scale[i], sites.shape, kShapeScale + i);
  }
  const Three p = {at.get(sites.stored, 0), at.get(sites.stored, 1), at.get(sites.stored, 2)};
  const Vector t = clampedExp(d, at.get(sites.stored, kStoredOffset), kMinLogOffset, kMaxLogOffset);
  const Vector t2 = hn::Mul(t, t);
  const Vector b0 = hn::Neg(hn::Mul(l.l00, p.x)), b1 = hn::Neg(hn::MulAdd(l.l10, p.x, hn::Mul(l.l11, p.y)));
  const Vector numbers[kSiteColumns] = {l.l00,
                                        l.l10,
                                        l.l11,
                                        l.l20,
                                        l.l21,
                                        l.l22,
                                        b0,
                                        b1,
                                        hn::Neg(dot({l.l20, l.l21, l.l22}, p)),
                                        t2,
                                        hn::Div(hn::Set(d, 0.25F), t2)};
  for (std::size_t c = 0; c < kSiteColumns; ++c) at.put(numbers[c], sites.form, c);
  at.put(t, sites.offset, 0);
  at.put(hn::Max(at.get(sites.spread, 0), hn::Mul(spread, hn::Set(d, 1.00001F))), sites.spread, 0);
}

void compileSites(const SiteColumns& sites) {
  const Lane d;
  for (std::size_t i = 0; i < kJointGroup; i += hn::Lanes(d)) compileColumn(sites, {d, i});
}

// See addQuaternionGradient in site_shape.h; g = dL/dR.
template <class Stored, class Put>
HWY_INLINE void quaternionGradient(Lane d, const Stored& stored, const Rows& g, const Put& put) {
  const UnitQuaternion q = unitQuaternion(d, stored);
  const Vector two = hn::Set(d, 2.0F), four = hn::Set(d, 4.0F);
  const auto &a = g.row[0], &b = g.row[1], &c = g.row[2];
  const Three turn = {hn::Sub(c.y, b.z), hn::Sub(a.z, c.x), hn::Sub(b.x, a.y)};
  const Vector xy = hn::Add(a.y, b.x), xz = hn::Add(a.z, c.x), yz = hn::Add(b.z, c.y);
  const auto off = [&](Vector u, Vector from_u, Vector v, Vector from_v, Vector about, Vector own, Vector others)
                       HWY_ATTR {
                         const Vector sum = hn::MulAdd(u, from_u, hn::MulAdd(v, from_v, hn::Mul(q.w, about)));
                         return hn::MulSub(two, sum, hn::Mul(four, hn::Mul(own, others)));
                       };
  const Vector by[4] = {hn::Mul(two, dot({q.x, q.y, q.z}, turn)), off(q.y, xy, q.z, xz, turn.x, q.x, hn::Add(b.y, c.z)),
                        off(q.x, xy, q.z, yz, turn.y, q.y, hn::Add(a.x, c.z)),
                        off(q.x, xz, q.y, yz, turn.z, q.z, hn::Add(a.x, b.y))};
  const Vector along = hn::MulAdd(by[0], q.w, dot({by[1], by[2], by[3]}, {q.x, q.y, q.z}));
  const Vector unit[4] = {q.w, q.x, q.y, q.z};
  for (std::size_t i = 0; i < 4; ++i) put(i, hn::Mul(hn::NegMulAdd(along, unit[i], by[i]), q.inverse_length));
}

HWY_INLINE void gradientColumn(const SiteGradients& sites, const Column& at) {
  const Lane d;
  float* gradient = sites.gradient;
  const auto sum = [&](std::size_t c) HWY_ATTR { return at.get(sites.sums, c); };
  const auto put = [&](std::size_t c, Vector v) HWY_ATTR { at.put(v, gradient, kStoredShape + c); };
  Rows f, df;
  for (std::size_t i = 0; i < 3; ++i)
    f.row[i] = {at.get(sites.shape, 3 * i), at.get(sites.shape, 3 * i + 1), at.get(sites.shape, 3 * i + 2)};
  const Rows moment = {{{sum(4), sum(5), sum(6)}, {sum(5), sum(7), sum(8)}, {sum(6), sum(8), sum(9)}}};
  for (std::size_t i = 0; i < 3; ++i) df.row[i] = times(moment, f.row[i]); // the moments are symmetric
  const Three by_center = transposeTimes(f, times(f, {sum(0), sum(1), sum(2)}));
  at.put(hn::Neg(by_center.x), gradient, 0);
  at.put(hn::Neg(by_center.y), gradient, 1);
  at.put(hn::Neg(by_center.z), gradient, 2);
  at.put(sum(3), gradient, kStoredOffset);
  if (sites.triangular) {
    put(0, hn::Mul(df.row[0].x, f.row[0].x));
    put(1, df.row[1].x);
    put(2, hn::Mul(df.row[1].y, f.row[1].y));
    put(3, df.row[2].x);
    put(4, df.row[2].y);
    put(5, hn::Mul(df.row[2].z, f.row[2].z));
    put(6, hn::Zero(d));
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    put(i, dot(df.row[i], f.row[i]));
    df.row[i] = scaled(df.row[i], at.get(sites.shape, kShapeScale + i));
  }
  quaternionGradient(
      d, [&](std::size_t c) HWY_ATTR { return at.get(sites.stored, kStoredShape + 3 + c); }, df,
      [&](std::size_t c, Vector v) HWY_ATTR { put(3 + c, v); });
}

void siteGradients(const SiteGradients& sites) {
  const Lane d;
  for (std::size_t i = 0; i < kJointGroup; i += hn::Lanes(d)) gradientColumn(sites, {d, i});
}

static void setEntries(Kernels& table) {
  table.compileSites = compileSites;
  table.siteGradients = siteGradients;
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setFieldSites(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
