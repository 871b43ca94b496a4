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
//
// A process may have a part of the points, `count` from `first` on. Then points and slots are
// numbered from 0 within the part. Its slots in the sequence are two runs, of even points and of
// odd ones, one after the other here.
struct PointOrder {
  int points = 1;  // of the axis
  bool is_reversed = false, is_folded = false, odd_points_negative = false,
       odd_slots_negative = false;
  int first = 0, count = 1;
  int evens = 1;                          // slots of the first run, or of all where not folded
  int before_evens = 0, before_odds = 0;  // a slot of the sequence, less that of the part

  PointOrder() = default;
  explicit PointOrder(int n) : points(n) { take(0, n); }
  void take(int first_point, int number);

  HODGE_HD int slot(int j) const {
    if (!is_folded) return j;
    j = is_reversed ? points - 1 - first - j : first + j;
    return j % 2 == 0 ? j / 2 - before_evens : points - 1 - j / 2 - before_odds;
  }
  HODGE_HD int point(int m) const {
    if (!is_folded) return m;
    const int j = m < evens ? 2 * (m + before_evens) : 2 * (points - 1 - m - before_odds) + 1;
    return (is_reversed ? points - 1 - j : j) - first;
  }
  // The slot of the sequence.
  HODGE_HD int slot_of_all(int m) const { return m + (m < evens ? before_evens : before_odds); }
  // Of slot m.
  HODGE_HD bool is_negative(int m) const {
    return (odd_points_negative && m >= evens) != (odd_slots_negative && slot_of_all(m) % 2 == 1);
  }
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
