// The pieces of frames that this process writes: frames/cavity_000012/cavity_000012_3.vti. Their
// folder has to be there.
#pragma once

#include <memory>

#include "sim/app/output/frame_queue.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/flow/frame_pieces.hpp"

namespace hodge::sim {

// `output.pieces: auto` begins here: a frame of velocity, pressure and vorticity has 1.9 GB then.
inline constexpr long long cells_of_pieces = 1LL << 26;

// Whether several processes write frames of this grid in pieces.
bool are_in_pieces(const Settings& settings, const Grid& grid);

class PieceFiles final : public PieceWriter {
 public:
  PieceFiles(const Settings& settings, const Grid& grid, const PieceLayers& layers);

  Frame blank() override { return queue_.blank(); }
  void submit(long number, Frame frame) override;
  void check() override { queue_.check(); }
  void finish() override { queue_.finish(); }
  void try_again() override { queue_.try_again(); }
  long landed() const override { return queue_.written(); }

 private:
  std::filesystem::path directory_;
  std::string run_name_;
  Grid grid_;
  PieceLayers layers_;
  FrameEncoding encoding_;
  int threads_;
  FrameQueue queue_;  // last: its thread uses all of the above
};

std::unique_ptr<PieceWriter> make_piece_files(const Settings& settings, const Grid& grid,
                                              const PieceLayers& layers);

}  // namespace hodge::sim
