// Estimates || A^-1 ||_1 from a few solves with A and A^T, without forming the inverse.
//
// || A^-1 ||_1 is the largest value of || A^-1 x ||_1 over || x ||_1 = 1, attained at a unit
// vector. W. W. Hager (SIAM J. Sci. Stat. Comput. 5, 1984, 311) climbs from one unit vector to the
// next along the gradient A^-T sign(A^-1 x); N. J. Higham (ACM TOMS 14, 1988, 381, algorithm 4.1)
// stops the climb when a sign vector repeats, and adds a vector that catches cancellation. The
// result is a lower bound, in practice within a factor of 3. Cost: 4 to 11 solves.
#pragma once

#include <functional>
#include <vector>

namespace hodge::linalg {

enum class SolveWith { matrix, transpose };

// x <- A^-1 x or A^-T x
using InverseProduct = std::function<void(SolveWith, std::vector<double>&)>;

// Infinite or NaN if a solve gives such numbers.
double estimate_inverse_norm(int n, const InverseProduct& solve);

}  // namespace hodge::linalg
