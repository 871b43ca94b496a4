#include "cases/registry.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  static const Case table[] = {
      backward_facing_step, duct,       ethier_steinman, kovasznay,       lid_driven_cavity,
      oscillating_flow,     poiseuille, taylor_green,    taylor_green_3d,
  };
  return table;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace hodge::cases
