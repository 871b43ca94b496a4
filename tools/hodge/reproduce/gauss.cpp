// Gauss elimination with column pivoting in CUDA and Thrust: a laboratory report. Judged by
// `hodge bench gauss`.
#include "tools/hodge/reproduce/claims.hpp"

namespace hodge::tools::reproduce {
namespace {

struct PublishedTimes {
  int n;
  double cpu, gpu;  // milliseconds; the best launch shape
};
constexpr PublishedTimes published_times[] = {
    {5, 0.001, 0.54}, {500, 902826, 29694}, {5000, 756259, 29850}};

std::optional<double> milliseconds(const Findings& findings, int n, const char* device,
                                   const char* by) {
  return first_number(findings.rows("gauss", "dense", {{"n", n}, {"device", device}, {"by", by}}),
                      "milliseconds");
}

std::vector<Claim> times(const Findings& findings) {
  std::vector<Claim> claims;
  for (const PublishedTimes& one : published_times) {
    const auto cpu = milliseconds(findings, one.n, "cpu", "hodge"),
               thrust = milliseconds(findings, one.n, "cuda", "hodge, pivot by Thrust"),
               fused = milliseconds(findings, one.n, "cuda", "hodge");
    const std::string doubt =
        one.n == 500 ? "; the printed row looks like another size, since n = 5000 takes less" : "";
    const auto add = [&](const char* what, double there, const std::optional<double>& here,
                         const std::string& verdict) {
      claims.push_back({fmt::format("n = {}, {}", one.n, what), fmt::format("{:g} ms", there),
                        here ? fmt::format("{:.4g} ms", *here) : "", quotient(here, there),
                        here ? verdict + doubt : std::string(not_here)});
    };
    add("CPU", one.cpu, cpu,
        one.n < 100 ? "launching threads and checking the factors costs more than 5 unknowns do"
                    : "holds, by far less time: blocked, on all cores");
    add("GPU, pivot by Thrust", one.gpu, thrust, "holds as a method: a launch and a wait a column");
    add("GPU, pivot in the fused panel", one.gpu, fused, "the same pivots without waiting");
    const auto gain = quotient(cpu, fused);
    claims.push_back(
        {fmt::format("n = {}, CPU / GPU", one.n), fmt::format("{:.3g}", one.cpu / one.gpu),
         measured_as("{:.3g}", gain), quotient(gain, one.cpu / one.gpu),
         !gain                                ? not_here
         : (*gain > 1) == (one.cpu > one.gpu) ? "holds: the faster one is the same"
                                              : "does not hold: the other one is faster"});
  }
  return claims;
}

}  // namespace

Publication gauss() {
  return {
      "Gauss elimination with column pivoting in CUDA and Thrust (laboratory report, in Russian, "
      "Moscow, 2020)",
      {{"gauss", "dense systems of 5, 500 and 5000 unknowns", {"gauss"}, times}},
      {{"pivot by Thrust's max_element",
        "done as published: `hodge gauss --pivot thrust`; the default finds the same pivots in a "
        "fused panel"},
       {"the right-hand side appended to the matrix",
        "done otherwise: P A = L U once, then any number of right-hand sides"},
       {"column-major storage, row exchange, elimination, back substitution by columns",
        "done as published, blocked so that nearly all operations are products of matrices"},
       {"normalisation by the pivot",
        "done in the column below the pivot, the multipliers of L, whose diagonal is 1, so that U "
        "and L serve any number of right-hand sides; dividing the pivot row instead gives the same "
        "x "
        "but for rounding"},
       {"text: n, rows, right-hand side", "done as published (`hodge gauss`)"},
       {"output: ten decimals in scientific notation, in one line",
        "the same digits, but a number a line, as programs that read columns of numbers want it; "
        "`paste -sd ' '` joins the lines"},
       {"launch shapes 4 x 4, 16 x 16, 32 x 32",
        "done otherwise: the best shape of each kernel is fixed by measurement"},
       {"no treatment of singular matrices",
        "done otherwise: reported with the column, and a warning where the matrix is nearly "
        "singular"},
       {"the row of n = 500", "not reproducible: it takes longer than n = 5000 there"}}};
}

}  // namespace hodge::tools::reproduce
