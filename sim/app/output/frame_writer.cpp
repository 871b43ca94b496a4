#include "sim/app/output/frame_writer.hpp"

#include <algorithm>
#include <utility>

#include "sim/app/output/frame_names.hpp"

namespace hodge::sim {
namespace {

FrameCollection collection_of(const std::filesystem::path& directory, const std::string& run_name,
                              const FrameBackground& background) {
  if (!background.in_one_file) return {directory, run_name, background.note};
  return {directory, run_name, background.note,
          VtkhdfFile(directory / (run_name + VtkhdfFile::extension))};
}

}  // namespace

FrameWriter::FrameWriter(std::filesystem::path directory, std::string run_name, Grid grid,
                         FrameBackground background)
    : directory_(std::move(directory)),
      run_name_(std::move(run_name)),
      grid_(std::move(grid)),
      background_(std::move(background)),
      listed_(Manifest::read(directory_).value_or(Manifest())),
      collection_(collection_of(directory_, run_name_, background_)),
      queue_([this](const std::filesystem::path& path, const Frame& frame) {
        write_file(path, frame);
      }) {}

void FrameWriter::write_in_pieces(std::unique_ptr<FramePieces> pieces) {
  if (pieces) pieces_ = std::make_unique<FramesInPieces>(std::move(pieces), grid_, collection_);
}

void FrameWriter::write(const Flow& flow, const OutputSettings& output) {
  if (pieces_) {
    const std::filesystem::path frame = next_frame();
    remove_uncounted(frame, grid_, listed_);
    const PieceReport report = pieces_->begin(frame, submitted_, flow, output);
    if (report.error.empty()) ++submitted_;
    return pieces_->take(report);
  }
  Frame frame = blank();
  flow.fill(frame, output.fields, output.precision);
  submit(std::move(frame));
}

std::filesystem::path FrameWriter::submit(Frame frame) {
  std::filesystem::path path = next_frame();
  if (!background_.in_one_file) remove_uncounted(path, grid_, listed_);
  queue_.submit(path, std::move(frame));
  ++submitted_;
  return path;
}

void FrameWriter::check() {
  pieces_ ? pieces_->check() : queue_.check();
}

void FrameWriter::finish() {
  pieces_ ? pieces_->finish() : queue_.finish();
}

void FrameWriter::try_again() {
  pieces_ ? pieces_->try_again() : queue_.try_again();
}

void FrameWriter::visit_state(StateVisitor& visitor, long step, double time) {
  constexpr long most = 1'000'000'000;
  visitor.visit("submitted", submitted_, {0, static_cast<int>(std::min(step + 1, most))});
  collection_.visit_state(visitor, submitted_, step, time);
}

std::filesystem::path FrameWriter::next_frame() const {
  if (background_.in_one_file) return collection_.path();
  const std::string extension =
      pieces_ ? index_extension(grid_) : std::string(frame_extension(grid_));
  return directory_ / frame_name(run_name_, frame_number(submitted_), extension);
}

// In the thread of the queue.
void FrameWriter::write_file(const std::filesystem::path& path, const Frame& frame) {
  if (VtkhdfFile* const one = collection_.one_file())
    one->append(grid_, frame, background_.threads);
  else
    write_frame(path, grid_, frame, background_.threads, background_.encoding);
  LandedFrame landed{path, frame.step, frame.time};
  for (const FrameArray& array : frame.arrays)
    if (!array.is_single) landed.doubles.push_back(array.name);
  collection_.add(landed);
}

}  // namespace hodge::sim
