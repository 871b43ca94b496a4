// hodge._hodge.rank, size, together, end_together: a script that mpirun has started several times.
#include <nanobind/nanobind.h>
#include <omp.h>

#include <cstdlib>
#include <string>

#include "cases/registry.hpp"
#include "linalg/processes/all_processes.hpp"
#include "tools/python/bindings.hpp"

namespace nb = nanobind;

namespace hodge::python {

sim::ProcessesOfOneProgram& processes() {
  static sim::ProcessesOfOneProgram* const all = [] {  // MPI ends with end_together()
    auto* const started = new sim::ProcessesOfOneProgram(cases::known_cases());
    if (started->size() > 1 && std::getenv("OMP_NUM_THREADS") == nullptr)
      omp_set_num_threads(linalg::fair_threads(linalg::all_processes()));
    return started;
  }();
  return *all;
}

namespace {

// action() -> bytes, which is that of process 0, is called there alone.
nb::bytes together(const nb::callable& action) {
  const std::string text = [&] {
    const nb::gil_scoped_release released;
    return processes().together([&] {
      const nb::gil_scoped_acquire held;
      const nb::bytes answer = nb::cast<nb::bytes>(action());
      return std::string(answer.c_str(), answer.size());
    });
  }();
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_processes(nb::module_& module) {
  module.def("rank", [] { return processes().rank(); });
  module.def("size", [] { return processes().size(); });
  module.def("together", &together, nb::arg("action"));
  module.def("end_together", [] {
    const nb::gil_scoped_release released;
    processes().end();
  });
}

}  // namespace hodge::python
