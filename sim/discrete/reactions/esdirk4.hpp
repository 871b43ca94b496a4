// The Runge-Kutta method of the reactions: six stages, the first explicit, order 4 with an embedded
// one of order 3.
//
//   k_i = r(t + c_i h, y + h sum_{j <= i} a_ij k_j),   y^{n+1} = y + h sum_j a_6j k_j
//   error = h sum_j (a_6j - b_j) k_j
//
// L-stable and stiffly accurate (the last stage is the new value, so that k_6 is the next k_1), of
// stage order 2, all implicit stages with the same a_ii = 1/4. Linear invariants are kept.
//
// Source: C. A. Kennedy & M. H. Carpenter, Appl. Numer. Math. 44, 2003: the implicit part of
// ARK4(3)6L[2]SA.
#pragma once

namespace hodge::sim::esdirk4 {

inline constexpr int stages = 6;
inline constexpr int error_order = 4;  // the error estimate is O(h^4)
inline constexpr double diagonal = 0.25;

inline constexpr double c[stages] = {0, 1. / 2, 83. / 250, 31. / 50, 17. / 20, 1};

inline constexpr double a[stages][stages] = {
    {},
    {1. / 4, diagonal},
    {8611. / 62500, -1743. / 31250, diagonal},
    {5012029. / 34652500, -654441. / 2922500, 174375. / 388108, diagonal},
    {15267082809. / 155376265600, -71443401. / 120774400, 730878875. / 902184768,
     2285395. / 8070912, diagonal},
    {82889. / 524892, 0, 15625. / 83664, 69875. / 102672, -2260. / 8211, diagonal}};

inline constexpr double embedded[stages] = {4586570599. / 29645900160, 0,
                                            178811875. / 945068544,    814220225. / 1159782912,
                                            -3700637. / 11593932,      61727. / 225920};

}  // namespace hodge::sim::esdirk4
