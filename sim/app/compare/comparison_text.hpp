// The results of a comparison: for each kind of system a ranking, the accuracy of the solutions,
// and one line of advice.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/table.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/compare/ranking.hpp"

namespace hodge::sim {

// The rankings with their failures and the advice, for a terminal. `steps_seconds`: of the compared
// steps as a whole, without what comparing took; 0: not known.
std::string comparison_text(std::span<const ComparedSystem> systems, double steps_seconds = 0);

// The same as Markdown, with a table of residuals and errors of each kind.
std::string comparison_markdown(std::span<const ComparedSystem> systems, double steps_seconds = 0);

// One line: which solver to take, what part of the steps that saves, and what to put in the file.
// "pressure: cg + jacobi takes 2.3 ms a solve, 1.80 times faster than the configured ..., and saves
// 12 % of a step; put this in the file: solvers: {pressure: {...}}". `ranked` as ranking() gives
// it, not empty.
std::string solver_advice(const std::vector<RankedSolver>& ranked, SystemKind kind,
                          double steps_seconds = 0);

// What starting guesses, and rebuilding the preconditioner in every step or keeping it, are worth
// with the configured solver.
//
// One row per kind of guess: medians of |b - A x0| / |b| and of iterations, milliseconds of a solve
// and of making the guess. None where no guesses were compared.
std::optional<Table> guess_savings(std::span<const ComparedSystem> systems, SystemKind kind);

// Two rows: made anew, and kept from the first compared step. None where A never changes.
std::optional<Table> refresh_costs(std::span<const ComparedSystem> systems, SystemKind kind);

}  // namespace hodge::sim
