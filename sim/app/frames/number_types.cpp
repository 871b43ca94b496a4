#include "sim/app/frames/number_types.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <type_traits>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

template <class T>
void to_doubles(const char* from, bool swaps, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, from += sizeof(T)) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if (swaps) std::ranges::reverse(bytes);
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

template <class T>
const char* read_number(const char* from, const char* end, double& to) {
  if (from != end && *from == '+') ++from;
  T value = 0;
  auto [behind, error] = std::from_chars(from, end, value);
  if constexpr (std::is_floating_point_v<T>) {
    // Less than the least number of the type is 0.
    if (error == std::errc::result_out_of_range) {
      const std::string word(from, behind);
      value = static_cast<T>(std::strtold(word.c_str(), nullptr));
      if (std::abs(value) < 1) error = std::errc();
    }
  }
  if (error != std::errc()) return nullptr;
  to = static_cast<double>(value);
  return behind;
}

template <class T>
constexpr NumberType described(std::string_view name) {
  return {name, sizeof(T), to_doubles<T>, read_number<T>};
}

constexpr std::array<NumberType, 10> number_types{
    described<float>("Float32"),      described<double>("Float64"),
    described<std::int8_t>("Int8"),   described<std::uint8_t>("UInt8"),
    described<std::int16_t>("Int16"), described<std::uint16_t>("UInt16"),
    described<std::int32_t>("Int32"), described<std::uint32_t>("UInt32"),
    described<std::int64_t>("Int64"), described<std::uint64_t>("UInt64")};

}  // namespace

const NumberType* number_type(std::string_view name) {
  const auto found = std::ranges::find(number_types, name, &NumberType::name);
  return found == number_types.end() ? nullptr : &*found;
}

std::vector<std::string> number_type_names() {
  return names_of(number_types);
}

}  // namespace hodge::sim
