// The pieces of frames that processes write (flow/frame_pieces.hpp), as process 0 leads them: its
// calls are orders (flow_order.hpp), and all processes report together what became of their pieces.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/processes/flow_order.hpp"
#include "sim/processes/leading_flow.hpp"
#include "sim/processes/sharers.hpp"

namespace hodge::sim {

// The writer of this process, which must have a part; where it has no layers, one that writes
// nothing and for which every piece has landed.
std::unique_ptr<PieceWriter> make_own_pieces(Sharers& sharers, const Settings& settings,
                                             const Grid& grid, const MakePieceWriter& make);

// Collective among the processes with parts. Each begins to write its piece of the present fields,
// unless one of them reports an error. The names are fields, and last the precision. Any exception
// of the writer is an error of the report, so that all processes go on together.
PieceReport write_piece(linalg::Communicator& sharers, PieceWriter& own, const Flow& part,
                        long number, std::vector<std::string> names);

// What FramePieces asks of all processes.
enum class PieceRequest { check, finish, try_again };
PieceReport ask_for_pieces(linalg::Communicator& sharers, PieceWriter& own, PieceRequest request);

// In process 0, of the flow with this number.
class LeadingPieces final : public FramePieces {
 public:
  LeadingPieces(FlowLeader& leader, Sharers& sharers, std::int64_t flow, const Flow& part,
                std::unique_ptr<PieceWriter> own);
  ~LeadingPieces() override;
  LeadingPieces(const LeadingPieces&) = delete;
  LeadingPieces& operator=(const LeadingPieces&) = delete;

  const std::vector<int>& first_layers() const override { return sharers_.slabs().first_layers(); }
  PieceReport write(long number, const std::vector<std::string>& names,
                    const std::string& precision) override;
  PieceReport check() override { return ask(PieceRequest::check); }
  PieceReport finish() override { return ask(PieceRequest::finish); }
  PieceReport try_again() override { return ask(PieceRequest::try_again); }

 private:
  PieceReport ask(PieceRequest request);

  FlowLeader& leader_;
  Sharers& sharers_;
  std::int64_t flow_;
  const Flow& part_;
  std::unique_ptr<PieceWriter> own_;
};

}  // namespace hodge::sim
