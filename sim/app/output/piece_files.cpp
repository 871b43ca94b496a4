#include "sim/app/output/piece_files.hpp"

#include <string>
#include <utility>

#include "linalg/space/device.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/frame_threads.hpp"

namespace hodge::sim {

bool are_in_pieces(const Settings& settings, const Grid& grid) {
  const std::string& pieces = settings.output.pieces;
  if (settings.output.encoding == "vtkhdf") return false;  // one file, by process 0
  return pieces == "always" || (pieces == "auto" && grid.cell_count() >= cells_of_pieces);
}

PieceFiles::PieceFiles(const Settings& settings, const Grid& grid, const PieceLayers& layers)
    : directory_(settings.output.directory),
      run_name_(settings.run_name()),
      grid_(grid),
      layers_(layers),
      encoding_(frame_encoding(settings.output.encoding)),
      threads_(frame_threads(linalg::chosen_gpu(settings.device) < 0)),
      queue_([this](const std::filesystem::path& path, const Frame& frame) {
        write_frame(path, {grid_, layers_.first, layers_.behind}, frame, threads_, encoding_);
      }) {}

void PieceFiles::submit(long number, Frame frame) {
  queue_.add(directory_ / piece_name(run_name_, frame_number(number), std::to_string(layers_.piece),
                                     frame_extension(grid_)),
             std::move(frame));
}

std::unique_ptr<PieceWriter> make_piece_files(const Settings& settings, const Grid& grid,
                                              const PieceLayers& layers) {
  return std::make_unique<PieceFiles>(settings, grid, layers);
}

}  // namespace hodge::sim
