// BiCG on CSR in CUDA and the transpose that it needs: a tutorial, which prints no times. Its
// statements are judged by `hodge bench transpose` and `hodge bench krylov`.
#include "tools/hodge/reproduce/claims.hpp"

namespace hodge::tools::reproduce {
namespace {

std::vector<Claim> compression(const Findings& findings) {
  std::vector<Claim> claims;
  for (const char* how : {"row_changes", "count_and_scan"}) {
    const Rows rows = findings.rows("transpose", "compression",
                                    {{"compression", how}, {"device", findings.fastest_device()}});
    Claim claim{.of = fmt::format("offsets of rows 0 0 0 0 2 2 2 4 4 of 5, {}", how),
                .published = "0 4 4 7 7 9",
                .measured = {},
                .ratio = {},
                .verdict = not_here};
    if (!rows.empty()) {
      claim.measured = rows.front().at("example");
      claim.verdict = claim.measured == claim.published ? "holds" : "FAILS: the offsets are wrong";
    }
    claims.push_back(claim);
  }
  const auto time_of = [&](const char* how) {
    return first_number(
        findings.rows("transpose", "compression",
                      {{"compression", how}, {"device", findings.fastest_device()}}),
        "microseconds");
  };
  const auto atomics = quotient(time_of("count_and_scan"), time_of("row_changes"));
  claims.push_back({"time of count_and_scan / row_changes",
                    "both are given, without times",
                    measured_as("{:.2f}", atomics),
                    {},
                    !atomics ? not_here
                             : fmt::format("{} is the faster one; linalg uses row_changes",
                                           *atomics > 1 ? "row_changes" : "count_and_scan")});
  return claims;
}

std::vector<Claim> transposed_products(const Findings& findings) {
  std::vector<Claim> claims;
  const std::string& device = findings.fastest_device();
  for (const Json& row : findings.rows("transpose", "products", {{"device", device}})) {
    const std::string matrix = row.at("matrix");
    const auto ratio = number(row, "atomic_over_explicit");
    Claim claim{
        fmt::format("{}: 100 products by atomic additions / by A^T, with its set-up", matrix),
        "slow under contention: build A^T once",
        measured_as("{:.2f}", ratio),
        {},
        not_here};
    if (ratio)
      claim.verdict = *ratio > 1.5   ? "holds"
                      : *ratio > 1.0 ? "holds, but the gain is small: columns are short"
                                     : "does not hold here: columns are short, so additions "
                                       "rarely meet, and today's GPUs add in their L2 cache";
    claims.push_back(claim);
  }
  return claims;
}

std::vector<Claim> exchanged_products(const Findings& findings) {
  std::vector<Claim> claims;
  for (const Json& row :
       findings.rows("transpose", "products", {{"device", findings.fastest_device()}})) {
    const auto ratio = number(row, "exchanged_over_explicit");
    claims.push_back(
        {fmt::format("{}: 100 products by COO with exchanged arrays / by A^T, with its set-up",
                     row.at("matrix").get<std::string>()),
         "exchanges the index arrays, moves no data",
         measured_as("{:.2f}", ratio),
         {},
         !ratio       ? not_here
         : *ratio < 1 ? "holds: faster than to build A^T"
                      : "slower than to build A^T once: each product brings the values into the "
                        "order of rows"});
  }
  return claims;
}

std::vector<Claim> dense(const Findings& findings) {
  std::vector<Claim> claims;
  for (const Json& row :
       findings.rows("transpose", "dense", {{"device", findings.fastest_device()}})) {
    const auto ms = number(row, "milliseconds"), share = number(row, "share_of_copy");
    claims.push_back(
        {fmt::format("{0} x {0}, transposed into {1}", row.at("n").get<int>(),
                     row.at("into").get<std::string>()),
         "described, without a time",
         ms && share ? fmt::format("{:.4f} ms, {:.2f} of the speed of a copy", *ms, *share) : "",
         {},
         ms && share ? "done, for the record" : not_here});
  }
  return claims;
}

std::vector<Claim> iterations(const Findings& findings) {
  std::vector<Claim> claims;
  const std::string& device = findings.fastest_device();
  for (const Json& row :
       findings.rows("krylov", "nonsymmetric", {{"device", device}, {"method", "bicg"}})) {
    const std::string grid = row.at("grid");
    const auto bicg = number(row, "ms_an_iteration");
    const auto bicgstab =
        first_number(findings.rows("krylov", "nonsymmetric",
                                   {{"device", device}, {"method", "bicgstab"}, {"grid", grid}}),
                     "ms_an_iteration");
    const auto over = quotient(bicg, bicgstab);
    claims.push_back({fmt::format("{}: an iteration of bicg, ms", grid),
                      "no time is printed",
                      measured_as("{:.4f}", bicg),
                      {},
                      "for the record"});
    claims.push_back(
        {fmt::format("{}: an iteration of bicg / of bicgstab, two products each", grid),
         "BiCGStab is left as an exercise",
         measured_as("{:.2f}", over),
         {},
         !over ? not_here
               : fmt::format("bicgstab is done; bicg is {} by the product with A^T and the shadow "
                             "vectors",
                             *over > 1 ? "slower" : "not slower")});
  }
  return claims;
}

}  // namespace

Publication bicg_tutorial() {
  return {
      "BiCG on CSR matrices in CUDA, and the transpose that it needs (tutorial, in Chinese)",
      {{"compression",
        "row offsets from sorted row indices, in two ways",
        {"transpose"},
        compression},
       {"transposed_products",
        "y = A^T x by atomic additions and by a transposed matrix",
        {"transpose"},
        transposed_products},
       {"exchanged_products",
        "y = A^T x on COO with exchanged index arrays",
        {"transpose"},
        exchanged_products},
       {"dense_transposes", "dense transposes in double", {"transpose"}, dense},
       {"bicg", "an iteration of BiCG and of BiCGStab", {"krylov"}, iterations}},
      {{"COO and CSR with the sentinel row[n] = nnz",
        "done as published (matrices/coo, matrices/csr)"},
       {"dense transposes, in place and into a second array",
        "done as published, by 32 x 32 tiles (matrices/transpose)"},
       {"A^T v on COO by exchanging the index arrays",
        "done as published (transpose() of matrices/coo), which moves no entry, but for the "
        "product: "
        "the first one sorts the entries, so that sums repeat bit for bit; bicg does not use it, "
        "measured above"},
       {"CSR transpose on the host: count, scan, scatter",
        "done as published (matrices/transpose)"},
       {"CSR transpose on the device: expand, stable sort, compress",
        "done as published by Thrust's radix sort and row changes, but for the expansion: by a "
        "search "
        "per entry instead of 16 lanes a row, so that long rows cost no more than short ones"},
       {"compression by atomic counts and a scan, or by row changes",
        "both are there (matrices/row_offsets); the transpose uses row changes"},
       {"A^T v on CSR by atomic additions",
        "done as published, for comparison; bicg reads A by columns on few diagonals and keeps A^T "
        "otherwise, and both repeat bit for bit"},
       {"BiCG with r* = r, breakdowns reported",
        "done as published, preconditioned (solvers/bicg)"},
       {"max steps <= 0 means no limit",
        "done otherwise: a limit of at least 1 is asked for, so that a solve that stagnates ends"},
       {"exercise: BiCGStab", "done (solvers/bicgstab)"}}};
}

}  // namespace hodge::tools::reproduce
