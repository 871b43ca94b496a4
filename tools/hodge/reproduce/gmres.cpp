// Y.-Q. Liu, K.-X. Yin & E.-H. Wu (2011): GMRES on the GPU. Judged by `hodge bench gmres` on
// matrices of the same size and row length.
#include "tools/hodge/reproduce/claims.hpp"

namespace hodge::tools::reproduce {
namespace {

struct Published {
  const char* matrix;
  double rows, row_length;
  // 100 products, seconds: two steps, scalar CSR, vector CSR (0: failed).
  double two_step, scalar, vector;
  // Ten restarts of m = 8, 16, 32: times faster than one core, machine 1 and 2 (0: not printed).
  double restarts[3], restarts_2[3] = {};
};
constexpr Published published[] = {
    {"c-26", 4307, 4.5, 0.006, 0.039, 0.005, {0.9, 0.7, 0.8}},
    {"crystk02", 13965, 35.2, 0.017, 0.047, 0.020, {6.0, 5.4, 4.1}},
    {"Language", 399130, 3.0, 0.193, 1.224, 0.369, {32.5, 93.1, 161.2}},
    {"Largebasis", 440020, 12.6, 0.163, 0.569, 0.325, {18.6, 20.6, 24.6}, {10.4, 10.3, 10.1}},
    {"ASIC_680ks", 682712, 3.4, 0.104, 0.380, 0, {28.1, 30.9, 33.5}, {11.5, 14.4, 15.3}},
    {"G3_circuit", 1585478, 2.9, 0.145, 0.193, 0, {39.3, 43.3, 43.8}, {22.5, 23.9, 25.7}},
    {"kkt_power", 2063494, 3.9, 0.351, 0.698, 0, {30.8, 34.9, 31.8}, {18.2, 21.3, 25.3}},
    {"memchip", 2707524, 5.5, 0.446, 1.001, 0, {31.9, 20.2, 43.5}},
    {"Freescale1", 3428755, 5.5, 0.600, 1.245, 0, {31.1, 35.1, 40.7}}};

std::string like(const Published& one) {
  return fmt::format("like_{}", one.matrix);
}

std::vector<Claim> kernels(const Findings& findings) {
  std::vector<Claim> claims;
  const std::string& device = findings.fastest_device();
  for (const Published& one : published) {
    const auto seconds = [&](const std::string& kernel) {
      return first_number(
          findings.rows("gmres", "kernels",
                        {{"matrix", like(one)}, {"device", device}, {"kernel", kernel}}),
          "seconds");
    };
    const auto two_step = seconds("csr_two_step, 512"), scalar = seconds("csr_scalar"),
               vector = seconds("csr_vector"), best = seconds("automatic"),
               library = seconds("cusparse");
    const auto scalar_over = quotient(scalar, two_step);
    const double published_ratio = one.scalar / one.two_step;
    claims.push_back(
        {fmt::format("{}: 100 products, scalar CSR / two steps", like(one)),
         fmt::format("{:.3f} s / {:.3f} s = {:.1f}", one.scalar, one.two_step, published_ratio),
         scalar_over ? fmt::format("{:.5f} s / {:.5f} s = {:.2f}", *scalar, *two_step, *scalar_over)
                     : "",
         quotient(scalar_over, published_ratio),
         !scalar_over       ? not_here
         : *scalar_over > 1 ? "holds"
                            : "does not hold: caches of today serve the scattered reads "
                              "of one thread a row, and two steps write all products"});
    const auto vector_over = quotient(vector, two_step);
    claims.push_back(
        {fmt::format("{}: 100 products, vector CSR / two steps", like(one)),
         one.vector > 0 ? fmt::format("{:.1f}", one.vector / one.two_step) : "vector CSR failed",
         measured_as("{:.2f}", vector_over),
         one.vector > 0 ? quotient(vector_over, one.vector / one.two_step) : std::nullopt,
         !vector_over       ? not_here
         : *vector_over > 1 ? "two steps are faster"
                            : "vector CSR is faster: 2 to 8 lanes a row instead of 32"});
    if (best && library)
      claims.push_back(
          {fmt::format("{}: 100 products by hodge's choice / cuSPARSE", like(one)),
           "-",
           fmt::format("{:.5f} s / {:.5f} s = {:.2f}", *best, *library, *best / *library),
           {},
           *best < *library ? "faster than today's library" : "today's library is faster"});
  }
  const auto staging = [&](const char* kernel) {
    return first_number(
        findings.rows("gmres", "kernels",
                      {{"matrix", "like_crystk02"}, {"device", device}, {"kernel", kernel}}),
        "seconds");
  };
  const auto gain = quotient(staging("csr_two_step, 128"), staging("csr_two_step, 512"));
  claims.push_back({"two steps, staging of 128 entries / of 512, like_crystk02",
                    "512 is better (multiprocessor use 0.64 and 0.77)",
                    measured_as("{:.2f}", gain),
                    {},
                    !gain       ? not_here
                    : *gain > 1 ? "holds"
                                : "does not hold: no difference counts"});
  return claims;
}

// Products of A rule an iteration of GMRES(m) when k >> m/2 + 1.
std::vector<Claim> costs(const Findings& findings) {
  std::vector<Claim> claims;
  const std::string& device = findings.fastest_device();
  for (const Published& one : published)
    for (const int m : {8, 32}) {
      const auto product = first_number(
          findings.rows("gmres", "kernels",
                        {{"matrix", like(one)}, {"device", device}, {"kernel", "automatic"}}),
          "seconds");
      const auto iteration = first_number(
          findings.rows("gmres", "cycles", {{"matrix", like(one)}, {"where", device}, {"m", m}}),
          "milliseconds_an_iteration");
      const double k = one.row_length, n_products = 2 * k * (m + 1.0),
                   others = m * (m + 3.0) + 2 + 2 * m + 6,
                   predicted = n_products / (n_products + others);
      const auto share = quotient(
          product ? std::optional(*product / 100 * 1e3 * (m + 1) / m) : std::nullopt, iteration);
      claims.push_back(
          {fmt::format("{}, k = {}, m = {}: share of the products in the time", like(one), k, m),
           fmt::format("{:.2f} by operations, k / (m/2 + 1) = {:.1f}", predicted, k / (m / 2 + 1)),
           measured_as("{:.2f}", share), quotient(share, predicted),
           !share ? not_here
           : (*share > 0.5) == (predicted > 0.5)
               ? "holds: the larger part is the predicted one"
               : "does not hold by operations: time goes with bytes, 12 to 16 for each non-zero "
                 "and "
                 "16 for each entry of a vector, and on small systems with launches"});
    }
  return claims;
}

constexpr int restart_lengths[] = {8, 16, 32};

std::optional<double> restarts_here(const Findings& findings, const Published& one, int m) {
  return first_number(
      findings.rows("gmres", "cycles", {{"matrix", like(one)}, {"where", "cuda"}, {"m", m}}),
      "faster_than_one_thread");
}

// Over the matrices that have a figure there and here.
Claim mean_of_restarts(const Findings& findings, int i, const char* machine,
                       const double (Published::*restarts)[3]) {
  std::vector<double> there, here;
  for (const Published& one : published) {
    const auto ratio = restarts_here(findings, one, restart_lengths[i]);
    if ((one.*restarts)[i] == 0) continue;
    there.push_back((one.*restarts)[i]);
    if (ratio) here.push_back(*ratio);
  }
  const double mean_there = spread(there)->mean;
  const bool complete = here.size() == there.size();
  return {fmt::format("mean of {} matrices, m = {}: ten restarts, GPU faster than one core",
                      there.size(), restart_lengths[i]),
          fmt::format("{:.1f} times on {}", mean_there, machine),
          complete ? fmt::format("{:.1f} times", spread(here)->mean) : "",
          complete ? quotient(spread(here)->mean, mean_there) : std::nullopt,
          !complete                          ? not_here
          : spread(here)->mean >= mean_there ? "holds, by more"
                                             : "does not hold: less than published"};
}

std::vector<Claim> restarts(const Findings& findings) {
  std::vector<Claim> claims;
  for (const Published& one : published)
    for (int i = 0; i < 3; ++i) {
      const auto ratio = restarts_here(findings, one, restart_lengths[i]);
      const double there = one.restarts[i];
      claims.push_back(
          {fmt::format("{}, m = {}: ten restarts, GPU faster than one core", like(one),
                       restart_lengths[i]),
           fmt::format("{:.1f} times", there), ratio ? fmt::format("{:.1f} times", *ratio) : "",
           quotient(ratio, there),
           !ratio            ? not_here
           : *ratio >= there ? "holds, by more: memory of GPUs grew faster than that of a core"
           : one.rows < 50000
               ? "does not hold: so small a system stays in the caches of a core of today"
               : "does not hold: less than published"});
    }
  for (int i = 0; i < 3; ++i) {
    claims.push_back(
        mean_of_restarts(findings, i, "machine 1, a Core 2 Quad Q9400", &Published::restarts));
    claims.push_back(
        mean_of_restarts(findings, i, "machine 2, a Core i7 920", &Published::restarts_2));
  }
  return claims;
}

std::vector<Claim> convergence(const Findings& findings) {
  std::vector<Claim> claims;
  for (const Json& row : findings.rows("gmres", "differences")) {
    const auto reduction = number(row, "reduction"), difference = number(row, "most");
    if (!reduction || !difference) continue;  // the CPU alone
    claims.push_back(
        {fmt::format(
             "{}: residual over the first one after 100 iterations; largest difference CPU - GPU",
             row.at("matrix").get<std::string>()),
         "of five samples rajat26 and c-26 do not converge; CPU and GPU differ by rounding",
         fmt::format("{:.1e}; {:.1e}", *reduction, *difference),
         {},
         *difference < 1e-4
             ? "holds: the solutions agree"
             : "as for their two: hardly any convergence, and rounding is amplified"});
  }
  if (claims.empty())
    claims.push_back({"differences of the solutions of CPU and GPU",
                      "histograms of five samples",
                      "",
                      {},
                      not_here});
  return claims;
}

std::vector<Claim> sums(const Findings& findings) {
  std::vector<Claim> claims;
  for (const Json& row : findings.rows("gmres", "sums")) {
    const std::string how = row.at("how");
    const auto sum = number(row, "sum");
    const bool in_order = how == "one after the other";
    claims.push_back({fmt::format("10^6 x 0.001 in single precision, {}, {}", how,
                                  row.at("device").get<std::string>()),
                      in_order ? "991.14" : "1000", measured_as("{:.2f}", sum),
                      quotient(sum, in_order ? 991.14 : 1000.0),
                      std::abs(*sum - (in_order ? 991.14 : 1000.0)) < 0.005 ? "holds" : "FAILS"});
  }
  return claims;
}

}  // namespace

Publication gmres() {
  return {
      "Y.-Q. Liu, K.-X. Yin & E.-H. Wu, Fast GMRES on the GPU, Journal of Computer-Aided Design & "
      "Computer Graphics (2011)",
      {{"gmres_kernels", "100 products with a sparse matrix", {"gmres"}, kernels},
       {"gmres_costs", "where the time of an iteration goes", {"gmres"}, costs},
       {"gmres_restarts", "ten restarts against one core", {"gmres"}, restarts},
       {"gmres_convergence", "residuals, and differences of CPU and GPU", {"gmres"}, convergence},
       {"float_sums", "long sums in single precision", {"gmres"}, sums}},
      {{"restarted GMRES(m), Arnoldi",
        "done as published (solvers/gmres), but for the orthogonalisation: classical Gram-Schmidt, "
        "a "
        "second time where orthogonality is lost, instead of modified: as orthogonal, and all dot "
        "products of a round are one pass over the basis instead of one waiting for the other"},
       {"small least-squares problem on the host",
        "done otherwise: one warp solves it on the GPU, so that an iteration never waits for the "
        "host"},
       {"SpMV in two kernels with a staging buffer",
        "done as published: csr_two_step (matrices/spmv); not the automatic choice, see above"},
       {"inner products by blocks and the tree of figure 1, partial sums on the host",
        "done otherwise: chunks that the length of the vector defines, each added by a block in a "
        "fixed order, and their sums added exactly by the last block of the same launch: the host "
        "does not wait, and bits do not depend on the number of blocks; in double whatever the "
        "vectors' precision"},
       {"the nine matrices",
        "not reproducible: not shipped with hodge; like_... have their size and mean row length"}}};
}

}  // namespace hodge::tools::reproduce
