// The fields that a frame may hold.
#pragma once

#include <array>

namespace hodge::sim {

struct OutputField {
  const char* name;
  const char* description;
};

inline constexpr std::array<OutputField, 4> output_fields{{
    {"velocity", "at cell centres, 3 components"},
    {"pressure", "at cell centres, its mean removed where only differences matter"},
    {"vorticity", "curl of the velocity at cell centres; in 2D its z component"},
    {"solid", "0 in the fluid, in a solid the number of its body, from 1"},
}};

inline constexpr const std::array<OutputField, 4>& output_field_table() {
  return output_fields;
}

}  // namespace hodge::sim
