// What J.-Q. Gao & Z.-C. Wang (2016) say of cg with M1 and M2, judged by what the paper measures
// on: symmetric positive definite matrices of the SuiteSparse collection, here those of files.
// Boxes are told beside.
#include "tools/hodge/reproduce/ssor_cg.hpp"

#include <map>

#include "sim/base/median.hpp"
#include "tools/hodge/reproduce/claims.hpp"

namespace hodge::tools::reproduce {
namespace {

constexpr std::size_t fewest_matrices = 6;  // as many as the paper has

struct Solved {
  bool converged = false;
  double iterations = 0, seconds = 0;
};

// By matrix: cg alone (order 0), with M1 and with M2, at an omega that was given.
using Solves = std::map<std::string, std::map<int, Solved>>;

Solves solves_of(const Findings& findings, const char* kind) {
  Solves solves;
  for (const Json& row :
       findings.rows("ssor_sai", "solve", {{"of", kind}, {"device", findings.fastest_device()}})) {
    const bool alone = row.at("preconditioner") == "none";
    const bool published = row.value("form", Json()) == "truncated" && number(row, "omega");
    if (!alone && !published) continue;
    solves[row.at("matrix")][alone ? 0 : row.at("order").get<int>()] = {
        row.at("converged").get<bool>(), *number(row, "iterations"),
        *number(row, "setup_ms") + *number(row, "solve_ms")};
  }
  return solves;
}

using Quantity = double Solved::*;

// quantity of order a / that of order b, where both converge.
std::vector<double> ratios_of(const Solves& solves, int a, int b, Quantity quantity) {
  std::vector<double> ratios;
  for (const auto& [matrix, of] : solves) {
    const auto one = of.find(a), other = of.find(b);
    if (one == of.end() || other == of.end()) continue;
    if (one->second.converged && other->second.converged && other->second.*quantity > 0)
      ratios.push_back(one->second.*quantity / other->second.*quantity);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

long count_from(const std::vector<double>& sorted, double least) {
  return sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), least);
}

std::optional<double> median_of(const std::vector<double>& ratios) {
  return ratios.empty() ? std::nullopt : std::optional(sim::median(ratios));
}

// Matrices on which cg converges with this order and not without.
long converging_with_it_only(const Solves& solves, int order) {
  return std::count_if(solves.begin(), solves.end(), [&](const auto& matrix) {
    const auto alone = matrix.second.find(0), with = matrix.second.find(order);
    return alone != matrix.second.end() && !alone->second.converged &&
           with != matrix.second.end() && with->second.converged;
  });
}

std::string verdict_of(const std::vector<double>& ratios, bool holds, const char* otherwise) {
  if (ratios.empty()) return not_here;
  if (ratios.size() < fewest_matrices)
    return "not judged: too few matrices of the paper's kind; --matrices DIR adds symmetric "
           "positive definite ones";
  return holds ? "holds" : otherwise;
}

void add_files(const Solves& files, std::vector<Claim>& claims) {
  for (const int order : {1, 2}) {
    const auto fewer = ratios_of(files, 0, order, &Solved::iterations);
    const auto median = median_of(fewer);
    claims.push_back(
        {fmt::format("matrices of files: iterations of cg alone / with M{}", order), "about 3",
         median ? fmt::format("median {:.1f}, at least 3 on {} of {}; {} more converge with M{} "
                              "only",
                              *median, count_from(fewer, 3), fewer.size(),
                              converging_with_it_only(files, order), order)
                : "",
         quotient(median, 3.0),
         verdict_of(fewer, median >= 2.4, "holds in part: fewer, but less than 3 times")});
  }
  const auto add_pair = [&](const char* what, const char* there, Quantity quantity, double least) {
    const auto gain = ratios_of(files, 1, 2, quantity);
    const auto wins = gain.end() - std::upper_bound(gain.begin(), gain.end(), 1.0);
    const bool on_most = 2 * wins > static_cast<long>(gain.size());
    const auto median = median_of(gain);
    claims.push_back(
        {fmt::format("matrices of files: {} with M1 / with M2", what),
         there,
         median ? fmt::format("median {:.2f}, M2 has less on {} of {}", *median, wins, gain.size())
                : "",
         {},
         verdict_of(gain, on_most && median >= least,
                    on_most ? "holds in part: less on most matrices, by little: the entries that "
                              "are cut off are most of what the second order adds"
                            : "does not hold: the entries that are cut off are most of what the "
                              "second order adds, and M2 takes longer to build")});
  };
  add_pair("iterations", "M2 takes far fewer", &Solved::iterations, 1.5);
  add_pair("time", "M2 is usually faster", &Solved::seconds, 1);
}

void add_boxes(const Solves& boxes, std::vector<Claim>& claims) {
  constexpr const char* beside = "told beside: a box is not of the paper's kind";
  for (const auto& [name, of] : boxes) {
    const std::string& matrix = name;
    const Solves one{{matrix, of}};
    const auto add = [&](const std::string& what, int a, int b, Quantity quantity,
                         const char* there) {
      const auto ratio = median_of(ratios_of(one, a, b, quantity));
      claims.push_back({fmt::format("{}: {}", matrix, what),
                        there,
                        measured_as("{:.2f}", ratio),
                        {},
                        ratio ? beside : not_here});
    };
    for (const int order : {1, 2})
      add(fmt::format("iterations of cg alone / with M{}", order), 0, order, &Solved::iterations,
          "about 3");
    add("time with M1 / with M2", 1, 2, &Solved::seconds, "M2 is usually faster");
  }
}

}  // namespace

std::vector<Claim> ssor_cg(const Findings& findings) {
  std::vector<Claim> claims;
  add_files(solves_of(findings, "file"), claims);
  add_boxes(solves_of(findings, "box"), claims);
  return claims;
}

}  // namespace hodge::tools::reproduce
