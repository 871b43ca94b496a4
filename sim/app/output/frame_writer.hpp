// Writes the frames of a run while the next steps go on: frames/<case>_000000.vti, ... and
// <case>.pvd.
//
// One background thread, with others that pack (frame_threads.hpp). At most three frames are in
// memory: one that is made, one that waits, one that is written; blank() waits while there are
// more. A frame enters the .pvd once its file is on the disk, and counts once both are. A frame
// that could not be written waits: from then on check(), submit() and finish() throw its error
// (IoError), until try_again(). So no frame is left out, and finish() succeeds only where every
// frame counts.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/app/output/pvd.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// A frame that counts.
struct LandedFrame {
  std::filesystem::path path;
  long step = 0;
  double time = 0;
  std::vector<std::string> doubles{};  // the arrays in double precision
};

struct FrameBackground {
  FrameEncoding encoding = FrameEncoding::appended;
  int threads = 1;                                                    // that pack
  std::function<void(const LandedFrame&)> note = [](const auto&) {};  // called by the one thread
};

class FrameWriter {
 public:
  using Landed = LandedFrame;
  static constexpr std::size_t most_frames = 3;  // in memory

  // `directory` is a run directory with its folder frames/.
  FrameWriter(std::filesystem::path directory, std::string case_name, Grid grid,
              FrameBackground background = {});
  ~FrameWriter();  // waits for every frame, unless one could not be written

  // A frame to fill, with the memory of one that has been written.
  Frame blank();
  // Returns the file that the frame will be in.
  std::filesystem::path submit(Frame frame);

  // Throws the error of a frame that could not be written; waits for nothing.
  void check();

  // Waits until every frame has landed.
  void finish();

  // The same, beginning with the frame that could not be written.
  void try_again();

  // Throws IoError where a frame that has landed, or the collection, is gone. Call after finish().
  void check_files() const;

  // The frames that have landed, and the number of the next one; all must have. Restoring lists
  // those that are still there in the collection, and no others.
  void visit_state(StateVisitor& visitor);
  const std::vector<std::string>& gone() const { return gone_; }  // the frames not there any more

  std::optional<Landed> last_landed() const;
  const std::filesystem::path& collection() const { return collection_; }

 private:
  struct Job {
    std::filesystem::path path;
    Frame frame;
  };

  void write_jobs();
  void list(std::vector<PvdEntry> frames);  // in the collection
  void write_next(std::unique_lock<std::mutex>& lock);
  void write(const Job& job);
  void throw_error() const;  // the mutex is locked
  std::vector<PvdEntry> still_there(const std::vector<double>& times, const std::string& files);

  std::filesystem::path directory_;
  std::string case_name_;
  Grid grid_;
  FrameBackground background_;
  std::filesystem::path collection_;
  std::vector<PvdEntry> frames_;  // in it; used by the thread while it writes, else by the caller
  int submitted_ = 0;             // used by the caller alone
  std::vector<std::string> gone_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::vector<Frame> blanks_;  // whose memory is free
  bool writing_ = false;
  bool closing_ = false;
  std::exception_ptr error_;  // of the first job of the queue
  std::optional<Landed> last_landed_;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace hodge::sim
