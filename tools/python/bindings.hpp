// The parts of the module hodge._hodge. What it binds are the facade of sim
// (sim/app/simulation.hpp) and the linear solvers; the package in hodge/ makes Python of it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/app/simulation.hpp"

namespace hodge::python {

// A NumPy array that owns its numbers. Without a shape: along one axis; strides in numbers.
inline nanobind::object array_of(std::vector<double> values, std::vector<std::size_t> shape = {},
                                 std::vector<std::int64_t> strides = {}) {
  auto* const kept = new std::vector<double>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  if (shape.empty()) {
    shape = {kept->size()};
    strides = {1};
  }
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, double>(
      kept->data(), shape.size(), shape.data(), owner, strides.data()));
}

sim::ProcessesOfOneProgram& processes();  // started with the first call
void bind_processes(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_frames(nanobind::module_& module);
void bind_solve(nanobind::module_& module);

}  // namespace hodge::python
