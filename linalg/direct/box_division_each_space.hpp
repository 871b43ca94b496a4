// The body of box_division.hpp.
#pragma once

#include "linalg/base/choose.hpp"
#include "linalg/base/macros.hpp"
#include "linalg/direct/box_division.hpp"
#include "linalg/direct/for_each_entry.hpp"
#include "linalg/space/this_space.hpp"

namespace hodge::linalg {

// The bit of axis d in the number of an entry of a group; `mirrored` has bit d if axis d is
// mirrored.
HODGE_HD constexpr int bit_of_axis(int mirrored, int d) {
  int bit = 1;
  for (int e = 0; e < d; ++e)
    if ((mirrored >> e & 1) != 0) bit *= 2;
  return bit;
}

// The entries of a spectrum that are divided together: bit<d> of t says whether entry t is mirrored
// along axis d, if `Mirrored` has bit d. Constants, so that the entries stay in registers.
template <class T, int Mirrored>
struct SpectrumGroup {
  static constexpr int count = bit_of_axis(Mirrored, 3);
  // 0 where axis d is not mirrored.
  template <int d>
  static constexpr int bit = (Mirrored >> d & 1) != 0 ? bit_of_axis(Mirrored, d) : 0;

  Complex<T> y[count];

  // The turns of axis d, conjugate at mirrored entries; all of them conjugate on the way back.
  template <int d>
  HODGE_HD void rotate(Complex<T> w, bool back) {
    for (int t = 0; t < count; ++t) y[t] = y[t] * (((t & bit<d>) != 0) != back ? conjugate(w) : w);
  }
  // Sums and differences along a closed axis.
  template <int d>
  HODGE_HD void add_and_subtract() {
    for (int t = 0; t < count; ++t) {
      if ((t & bit<d>) != 0) continue;
      const Complex<T> a = y[t], b = y[t | bit<d>];
      y[t] = a + b;
      y[t | bit<d>] = a - b;
    }
  }
  template <int d>
  HODGE_HD void exchange() {
    for (int t = 0; t < count; ++t) {
      if ((t & bit<d>) != 0) continue;
      const Complex<T> a = y[t];
      y[t] = y[t | bit<d>];
      y[t | bit<d>] = a;
    }
  }
};

// An axis at entry q: the eigenvalues there and at the mirrored entry. Entry 0 of a closed axis has
// none; its second amplitude is 0.
struct GroupAxis {
  double value[2], imaginary_value[2];
  int step;  // in the array, to the mirrored entry

  HODGE_HD GroupAxis(const SpectrumAxis& axis, int q, int stride, bool is_mirrored) {
    int p = is_mirrored ? axis.mirror - q : q;
    if (p == axis.entries) p = 0;
    value[0] = axis.values[q];
    value[1] = is_mirrored ? axis.values[p] : value[0];
    // Only the halved axis has them, which is not mirrored.
    imaginary_value[0] = axis.imaginary_values != nullptr ? axis.imaginary_values[q] : value[0];
    imaginary_value[1] = is_mirrored ? value[1] : imaginary_value[0];
    step = (p - q) * stride;
  }
};

// For point functions: three members, since an array that is indexed while the kernel runs would
// lie in slow memory.
struct DivisionView {
  SpectrumAxis x, y, z;
  bool is_coupled;
  double scale;
  SpectralShift by;

  explicit DivisionView(const SpectrumDivision& d)
      : x(d.axes[0]),
        y(d.axes[1]),
        z(d.axes[2]),
        is_coupled(d.is_coupled),
        scale(d.scale),
        by(d.by) {}

