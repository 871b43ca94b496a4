// What the run's habits are worth, by the configured solver: which starting guess, and a
// preconditioner that is made anew at every step or kept.
#pragma once

#include <optional>
#include <span>

#include "sim/base/table.hpp"
#include "sim/compare/compared_system.hpp"

namespace hodge::sim {

// A row a kind of guess: medians of |b - A x0| / |b| and of iterations, milliseconds of a solve and
// of making the guess. None where no guesses were compared.
std::optional<Table> guess_savings(std::span<const ComparedSystem> systems, SystemKind kind);

// Two rows: made anew, and kept from the first compared step. None where A never changes.
std::optional<Table> refresh_costs(std::span<const ComparedSystem> systems, SystemKind kind);

}  // namespace hodge::sim
