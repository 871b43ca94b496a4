// Frames in pieces: each of the processes that share a flow writes the cells that it has into a
// file of its own, beside the steps, and process 0 brings the pieces together once all of them are
// on the disk.
//
// The pieces of a frame are layers of cells across the last axis. A process knows only its own
// files; FramePieces is what process 0 knows of all of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// The piece that a process has of every frame: its number, and its layers of cells along the last
// axis, from the first one to one behind the last.
struct PieceLayers {
  int piece = 0;
  int first = 0, behind = 0;
};

// Writes the pieces of one process. Its files are written in the background, in their order. A
// piece that could not be written waits: from then on blank(), check() and finish() throw its error
// until try_again().
class PieceWriter {
 public:
  virtual ~PieceWriter() = default;
  // A frame to fill; waits until there is memory for one more.
  virtual Frame blank() = 0;
  // Begins to write a frame of blank(): the piece of the frame with this number. Waits for nothing.
  virtual void submit(long number, Frame frame) = 0;
  virtual void check() = 0;
  virtual void finish() = 0;  // waits until every piece is on the disk
  virtual void try_again() = 0;
  virtual long landed() const = 0;  // how many pieces are on the disk
};

using MakePieceWriter = std::function<std::unique_ptr<PieceWriter>(
    const Settings& settings, const Grid& grid, const PieceLayers& layers)>;

// What all processes know together.
struct PieceReport {
  long landed = 0;                       // frames whose pieces are all on the disk
  std::string error{};                   // of a piece that could not be written; empty: none
  std::vector<FrameArrayType> arrays{};  // of a frame that is being written
};

class FramePieces {
 public:
  virtual ~FramePieces() = default;
  // The first layer of each piece, and one behind the last layer of the grid. A piece without
  // layers is not written.
  virtual const std::vector<int>& first_layers() const = 0;
  // Takes the present fields, and begins to write them as the frame with this number, unless the
  // report has an error. Waits until every process has memory for one more piece.
  virtual PieceReport write(long number, const std::vector<std::string>& names,
                            const std::string& precision) = 0;
  // As those of PieceWriter, in all processes.
  virtual PieceReport check() = 0;
  virtual PieceReport finish() = 0;
  virtual PieceReport try_again() = 0;
};

}  // namespace hodge::sim
