// Formulas as programs (instructions.hpp) in the memory of a space.
#pragma once

#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/base/formulas/instructions.hpp"
#include "sim/base/formulas/program_traits.hpp"

namespace hodge::sim {

// Several programs in the memory of a space, one after the other.
template <class Space>
class Programs {
 public:
  Programs() = default;
  explicit Programs(const std::vector<std::span<const Instruction>>& programs) {
    std::vector<Instruction> all;
    for (const auto& program : programs) {
      offsets_.push_back(static_cast<int>(all.size()));
      sizes_.push_back(static_cast<int>(program.size()));
      traits_.push_back(program_traits(program));
      all.insert(all.end(), program.begin(), program.end());
    }
    if (!all.empty())
      instructions_ = linalg::Buffer<Instruction, Space>(std::span<const Instruction>(all));
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  ProgramView view(int i) const {
    return {instructions_.data() + offsets_[i], sizes_[i], traits_[i]};
  }

 private:
  linalg::Buffer<Instruction, Space> instructions_;
  std::vector<int> offsets_, sizes_;
  std::vector<ProgramTraits> traits_;
};

}  // namespace hodge::sim
