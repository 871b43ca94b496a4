// The state of a flow that processes share, in the files of process 0: a StateVisitor for all of
// them. Parts that all have alike are read there and sent to the others; pieces of lists are
// brought together, or sent to those who have them. A checkpoint is therefore the same for any
// number of processes. Collective; lists pass through process 0 piece after piece, so that no
// process has all of one.
//
// An error of the file ends the visit in all processes: in process 0 it is thrown on, in the others
// it is StateRefused.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/communicator.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

struct StateRefused : IoError {
  StateRefused() : IoError("process 0 has refused the state") {}
};

class SharedState final : public StateVisitor {
 public:
  // In process 0, with the file; in the others.
  SharedState(linalg::Communicator& processes, StateVisitor& file);
  SharedState(linalg::Communicator& processes, bool restores);

  bool restores() const override { return restores_; }
  void visit_part(const std::string& name, StatePart part) override;
  void visit_piece(const std::string& name, std::span<double> values,
                   const StatePiece& piece) override;
  void visit_rows(const std::string& name, std::vector<double>& values) override;
  std::string subject(const std::string& name) const override;

 private:
  bool is_first() const { return processes_.rank() == 0; }
  void in_first(const std::function<void()>& action);
  void broadcast(StatePart part);
  // `values` are `range` of a list of `total` values.
  void visit_shared(const std::string& name, std::span<double> values, RangedList::Range range,
                    std::size_t total);

  linalg::Communicator& processes_;
  StateVisitor* file_;  // in process 0
  bool restores_;
};

}  // namespace hodge::sim
