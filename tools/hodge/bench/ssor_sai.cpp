// The SSOR sparse approximate inverse (J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44
// (2016) 140-145), in four tables:
//
//   sweep      iterations of cg against omega and alpha, both orders, both forms, and with the
//              omega that is chosen by itself
//   build      time to build and refresh the truncated product, at alpha 1 and at the published
//              alpha, beside one product with A and SciPy on one core
//   solve      iterations and time of cg without it and with both orders, on boxes and on the
//              symmetric positive definite matrices of files
//   alignment  a product with rows that start at multiples of 32 and 128 bytes, padded with
//              zeros
#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"
#include "tools/hodge/bench/linear_problem.hpp"
#include "tools/hodge/bench/ssor_solves.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

// As published: over omega with all entries of the pattern, and over alpha at this omega.
constexpr double omega_of_alphas = 0.8, sweep_tolerance = 1e-12;

// The numbers are those of any device, so the fastest is taken.
template <class Space>
void sweep_matrix(const ExperimentRun& run, ResultTable& table, const std::string& name,
                  const HostMatrix& host) {
  LinearProblem<Space> problem(host, has_null_space(name));
  const linalg::SolveReport plain = solve_by_cg(problem, {}, most_iterations, sweep_tolerance);
  const auto add = [&](const PreconditionerSettings& p, const linalg::SolveReport& solve) {
    const bool comparable = plain.converged() && solve.converged() && solve.iterations > 0;
    const std::string reason = solve.breakdown != linalg::Breakdown::none
                                   ? linalg::to_string(solve.breakdown)
                                   : linalg::to_string(solve.status);
    table.add({cell("matrix", name), cell("preconditioner", p.kind),
               cell("form", option_of(p, "form")), cell("order", option_of(p, "order")),
               cell("omega", option_of(p, "omega")),
               cell("made", value_if(!solve.made.empty(), solve.made)),
               cell("alpha", option_of(p, "alpha")), cell("iterations", solve.iterations),
               cell("fewer", "times fewer",
                    value_if(comparable, 1.0 * plain.iterations / solve.iterations), "{:.2f}"),
               cell("converged", solve.converged()),
               cell("reason", value_if(!solve.converged(), reason))});
  };
  const auto omegas =
      run.sizes<double>({0.5, 1.1, 1.7}, {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.3, 1.5, 1.7, 1.9});
  const auto alphas = run.sizes<double>({0.6, 1.0}, {0.2, 0.4, 0.6, 0.8, 1.0});
  add({}, plain);
  for (const int order : {1, 2}) {
    std::vector<PreconditionerSettings> all;
    for (const double omega : omegas) {
      all.push_back(ssor(order, omega, "factored"));
      if (omega != omega_of_alphas) all.push_back(ssor(order, omega, "truncated"));
    }
    for (const char* form : {"factored", "truncated"})
      all.push_back(ssor(order, std::nullopt, form));
    for (const double alpha : alphas)
      all.push_back(ssor(order, omega_of_alphas, "truncated", alpha));
    for (const auto& p : all) add(p, solve_by_cg(problem, p, most_iterations, sweep_tolerance));
  }
}

void sweep_parameters(ExperimentRun& run) {
  run.progress("iterations against omega and alpha");
  ResultTable& table = run.add_table("sweep", "Iterations of cg to 1e-12");
  const MatrixChoice choice{
      .quick = {"poisson_2d_24_neumann"},
      .full = {"poisson_2d_256_neumann", "poisson_3d_48_neumann", "poisson_2d_48_periodic",
               "poisson_2d_128_random", "poisson_2d_128_jumping", "anisotropic_2d_128",
               "circuit_20000"}};
  for_each_matrix(run, choice, [&](const std::string& name, const HostMatrix& host) {
    const MatrixFacts facts = facts_of(host);
    if (!facts.symmetric() || facts.diagonal_positive != facts.rows)
      return run.progress("... is left out: not for cg");
    run.on_each_device([&]<class Space>() {
      if (run.is_fastest<Space>()) sweep_matrix<Space>(run, table, name, host);
    });
  });
}

// Gao & Wang time the set-up at omega 1 with this alpha. It keeps the largest 5 of 5 and 7 of 7
// entries in a row of a box, so that SciPy's product, which is not cut, has the same entries.
constexpr double published_alpha = 0.9, built_omega = 1.0;

struct Built {
  double setup = 0, refresh = 0, product = 0;  // seconds; 0: not measured
  double sum = 0;  // of the entries of the approximate inverse: that both computed the same
};

Built build_by_scipy(const std::string& name, const HostMatrix& host, int order) {
  // SciPy forms the whole product before it is cut: memory and minutes.
  const double work = 1.0 * host.pattern().nonzeros() * (order == 1 ? 1 : 8);
  if (!python_absence("scipy").empty() || work >= 1.6e7) return {};
  std::vector<std::string> arguments{"ssor_sai", std::to_string(order),
                                     sim::number_text(built_omega)};
  for (const int n : named_grid_matrix(name).cells) arguments.push_back(std::to_string(n));
  const Json result = python_yardstick("scipy", arguments);
  return {.setup = result.value("seconds", 0.0), .sum = result.value("sum", 0.0)};
}

