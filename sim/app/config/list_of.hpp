// A std::vector of a type that is defined later, as a member that is empty by default.
//
// With `std::vector<Later> list{};` Clang 14 asks for the whole type where the member stands: the
// default constructor of std::vector is constexpr, and this one is not.
#pragma once

#include <utility>
#include <vector>

namespace hodge::sim {

template <class Value>
struct ListOf : std::vector<Value> {
  using std::vector<Value>::vector;
  ListOf() {}
  ListOf(std::vector<Value> values) : std::vector<Value>(std::move(values)) {}
};

}  // namespace hodge::sim
