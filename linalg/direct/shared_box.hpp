// How processes share the points of a box while a separable system on it is solved. The axes below
// the last one are transformed in whole layers across the last axis, the last axis in whole lines:
//
//   own       consecutive points, axis 0 fastest, as processes hold the rows of the system
//   layers    consecutive layers: the own points, rounded to the layers
//   lines     along the last axis; 3D: those of consecutive points of axis 1, 2D: of axis 0. 1D:
//             one process has the line
//   spectrum  of axes that are transformed together (box_fft.hpp): all entries of the others for a
//             range of the halved axis
//
// The moves, forward:
//
//   last axis                         axes below
//   by itself                         each by itself   own -> layers -> lines
//   by itself                         some together    own -> layers -> lines -> layers
//   together with others, not halved  the others       own -> layers -> spectrum
//   together with others, halved      the others       own -> layers -> lines -> spectrum
//
// Layers and lines are shared so that all values have the bits of one process: on the Host in whole
// blocks of the transforms (space/line_blocks.hpp), and where axes are transformed together in
// pairs of layers and of lines, because a library may transform two real lines as one complex one.
// A process may have no points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/direct/axis_choice.hpp"
#include "linalg/direct/axis_wave.hpp"
#include "linalg/direct/box_move.hpp"
#include "linalg/direct/box_part.hpp"
#include "linalg/direct/box_pass.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "linalg/space/line_blocks.hpp"

namespace hodge::linalg {

// The points that each process has: process p those from first[p] to first[p + 1] - 1.
struct SharedPoints {
  Communicator* processes = &one_process();
  std::vector<std::int64_t> first{};  // empty: one process has all points

  bool is_shared() const { return processes->size() > 1; }
  bool operator==(const SharedPoints&) const = default;
};

// Of a box whose points are the rows of a system.
SharedPoints points_of(Communicator& processes, const RowBlocks& blocks);
// Process after process has so many.
SharedPoints shared_points(Communicator& processes, std::int64_t own);

template <class Space>
class SharedBox {
 public:
  // Errors: ShapeError for points that are not those of the system, or for too many on one process.
  SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
            const SharedPoints& points);

  int own_points() const;
  // Of the largest part: own points, layers or lines.
  std::int64_t most_points() const;
  // False: each process has to solve the whole system (whole_points.hpp).
  bool is_divided() const;
  // Of the layers of this process, or of its lines where `axis` is the last one.
  AxisShape shape(std::size_t axis) const;
  // The points along an axis that the lines of this process have.
  IndexRange of_lines(std::size_t axis) const;

  // From own points to layers; null where all processes have their layers.
  template <class T>
  std::unique_ptr<MovePass<T>> to_layers() const;
  // Puts points in slots before they leave their layers; null where none change places, or not yet.
  template <class T>
  std::unique_ptr<BoxPass<T>> to_slots() const;
  // From layers to lines; null on one process, and where the spectrum moves in their place.
  template <class T>
  std::unique_ptr<MovePass<T>> to_lines() const;
  // Back to the layers of axes that are transformed together; null where they need no layers.
  template <class T>
  std::unique_ptr<MovePass<T>> to_layers_again() const;
  // Of the axes that are transformed together, whose layers travel in so many pieces.
  template <class T>
  BoxPart<T> part(int pieces = 1) const;
  // As many pieces as pay: each travels beside the transforms of the next one, where kernels write
  // to other GPUs (peer_move.hpp).
  template <class T>
  int pieces() const;

 private:
  using Cuts = std::vector<std::int64_t>;  // processes + 1 numbers

  // Layers whose slots follow one another, in a part and among all.
  struct SlotRun {
    std::int64_t in_part, in_all, count;
  };
  std::vector<SlotRun> runs_of(std::size_t process, int piece, int pieces) const;
  MovedStrips layers_to_spectrum(int piece, int pieces) const;
  // Of layers that are cut so.
  StripsOfProcesses lines_in_layers(const Cuts& layers) const;
  StripsOfProcesses layers_in_lines(const Cuts& layers) const;

  std::size_t last() const { return axes_ - 1; }
  bool has_lines() const {
    return processes_->size() > 1 && (!box_.is_split() || box_.begins_with_last());
  }
  // Whether axes are transformed together in layers, not in lines.
  bool has_box_in_layers() const { return box_.halved >= 0 && !box_.by_fft[last()]; }
  // The axis whose points divide the lines, and the points of all axes below it.
  std::size_t across() const { return axes_ == 2 ? 0 : 1; }
  int below_across() const { return axes_ == 3 ? points_[0] : 1; }
  int in_layer() const { return below_across() * points_[across()]; }
  // Lines along an axis that are side by side on one process, and that are transformed at once.
  int run(std::size_t axis) const;
  int block(std::size_t axis) const;
  // Of axis 0 in layers, of the last axis in points of across().
  int unit(std::size_t axis) const {
    return runs_of_block(run(axis), block(axis)) * (box_.halved >= 0 ? 2 : 1);
  }
  IndexRange own_range(const Cuts& cuts) const;

  Communicator* processes_;
  std::size_t axes_;
  std::vector<AxisMethod> methods_;
  std::array<int, 3> points_{1, 1, 1};
  BoxSpectrum box_;  // of the axes that are transformed together
  std::array<PointOrder, 3> orders_;
  Cuts own_;     // points
  Cuts layers_;  // layers
  Cuts lines_;   // points along across()
  Cuts halved_;  // entries along the halved axis of box_
};

}  // namespace hodge::linalg
