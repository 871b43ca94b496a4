// The module hodge._hodge, and its exceptions: those of hodge/errors.py.
#include <nanobind/nanobind.h>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "linalg/version.hpp"
#include "sim/app/run/provenance.hpp"
#include "tools/hodge/program/commit.hpp"
#include "tools/python/bindings.hpp"

namespace nb = nanobind;

namespace hodge::python {
namespace {

const char* class_of(const Error& error) {
  if (dynamic_cast<const ConfigError*>(&error) != nullptr) return "ConfigError";
  if (dynamic_cast<const ShapeError*>(&error) != nullptr) return "ShapeError";
  if (dynamic_cast<const NumericalError*>(&error) != nullptr) return "NumericalError";
  if (dynamic_cast<const MemoryError*>(&error) != nullptr) return "MemoryError";
  if (dynamic_cast<const DeviceError*>(&error) != nullptr) return "DeviceError";
  if (dynamic_cast<const IoError*>(&error) != nullptr) return "IoError";
  return "Error";
}

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("hodge.errors").attr(class_of(error));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace
}  // namespace hodge::python

NB_MODULE(_hodge, module) {
  using namespace hodge;
  nb::set_leak_warnings(false);  // a program may end with runs that are open
  nb::register_exception_translator(python::translate);
  module.attr("__version__") = version;
  module.attr("commit") = tools::commit();
  module.attr("has_cuda") = !sim::cuda_toolkit_version().empty();
  python::bind_processes(module);
  python::bind_run(module);
  python::bind_frames(module);
  python::bind_solve(module);
}
