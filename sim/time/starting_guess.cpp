#include "sim/time/starting_guess.hpp"

#include "linalg/base/errors.hpp"

namespace hodge::sim {

std::span<const GuessEntry> guess_table() {
  static const GuessEntry table[] = {
      {"scheme", "what the time scheme has at hand", GuessKind::scheme},
      {"zero", "an increment of zero", GuessKind::zero},
      {"previous", "the increment of the step before", GuessKind::previous},
      {"extrapolated", "the last two increments, extrapolated in time", GuessKind::extrapolated},
      {"projected", "the best combination of the last increments", GuessKind::projected},
  };
  return table;
}

GuessKind guess_kind(const std::string& name) {
  std::string known;
  for (const GuessEntry& entry : guess_table()) {
    if (name == entry.name) return entry.kind;
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw ConfigError("unknown guess '" + name + "', expected one of: " + known);
}

std::string identity(const SystemSettings& solver) {
  return solver.method + " " + solver.preconditioner.kind + " " + solver.refresh + " " +
         solver.guess + " " + std::to_string(solver.guess_vectors);
}

int kept_solutions(const GuessPlan& plan) {
  if (plan.asks_for(GuessKind::projected) && plan.projection == Projection::residual)
    return std::max(2, plan.vectors);
  if (plan.asks_for(GuessKind::extrapolated)) return 2;
  return plan.asks_for(GuessKind::previous) ? 1 : 0;
}

std::size_t guess_memory(const GuessPlan& plan, std::size_t rows) {
  auto vectors = static_cast<std::size_t>(kept_solutions(plan));
  if (plan.asks_for(GuessKind::projected))
    vectors +=
        static_cast<std::size_t>(plan.vectors) + (plan.projection == Projection::energy ? 1 : 0);
  return vectors * rows * sizeof(double);
}

std::size_t guess_state_bytes(const GuessPlan& plan, std::size_t rows) {
  const int vectors = kept_solutions(plan) + (plan.keeps_basis() ? plan.vectors : 0);
  return static_cast<std::size_t>(vectors) * rows * sizeof(double);
}

}  // namespace hodge::sim