template <class Space>
Built build_by_hodge(const HostMatrix& host, int order, double alpha) {
  using Maker = linalg::PreconditionerMaker<Space, double>;
  const auto preconditioner = std::get<Maker>(linalg::find_preconditioner("ssor_sai").make)(
      ssor(order, built_omega, "truncated", alpha).options);
  const auto a = linalg::copy_to<Space, double>(host);
  linalg::Vector<Space> ones(host.rows()), y(host.rows());
  ones.fill(1.0);
  const auto seconds = [](const auto& work) {
    return linalg::median_seconds<Space>(work, {.repeats = 5});
  };
  Built built;
  built.product = seconds([&] { linalg::multiply(*a, ones, y); });
  built.setup = seconds([&] { preconditioner->setup(*a); });
  built.refresh = seconds([&] { preconditioner->refresh(*a); });
  built.sum = linalg::sum(preconditioner->apply(ones, y)).to_host();
  return built;
}

void time_building(ExperimentRun& run) {
  run.progress("time to build the truncated product");
  run.yardstick("SciPy", python_absence("scipy"));
  ResultTable& table = run.add_table("build", "Building the truncated product (omega 1)");
  const auto add = [&](const std::string& name, const HostMatrix& host, int order, double alpha,
                       const std::string& where, const Built& built, const Built& scipy) {
    const bool is_hodge = built.product > 0, beside = is_hodge && scipy.setup > 0;
    table.add(
        {key("matrix", name), cell("rows", host.rows()),
         cell("nonzeros", "non-zeros", host.pattern().nonzeros()), key("order", order),
         key("alpha", alpha), key("where", where),
         timing("setup_ms", "setup, ms", 1e3 * built.setup, "{:.3f}"),
         timing("refresh_ms", "refresh, ms", value_if(is_hodge, 1e3 * built.refresh), "{:.3f}"),
         timing("product_ms", "one SpMV, ms", value_if(is_hodge, 1e3 * built.product), "{:.3f}"),
         cell("setup_in_products", "setup in SpMV", value_if(is_hodge, built.setup / built.product),
              "{:.1f}"),
         cell("refresh_in_products", "refresh in SpMV",
              value_if(is_hodge, built.refresh / built.product), "{:.1f}"),
         cell("faster_than_scipy", "x SciPy", value_if(beside, scipy.setup / built.setup),
              "{:.1f}"),
         cell("difference_from_scipy", "difference from SciPy",
              value_if(beside, std::abs(built.sum - scipy.sum) / std::abs(scipy.sum)), "{:.1e}")});
  };
  const MatrixChoice choice{
      .quick = {"poisson_2d_24", "poisson_3d_8"},
      .full = {"poisson_2d_1024", "poisson_3d_64", "poisson_3d_128", "poisson_3d_256"},
      .files = false};
  for_each_matrix(run, choice, [&](const std::string& name, const HostMatrix& host) {
    for (const int order : {1, 2}) {
      const Built scipy = build_by_scipy(name, host, order);
      if (scipy.setup > 0) add(name, host, order, 1.0, "scipy, one core", scipy, scipy);
      run.on_each_device([&]<class Space>() {
        for (const double alpha : {1.0, published_alpha})
          add(name, host, order, alpha, Space::name, build_by_hodge<Space>(host, order, alpha),
              scipy);
      });
    }
  });
}

// Padding repeats the last column of a row with the value 0.
std::unique_ptr<HostMatrix> padded(const HostMatrix& host, int multiple) {
  const HostRows rows(host);
  const auto row = [&](int i, RowEntries& entries) {
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
      entries.push_back({rows.columns[k], rows.values[k]});
    while (static_cast<int>(entries.size()) % multiple != 0)
      entries.push_back({entries.back().column, 0.0});
  };
  return build_rows(host.rows(), host.cols(), linalg::Symmetry::unknown, row);
}

// Gao & Wang pad the rows of the product to 128 bytes, so that each starts at a memory transaction.
// The product has the pattern of A, so A itself is measured: as it is, and with the rows padded by
// zeros to multiples of 4 doubles (the 32-byte sectors of today's GPUs) and of 16.
void time_alignment(ExperimentRun& run) {
  run.progress("rows padded to 32 and 128 bytes");
  ResultTable& table =
      run.add_table("alignment", "One product with rows padded to multiples of bytes");
  const MatrixChoice choice{.quick = {"poisson_2d_24", "poisson_3d_8"},
                            .full = {"poisson_2d_1024", "poisson_3d_128"}};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    const double nonzeros = host.pattern().nonzeros();
    // The kernel that is chosen, and the published one: several threads a row.
    for (const char* kernel : {"automatic", "csr_vector"}) {
      double plain = 0;
      for (const int bytes : {8, 32, 128}) {
        Product<Space> product(*padded(host, bytes / 8));
        const double seconds = product.seconds(kernel);
        if (bytes == 8) plain = seconds;
        table.add({key("matrix", name),
                   cell("mean_row", "entries a row", nonzeros / host.rows(), "{:.1f}"),
                   key("device", Space::name), key("kernel", kernel),
                   cell("plan", "in use", product.a->kernel()),
                   key("bytes", "padded to, bytes", bytes),
                   cell("entries", "times the entries", product.a->pattern().nonzeros() / nonzeros,
                        "{:.2f}"),
                   timing("microseconds", "µs", 1e6 * seconds, "{:.1f}"),
                   cell("over_plain", "time / plain", seconds / plain, "{:.2f}")});
      }
    }
  });
}

}  // namespace

extern const Experiment ssor_sai{
    "ssor_sai",
    "the SSOR sparse approximate inverse: iterations against omega and alpha, and the time to "
    "build and apply it",
    [](ExperimentRun& run) {
      sweep_parameters(run);
      time_building(run);
      compare_with_cg(run);
      time_alignment(run);
    }};

}  // namespace hodge::tools::bench
