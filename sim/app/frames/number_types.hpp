// The types of numbers that VTK XML files have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hodge::sim {

struct NumberType {
  std::string_view name;
  std::uint64_t bytes;
  // `swaps`: the bytes of every number stand in the other order.
  void (*to_doubles)(const char* from, bool swaps, double* to, std::size_t count);
  // Reads one number from `from`; null where there is none of this type.
  const char* (*read)(const char* from, const char* end, double& to);
};

// Null where there is none of this name: "Float32".
const NumberType* number_type(std::string_view name);
std::vector<std::string> number_type_names();

}  // namespace hodge::sim
