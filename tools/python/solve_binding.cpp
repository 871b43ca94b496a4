// hodge._hodge.solve: A x = b with the solvers of linalg, as `hodge solve` has them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/solve/solve.hpp"
#include "tools/python/bindings.hpp"

namespace nb = nanobind;

namespace hodge::python {
namespace {

template <class Value>
using List = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> span_of(const List<Value>& list) {
  return {list.data(), list.size()};
}

nb::dict dict_of(const linalg::SolveReport& report) {
  nb::dict d;
  d["converged"] = report.converged();
  d["status"] = linalg::to_string(report.status);
  d["text"] = linalg::describe(report);
  d["method"] = report.method;
  d["preconditioner"] = report.preconditioner;
  d["iterations"] = report.iterations;
  d["target"] = report.target;
  d["initial_residual"] = report.initial_residual;
  d["true_residual"] = report.true_residual;
  d["history"] = nb::cast(report.history);
  d["setup_seconds"] = report.setup_seconds;
  d["solve_seconds"] = report.solve_seconds;
  return d;
}

// x starts as the guess and is overwritten.
nb::dict solve(const List<int>& offsets, const List<int>& columns, const List<double>& values,
               const List<double>& b, nb::ndarray<double, nb::ndim<1>, nb::c_contig> x,
               const std::string& method, const std::string& preconditioner,
               const linalg::OptionValues& options, double tolerance, double absolute_tolerance,
               int max_iterations, const std::string& null_space, const std::string& device) {
  linalg::SolveReport report;
  {
    const nb::gil_scoped_release released;
    tools::SolveArguments arguments;
    arguments.method = method;
    arguments.preconditioner = preconditioner;
    arguments.options = options;
    arguments.tolerance = tolerance;
    arguments.absolute_tolerance = absolute_tolerance;
    arguments.max_iterations = max_iterations;
    arguments.null_space = null_space;
    tools::check(arguments);
    const auto rows = static_cast<int>(b.size());
    tools::System system;
    system.file.matrix = std::make_unique<tools::HostMatrix>(
        std::make_shared<const linalg::CsrPattern<linalg::Host>>(rows, rows, span_of(offsets),
                                                                 span_of(columns)));
    system.file.matrix->values().upload(span_of(values));
    system.facts = tools::facts_of(*system.file.matrix);
    system.b.assign(b.data(), b.data() + b.size());
    system.start.assign(x.data(), x.data() + x.size());
    const linalg::SolverSettings settings = tools::solver_settings(arguments, system.facts);
    linalg::on_device(device, [&]<class Space>() {
      tools::check_memory<Space>(settings, system);
      const tools::DeviceSystem<Space> on(arguments, system);
      linalg::Vector<Space> solution(on.start.size());
      solution = on.start;
      linalg::LinearSolver<Space> solver(settings, solution.size());
      report = solver.solve(*on.a, on.b, solution, on.options);
      solution.download(std::span(x.data(), x.size()));
    });
  }
  return dict_of(report);
}

}  // namespace

void bind_solve(nb::module_& module) {
  module.def("solve", &solve, nb::arg("offsets"), nb::arg("columns"), nb::arg("values"),
             nb::arg("b"), nb::arg("x"), nb::arg("method"), nb::arg("preconditioner"),
             nb::arg("options"), nb::arg("tolerance"), nb::arg("absolute_tolerance"),
             nb::arg("max_iterations"), nb::arg("null_space"), nb::arg("device"));
}

}  // namespace hodge::python
