#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

std::span<const Validation> validation_table() {
  static const Validation table[] = {
      poiseuille_validation,
      duct_validation,
      oscillating_flow_validation,
      taylor_green_validation,
      kovasznay_validation,
      ethier_steinman_validation,
      lid_driven_cavity_validation,
      lid_driven_cavity_3d_validation,
      backward_facing_step_validation,
      taylor_green_3d_validation,
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
