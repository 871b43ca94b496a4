#include "cases/registry.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  static const Case table[] = {
      heated_cavity, lid_driven_cavity, manufactured_scalar, rayleigh_benard,
      rotating_cone, smith_hutton,      taylor_green,
  };
  return table;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace hodge::cases
