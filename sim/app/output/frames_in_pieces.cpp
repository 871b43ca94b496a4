#include "sim/app/output/frames_in_pieces.hpp"

#include <string>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/frame_names.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

constexpr double seconds_between_questions = 1;

}  // namespace

void remove_uncounted(const fs::path& frame, const Grid& grid, const Manifest& listed) {
  const fs::path run = frame.parent_path().parent_path(), folder = folder_of_pieces(frame);
  const auto remove_listed = [&](const fs::path& path) {
    if (listed.lists(path.lexically_relative(run).generic_string())) remove_file(path);
  };
  remove_listed(fs::path(frame).replace_extension(index_extension(grid)));
  if (is_frame_index(frame))
    remove_listed(fs::path(frame).replace_extension(frame_extension(grid)));
  const std::string piece =
      "frames/" + piece_of_frame(frame.stem().string(), "0", frame_extension(grid));
  if (!listed.lists(piece) || !fs::is_directory(status_of_link(folder))) return;
  for (const fs::path& path : entries_of(folder)) remove_listed(path);
  std::error_code has_files_of_others;
  if (!is_frame_index(frame)) fs::remove(folder, has_files_of_others);
}

FramesInPieces::FramesInPieces(std::unique_ptr<FramePieces> pieces, const Grid& grid,
                               FrameCollection& collection)
    : pieces_(std::move(pieces)), grid_(grid), collection_(collection) {}

PieceReport FramesInPieces::begin(const fs::path& frame, long number, const Flow& flow,
                                  const OutputSettings& output) {
  attempt_on("make the directory", folder_of_pieces(frame), [&](std::error_code& error) {
    return fs::create_directory(folder_of_pieces(frame), error);
  });
  PieceReport report = pieces_->write(number, output.fields, output.precision);
  since_asked_.restart();
  if (!report.error.empty()) return report;
  Pending next{{frame, flow.step(), flow.time()}, report.arrays};
  for (const FrameArrayType& array : next.arrays)
    if (!array.is_single) next.frame.doubles.push_back(array.name);
  pending_.push_back(std::move(next));
  return report;
}

void FramesInPieces::take(const PieceReport& report) {
  for (; !pending_.empty() && listed_ < report.landed; ++listed_) {
    const Pending& next = pending_.front();
    write_frame_index(next.frame.path, grid_, next.arrays, pieces_->first_layers());
    collection_.add(next.frame);
    pending_.pop_front();
  }
  if (!report.error.empty()) throw IoError(report.error);
}

void FramesInPieces::check() {
  if (pending_.empty() || since_asked_.seconds() < seconds_between_questions) return;
  since_asked_.restart();
  take(pieces_->check());
}

}  // namespace hodge::sim
