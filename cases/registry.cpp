#include "cases/registry.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  static const Case table[] = {brusselator, brusselator_line, lid_driven_cavity, robertson,
                               taylor_green};
  return table;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace hodge::cases
