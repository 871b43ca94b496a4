// The rates of reactions and their exact derivatives.
//
//   r_i(x, y, z, t, c_1 .. c_n),   J_ij = dr_i / dc_j
//
// A scalar whose rate is zero takes part in the rates of others but is no unknown. Only derivatives
// that are not zero everywhere are kept.
#pragma once

#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

inline constexpr int most_scalars = 32;  // of a problem with reactions

struct JacobianEntry {
  int row = 0, column = 0;  // both number unknowns
};

struct ReactionFormulas {
  int scalars = 0;
  std::vector<int> reacting;  // the scalars that are unknowns
  std::vector<Expression> rates;
  std::vector<JacobianEntry> entries;
  std::vector<Expression> derivatives;  // of the entries
  bool autonomous = true;               // no rate has t in it

  int unknowns() const { return static_cast<int>(reacting.size()); }
};

// `rates` has one for every scalar. Errors: ConfigError for more than most_scalars.
ReactionFormulas reaction_formulas(std::span<const Expression> rates);

// One for every scalar of the problem, 0 where it has no reaction; none where none has.
std::vector<Expression> reaction_rates(const Problem& problem);

struct FormulasView {
  int scalars, unknowns, entries;
  const int* reacting;
  const ProgramView* rates;
  const ProgramView* derivatives;
  const JacobianEntry* entry;
  bool autonomous;
};

template <class Space>
class DeviceFormulas {
 public:
  explicit DeviceFormulas(const ReactionFormulas& formulas)
      : scalars_(formulas.scalars),
        autonomous_(formulas.autonomous),
        programs_(instructions_of(formulas)),
        reacting_(std::span<const int>(formulas.reacting)),
        entries_(std::span<const JacobianEntry>(formulas.entries)) {
    std::vector<ProgramView> views;
    for (int i = 0; i < programs_.count(); ++i) views.push_back(programs_.view(i));
    views_ = linalg::Buffer<ProgramView, Space>(std::span<const ProgramView>(views));
  }

  FormulasView view() const {
    const int unknowns = static_cast<int>(reacting_.size());
    return {scalars_,         unknowns,      static_cast<int>(entries_.size()),
            reacting_.data(), views_.data(), views_.data() + unknowns,
            entries_.data(),  autonomous_};
  }

 private:
  static std::vector<std::span<const Instruction>> instructions_of(
      const ReactionFormulas& formulas) {
    std::vector<std::span<const Instruction>> programs;
    for (const Expression& rate : formulas.rates) programs.push_back(rate.instructions());
    for (const Expression& d : formulas.derivatives) programs.push_back(d.instructions());
    return programs;
  }

  int scalars_;
  bool autonomous_;
  Programs<Space> programs_;
  linalg::Buffer<int, Space> reacting_;
  linalg::Buffer<JacobianEntry, Space> entries_;
  linalg::Buffer<ProgramView, Space> views_;  // rates, then derivatives
};

}  // namespace hodge::sim
