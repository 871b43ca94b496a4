// Frames on their way to the disk, written one after the other in the background.
//
// One thread, with others that pack (frame_threads.hpp). At most three frames are in memory: one
// that is made, one that waits, one that is written; blank() waits while there are more. A frame
// that could not be written waits: from then on blank(), submit(), check() and finish() throw its
// error, until try_again(). So no frame is left out.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/flow/frame.hpp"

namespace hodge::sim {

class FrameQueue {
 public:
  static constexpr std::size_t most_frames = 3;  // in memory
  using Write = std::function<void(const std::filesystem::path&, const Frame&)>;

  // write(path, frame) is called by the thread.
  explicit FrameQueue(Write write);
  ~FrameQueue();  // waits for every frame, unless one could not be written
  FrameQueue(const FrameQueue&) = delete;
  FrameQueue& operator=(const FrameQueue&) = delete;

  // A frame to fill, with the memory of one that has been written.
  Frame blank();
  // Waits while two frames wait.
  void submit(const std::filesystem::path& path, Frame frame);
  // The same without waiting and without errors, for a frame of blank().
  void add(const std::filesystem::path& path, Frame frame);

  // Throws the error of a frame that could not be written; waits for nothing.
  void check();
  // Waits until every frame is written.
  void finish();
  // The same, beginning with the frame that could not be written.
  void try_again();
  long written() const;  // number of frames

 private:
  struct Job {
    std::filesystem::path path;
    Frame frame;
  };

  void write_jobs();
  void write_next(std::unique_lock<std::mutex>& lock);
  void throw_error() const;  // the mutex is locked

  Write write_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::vector<Frame> blanks_;  // whose memory is free
  bool writing_ = false;
  bool closing_ = false;
  long written_ = 0;
  std::exception_ptr error_;  // of the first job of the queue

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace hodge::sim