  // Of amplitudes whose eigenvalues have this sum.
  HODGE_HD double factor(double sum) const {
    const double divisor = by.shift + by.factor * sum;
    return divisor > 0.0 ? scale / divisor : 0.0;
  }
};

// Y_t := factors of its real and imaginary amplitudes.
template <class T, int Mirrored>
HODGE_HD void divide_amplitudes(const DivisionView& division, const GroupAxis& x,
                                const GroupAxis& y, const GroupAxis& z,
                                SpectrumGroup<T, Mirrored>& group) {
  using Group = SpectrumGroup<T, Mirrored>;
  Group mirrored = group;
  if (division.is_coupled) {
    if (Group::template bit<0> != 0 && division.x.turns == nullptr) mirrored.template exchange<0>();
    if (Group::template bit<1> != 0 && division.y.turns == nullptr) mirrored.template exchange<1>();
    if (Group::template bit<2> != 0 && division.z.turns == nullptr) mirrored.template exchange<2>();
  }
  for (int t = 0; t < Group::count; ++t) {
    const int i = (t & Group::template bit<0>) != 0 ? 1 : 0,
              j = (t & Group::template bit<1>) != 0 ? 1 : 0,
              k = (t & Group::template bit<2>) != 0 ? 1 : 0;
    const double a = division.factor(x.value[i] + (y.value[j] + z.value[k]));
    if (!division.is_coupled) {
      group.y[t] = static_cast<T>(a) * group.y[t];
      continue;
    }
    const double b =
        division.factor(x.imaginary_value[i] + (y.imaginary_value[j] + z.imaginary_value[k]));
    const bool odd =
        ((i == 1 && division.x.turns != nullptr) != (j == 1 && division.y.turns != nullptr)) !=
        (k == 1 && division.z.turns != nullptr);
    const double half_sum = 0.5 * (a + b), half_difference = odd ? 0.5 * (b - a) : 0.5 * (a - b);
    group.y[t] = static_cast<T>(half_sum) * group.y[t] +
                 static_cast<T>(half_difference) * conjugate(mirrored.y[t]);
  }
}

template <class T, int Mirrored>
HODGE_HD void divide_group(const DivisionView& division, const Index<3>& q, Complex<T>* spectrum) {
  using Group = SpectrumGroup<T, Mirrored>;
  const SpectrumAxis &x = division.x, &y = division.y, &z = division.z;
  const int y_stride = x.entries, z_stride = x.entries * y.entries;
  const GroupAxis of_x(x, q[0], 1, Group::template bit<0> != 0),
      of_y(y, q[1], y_stride, Group::template bit<1> != 0),
      of_z(z, q[2], z_stride, Group::template bit<2> != 0);
  const int first = q[0] + y_stride * q[1] + z_stride * q[2];
  const auto position = [&](int t) {
    int p = first;
    if ((t & Group::template bit<0>) != 0) p += of_x.step;
    if ((t & Group::template bit<1>) != 0) p += of_y.step;
    if ((t & Group::template bit<2>) != 0) p += of_z.step;
    return p;
  };
  Group group;
  for (int t = 0; t < Group::count; ++t) group.y[t] = spectrum[position(t)];
  const auto rotate = [&](bool back) {
    if (x.turns != nullptr) group.template rotate<0>(rounded<T>(x.turns[q[0]]), back);
    if (y.turns != nullptr) group.template rotate<1>(rounded<T>(y.turns[q[1]]), back);
    if (z.turns != nullptr) group.template rotate<2>(rounded<T>(z.turns[q[2]]), back);
  };
  const auto add_and_subtract = [&] {
    if (Group::template bit<0> != 0 && x.turns != nullptr) group.template add_and_subtract<0>();
    if (Group::template bit<1> != 0 && y.turns != nullptr) group.template add_and_subtract<1>();
    if (Group::template bit<2> != 0 && z.turns != nullptr) group.template add_and_subtract<2>();
  };
  rotate(false);
  add_and_subtract();
  divide_amplitudes(division, of_x, of_y, of_z, group);
  add_and_subtract();
  rotate(true);
  for (int t = 0; t < Group::count; ++t) spectrum[position(t)] = group.y[t];
}

template <class Space, class T, int Mirrored>
void divide_groups(const DivisionView& division, const std::array<int, 3>& groups,
                   Complex<T>* spectrum) {
  for_each_entry<Space>(groups, [=] HODGE_LAMBDA(const Index<3>& q) {
    divide_group<T, Mirrored>(division, q, spectrum);
  });
}

// Where all axes are periodic: every entry by itself, with few registers.
template <class Space, class T>
void divide_entries(const DivisionView& division, Complex<T>* spectrum) {
  const double *const a = division.x.values, *const b = division.y.values,
                      *const c = division.z.values;
  const int nx = division.x.entries, ny = division.y.entries;
  const double scale = division.scale, shift = division.by.shift, factor = division.by.factor;
  for_each_entry<Space>({nx, ny, division.z.entries}, [=] HODGE_LAMBDA(const Index<3>& q) {
    const double divisor = shift + factor * (a[q[0]] + (b[q[1]] + c[q[2]]));
    Complex<T>& entry = spectrum[q[0] + nx * (q[1] + ny * q[2])];
    entry = static_cast<T>(divisor > 0.0 ? scale / divisor : 0.0) * entry;
  });
}

template <class Space, class T>
void divide_spectrum(const SpectrumDivision& division, Complex<T>* spectrum) {
  DivisionView view(division);
  std::array<int, 3> groups{};
  int mirrored = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const SpectrumAxis& axis = division.axes[d];
    groups[d] = axis.is_mirrored ? axis.mirror / 2 + 1 : axis.entries;
    if (!axis.is_mirrored) continue;
    mirrored |= 1 << d;
    if (axis.turns != nullptr) view.scale *= 0.5;  // of sums and differences twice
  }
  if (mirrored == 0 && !division.is_coupled) return divide_entries<Space>(view, spectrum);
  with_constant<0, 1, 2, 3, 4, 5, 6>(mirrored, [&](auto mask) {
    divide_groups<Space, T, decltype(mask)::value>(view, groups, spectrum);
  });
}

template void divide_spectrum<ThisSpace>(const SpectrumDivision&, Complex<double>*);
template void divide_spectrum<ThisSpace>(const SpectrumDivision&, Complex<float>*);

}  // namespace hodge::linalg
