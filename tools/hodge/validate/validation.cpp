#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

std::span<const Validation> validation_table() {
  static const Validation table[] = {
      brusselator_validation,         heated_cavity_validation,   lid_driven_cavity_validation,
      manufactured_scalar_validation, rayleigh_benard_validation, robertson_validation,
      rotating_cone_validation,       smith_hutton_validation,    taylor_green_validation,
  };
  return table;
}

const Validation* find_validation(std::string_view name) {
  for (const Validation& entry : validation_table()) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace hodge::tools
