#include "sim/app/output/frame_queue.hpp"

#include <utility>

#include "sim/app/output/frame_threads.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t most_waiting = FrameQueue::most_frames - 1;

}  // namespace

FrameQueue::FrameQueue(Write write)
    : write_(std::move(write)), thread_(&FrameQueue::write_jobs, this) {}

FrameQueue::~FrameQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Frame FrameQueue::blank() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || queue_.size() + writing_ < most_frames; });
  throw_error();
  if (blanks_.empty()) return {};
  Frame frame = std::move(blanks_.back());
  blanks_.pop_back();
  return frame;
}

void FrameQueue::submit(const std::filesystem::path& path, Frame frame) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return error_ || queue_.size() < most_waiting; });
    throw_error();
  }
  add(path, std::move(frame));
}

void FrameQueue::add(const std::filesystem::path& path, Frame frame) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({path, std::move(frame)});
  }
  changed_.notify_all();
}

void FrameQueue::check() {
  const std::lock_guard lock(mutex_);
  throw_error();
}

void FrameQueue::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || (queue_.empty() && !writing_); });
  throw_error();
}

void FrameQueue::try_again() {
  {
    const std::lock_guard lock(mutex_);
    error_ = nullptr;
  }
  changed_.notify_all();
  finish();
}

long FrameQueue::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

void FrameQueue::throw_error() const {
  if (error_) std::rethrow_exception(error_);
}

// The thread: until closing and nothing is left that could be written.
void FrameQueue::write_jobs() {
  run_in_background();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || (!error_ && !queue_.empty()); });
    if (error_ || queue_.empty()) return;
    write_next(lock);
  }
}

// The first job of the queue; it goes back there if it fails.
void FrameQueue::write_next(std::unique_lock<std::mutex>& lock) {
  Job job = std::move(queue_.front());
  queue_.pop_front();
  writing_ = true;
  lock.unlock();
  changed_.notify_all();
  std::exception_ptr error;
  try {
    write_(job.path, job.frame);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error) {
    error_ = error;
    queue_.push_front(std::move(job));
  } else {
    ++written_;
    if (blanks_.size() < most_frames) blanks_.push_back(std::move(job.frame));
  }
  writing_ = false;
  changed_.notify_all();
}

}  // namespace hodge::sim
