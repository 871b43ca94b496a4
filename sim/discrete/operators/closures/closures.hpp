// The closures of large-eddy simulation: a new one is a file beside this one and its name below.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <tuple>

#include "sim/discrete/operators/closures/dynamic_smagorinsky.hpp"
#include "sim/discrete/operators/closures/sigma.hpp"
#include "sim/discrete/operators/closures/smagorinsky.hpp"
#include "sim/discrete/operators/closures/vreman.hpp"
#include "sim/discrete/operators/closures/wale.hpp"

namespace hodge::sim {

using Closures = std::tuple<SmagorinskyClosure, DynamicSmagorinskyClosure, WaleClosure,
                            VremanClosure, SigmaClosure>;

inline constexpr auto closure_rows =
    std::apply([](auto... closure) { return std::array{decltype(closure)::row...}; }, Closures{});

constexpr std::span<const Closure> closure_table() {
  return closure_rows;
}

// Whether a model has a constant of its own in each cell; false of an unknown one.
constexpr bool is_dynamic(std::string_view model) {
  for (const Closure& closure : closure_table())
    if (model == closure.name) return closure.is_dynamic;
  return false;
}

// visit(closure), of the struct with this name; false where there is none.
template <class Visit>
bool with_closure(std::string_view name, Visit visit) {
  return std::apply(
      [&](auto... closure) {
        return ((name == decltype(closure)::row.name ? (visit(closure), true) : false) || ...);
      },
      Closures{});
}

}  // namespace hodge::sim
