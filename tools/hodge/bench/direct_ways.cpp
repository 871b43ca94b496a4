#include "tools/hodge/bench/direct_ways.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "linalg/direct/axis_wave.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace hodge::tools::bench {
namespace {

using Methods = std::vector<linalg::AxisMethod>;

constexpr int most_points = 2048;  // of products

// The way that is chosen comes first.
template <class Space>
std::vector<Methods> ways_of(const linalg::SeparableSystem& system) {
  const std::size_t axes = system.axes.size();
  std::vector<Methods> ways{linalg::choose_axis_methods<Space>(system, sizeof(double))};
  const auto add = [&](const Methods& way) {
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
  };
  if (std::all_of(system.axes.begin(), system.axes.end(),
                  [](const auto& axis) { return axis.points() <= most_points; }))
    add(Methods(axes, linalg::AxisMethod::products));
  if (!linalg::has_cufft() || std::is_same_v<Space, linalg::Host>) return ways;
  Methods by_fft(axes, linalg::AxisMethod::products);
  for (std::size_t d = 0; d < axes; ++d)
    if (linalg::has_wave(system.axes[d])) by_fft[d] = linalg::AxisMethod::fft_of_box;
  add(by_fft);
  return ways;
}

template <class Space>
linalg::DirectSolver<Space> solver_by(const linalg::SeparableSystem& system,
                                      const Methods& methods) {
  if constexpr (std::is_same_v<Space, linalg::Host>)
    return {system, methods, {}};
  else
    return {system, methods, linalg::cufft<double>};
}

std::string text_of(const Methods& methods) {
  std::vector<std::string> names;
  for (const linalg::AxisMethod method : methods) names.push_back(linalg::describe(method));
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class Space>
void measure_way(const ExperimentRun& run, ResultTable& table, const Box& box,
                 const Methods& methods, bool chosen) {
  const linalg::SeparableSystem system = separable(box);
  const int rows = static_cast<int>(system.rows());
  const auto b = linalg::random_vector<Space, double>(rows, 1);
  linalg::Vector<Space> x(rows);
  const auto built = [&] {
    const linalg::Clock clock;
    const auto solver = solver_by<Space>(system, methods);
    Space::synchronize();
    return clock.seconds();
  };
  const double setup = built(), again = built();
  const std::size_t before = Space::allocated_bytes();
  auto solver = solver_by<Space>(system, methods);
  const auto memory = static_cast<double>(Space::allocated_bytes() - before);
  const double seconds = linalg::median_seconds<Space>([&] { solver.solve(b, x); });
  const double bytes = linalg::direct_bytes(system, methods, sizeof(double));
  table.add({key("grid", box.matrix.grid()), key("sides", box.sides()), key("device", Space::name),
             key("axes", text_of(methods)), cell("chosen", chosen),
             timing("setup_ms", "setup, ms", 1e3 * setup, "{:.2f}"),
             timing("again_ms", "setup again, ms", 1e3 * again, "{:.2f}"),
             timing("solve_ms", "solve, ms", 1e3 * seconds, "{:.3f}"),
             cell("bytes_per_cell", "B / cell moved", bytes / rows, "{:.0f}"),
             cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, seconds), "{:.2f}"),
             cell("memory_per_cell", "B / cell held", memory / rows, "{:.1f}")});
}

// Cells of 0.1 at the lower end to 1.9 at the upper one, both closed.
void stretch(linalg::SeparableAxis& axis) {
  const std::size_t n = axis.weights.size();
  axis.periodic = false;
  for (std::size_t i = 0; i < n; ++i)
    axis.weights[i] = 0.1 + 1.8 * static_cast<double>(i) / static_cast<double>(n);
  for (std::size_t i = 1; i < n; ++i)
    axis.couplings[i] = 2 / (axis.weights[i - 1] + axis.weights[i]);
  axis.couplings.front() = axis.couplings.back() = 0;
}

}  // namespace

linalg::SeparableSystem separable(const Box& box) {
  linalg::SeparableSystem system;
  for (int d = 0; d < box.matrix.dim(); ++d) {
    const auto n = static_cast<std::size_t>(box.matrix.cells[d]);
    linalg::SeparableAxis axis{std::vector<double>(n, 1.0), std::vector<double>(n + 1, 1.0),
                               box.matrix.periodic};
    if (!box.matrix.periodic)
      axis.couplings.front() = axis.couplings.back() = box.matrix.neumann ? 0.0 : 2.0;
    if (d == box.stretched) stretch(axis);
    system.axes.push_back(std::move(axis));
  }
  return system;
}

void measure_direct_ways(ExperimentRun& run) {
  ResultTable& table = run.add_table("direct", "direct solves, each way along the axes");
  const std::vector<Box> quick{{{{24, 24, 1}, true}}, {{{12, 10, 8}, false, true}}},
      full{{{{512, 512, 1}, true}},
           {{{2048, 2048, 1}, true}, true},
           {{{2048, 2048, 1}, false}, true},
           {{{2048, 2048, 1}, false, true}, true},
           {{{4096, 4096, 1}, true}, true},
           {{{64, 64, 64}, true}},
           {{{64, 64, 64}, false, true}},
           {{{128, 128, 128}, true}},
           {{{128, 128, 128}, false, true}},
           {{{256, 256, 256}, true}, true},
           {{{256, 256, 256}, false}, true},
           {{{256, 256, 256}, false, true}, true},
           {{{256, 256, 256}, true}, true, 0},
           {{{256, 256, 256}, true}, true, 1},
           {{{256, 256, 256}, false, true}, true, 0},
           {{{256, 256, 256}, false, true}, true, 1},
           {{{256, 256, 256}, false, true}, true, 2},
           {{{512, 512, 512}, true}, true},
           {{{512, 512, 512}, false, true}, true}};
  for (const Box& box : run.sizes(quick, full))
    run.on_each_device(box.text(), box.large, [&]<class Space>() {
      const std::vector<Methods> ways = ways_of<Space>(separable(box));
      for (const Methods& way : ways)
        measure_way<Space>(run, table, box, way, &way == &ways.front());
    });
}

}  // namespace hodge::tools::bench
