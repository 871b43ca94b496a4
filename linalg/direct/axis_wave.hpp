// An axis of equal cells as a Fourier transform of its n points.
//
// The sines and cosines of eigenbasis.hpp become the transform of a sequence v of n values, after
// the points have been put in another order (J. Makhoul, IEEE Trans. ASSP 28, 1980, 27-34):
//
//   v_m = +-x_j,  m = slot(j): even points upwards, odd points downwards from the end
//   V(q) = sum_m v_m exp(-2 pi i m (q + shift) / n)
//   amplitudes of two eigenvectors:  Re(w_q V(q)),  +-Im(w_q V(q))
//
// For real v, V(p) = conj V(q) at the mirrored entry p, and the second amplitude is that of p.
//
//   ends                   +-                    shift    w_q                     p
//   periodic               x_j in its own slot   0        1                       n - q
//   closed                 +                     0        exp(-i pi q / 2 n)      n - q
//   half                   - at odd j            0        exp(-i pi q / 2 n)      n - q
//   closed_half, n even    - at odd j            1/2      exp(-i pi (2 q + 1) / 4 n)   n - 1 - q
//   closed_half, n odd     - at odd j, odd m     0        the same of k = q + (n - 1) / 2 mod n
//   half_closed            closed_half from the other end
//
// Entry 0 has no partner where p = n; with odd n its frequency is then k = (n - 1) / 2 (S. C. Chan
// & K. L. Ho, IEEE Trans. Circuits Syst. II 39, 1992, 185-190, for odd n).
//
// With a shift v is complex: v_m exp(-i pi m / n) is transformed. Then n values pack into n / 2
// complex ones, (v_m - i v_{m + n/2}) exp(-i pi m / n), whose transform has the even entries V(2
// l); odd ones are their partners.
#pragma once

#include <vector>

#include "linalg/base/complex.hpp"
#include "linalg/base/macros.hpp"
#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

// Where point j of an axis stands in the sequence that is transformed, and its sign.
struct PointOrder {
  int points = 1;
  bool is_reversed = false, is_folded = false, odd_points_negative = false,
       odd_slots_negative = false;

  PointOrder() = default;
  explicit PointOrder(int n) : points(n) {}

  HODGE_HD int slot(int j) const {
    if (!is_folded) return j;
    if (is_reversed) j = points - 1 - j;
    return j % 2 == 0 ? j / 2 : points - 1 - j / 2;
  }
  HODGE_HD int point(int m) const {
    if (!is_folded) return m;
    const int j = is_even(m) ? 2 * m : 2 * (points - 1 - m) + 1;
    return is_reversed ? points - 1 - j : j;
  }
  bool has_signs() const { return odd_points_negative || odd_slots_negative; }
  // Of slot m.
  HODGE_HD bool is_negative(int m) const {
    return (odd_points_negative && !is_even(m)) != (odd_slots_negative && m % 2 == 1);
  }

 private:
  // Whether slot m of a folded order has an even point.
  HODGE_HD bool is_even(int m) const { return m < (points + 1) / 2; }
};

struct AxisWave {
  PointOrder order;
  bool is_shifted = false;              // by half a frequency
  std::vector<Complex<double>> turns;   // w_q; empty: 1
  std::vector<Complex<double>> shifts;  // exp(-i pi m / n); empty: no shift
  std::vector<double> values;           // eigenvalue of the amplitude Re(w_q V(q))

  // The entry mirrored to q is mirror() - q, modulo n.
  int mirror() const { return order.points - (is_shifted ? 1 : 0); }
};

// Whether a Fourier transform serves the axis: equal cells, and points enough.
bool has_wave(const SeparableAxis& axis);
bool is_shifted_wave(const SeparableAxis& axis);
AxisWave axis_wave(const SeparableAxis& axis);

// exp(-i pi p / q), q > 0
Complex<double> turn(long long p, long long q);

}  // namespace hodge::linalg
