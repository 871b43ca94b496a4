// Reactions between the scalars of a problem, cell by cell over an interval of time:
//
//   dc_i/dt = r_i(x, y, z, t, c_1 .. c_n)          c_i in [c], r_i in [c]/T
//
// by an implicit Runge-Kutta method of fourth order (esdirk4.hpp), Newton's method with the exact
// derivatives of the rates, and Gaussian elimination of all cells at once. L-stable: rates may
// differ by any factor. Substeps are chosen so that the error of each stays below the tolerances
// (settings.hpp); cells are integrated in chunks, which share memory and their substeps. Cells
// whose state would not change are left out (active_cells.hpp). Sums that the rates keep are kept
// to rounding. Nothing is remembered from call to call.
//
// Processes that share the box integrate the chunks of the whole box (shared_chunks.hpp): fields
// and report have the bits of one process, also where it fails.
//
// Cost of a substep: five stages of two or three iterations, each n rates, the derivatives that are
// not zero and an elimination of n unknowns a cell. The host waits once an iteration, and only
// scalars come to it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/reactions/formulas.hpp"
#include "sim/discrete/reactions/reaction_failure.hpp"
#include "sim/discrete/reactions/shared_chunks.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

template <int Dim>
struct ReactionChunk;  // reaction_chunk.hpp

template <int Dim, class Space>
class Reactions {
 public:
  // `layout`: of the fields, all of the box or a part of it; then the constructor and react() are
  // collective. `rates` (of x, y, z, t and the scalars) has one for every scalar, 0 where it only
  // takes part in the rates of others; `names` is for messages. `bodies` must
  // outlive this object. Errors: ConfigError for more than most_scalars or settings out of range,
  // MemoryError.
  Reactions(const Grid& grid, const Layout<Dim>& layout, std::span<const Expression> rates,
            std::vector<std::string> names, const BodyView<Dim>& bodies = {},
            const ReactionSettings& settings = {});

  // Changes the fields, which share the layout, from t to t + dt in the fluid cells; ghosts stay as
  // they are. Where it fails, all are as before. dt > 0.
  [[nodiscard]] ReactionReport react(double t, double dt, std::span<const FieldView<Dim>> scalars);

 private:
  using Share = ChunkShare<Dim>;
  ReactionChunk<Dim> chunk_of(const Box<Dim>& box, std::span<const FieldView<Dim>> scalars);
  bool integrate(const Share& share, ReactionChunk<Dim> chunk, double t, double dt,
                 ReactionReport& report);
  void copy_scalars(std::span<const FieldView<Dim>> scalars, bool save);
  double attempt(const Share& share, const ReactionChunk<Dim>& chunk, double t, double h,
                 ReactionReport& report);
  ReactionFailure failure(const Share& share, const ReactionChunk<Dim>& chunk, double t, double h,
                          double error);

  Grid grid_;
  Layout<Dim> layout_;
  ReactionFormulas formulas_;
  std::vector<std::string> names_;
  BodyView<Dim> bodies_;
  ReactionSettings settings_;

  std::vector<Share> chunks_;  // with cells of this process
  int capacity_ = 0;           // cells of the largest share
  DeviceFormulas<Space> device_formulas_;
  linalg::Buffer<double, Space> centres_;  // of all cells of the box on every axis, one by one
  linalg::Buffer<double, Space> saved_;    // the unknown scalars at the start of a call, padded
  linalg::Buffer<double, Space> rates_, matrix_, right_, change_, results_;
  linalg::Buffer<int, Space> singular_, active_, lines_;
};

extern template class Reactions<2, linalg::Host>;
extern template class Reactions<3, linalg::Host>;
#if HODGE_HAS_CUDA
extern template class Reactions<2, linalg::Cuda>;
extern template class Reactions<3, linalg::Cuda>;
#endif

// Bytes that Reactions allocates in its space, where a padded field has `padded` values.
std::size_t reaction_memory(const Grid& grid, std::span<const Expression> rates, std::size_t padded,
                            const ReactionSettings& settings = {});

}  // namespace hodge::sim
