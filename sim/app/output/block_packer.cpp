#include "sim/app/output/block_packer.hpp"

#include <vtkLZ4DataCompressor.h>
#include <vtkNew.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_threads.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t bytes_per_thread = 1 << 20;  // fewer are not worth a thread

std::string_view pack_by_lz4(vtkLZ4DataCompressor& compressor, std::string_view block,
                             std::vector<unsigned char>& room) {
  room.resize(compressor.GetMaximumCompressionSpace(block.size()));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(block.data());
  const std::size_t packed = compressor.Compress(bytes, block.size(), room.data(), room.size());
  if (packed == 0) throw IoError("LZ4 cannot pack a block of a frame");
  return {reinterpret_cast<const char*>(room.data()), packed};
}

std::size_t threads_for(std::span<const std::string_view> blocks, int threads) {
  std::size_t bytes = 0;
  for (const std::string_view block : blocks) bytes += block.size();
  const std::size_t most =
      std::min(bytes / bytes_per_thread, static_cast<std::size_t>(std::max(threads, 1)));
  return std::max<std::size_t>(1, most);
}

// A ring of slots between the threads that pack and the one that takes.
class PackingThreads {
 public:
  // A function for each thread.
  PackingThreads(std::span<const std::string_view> blocks, std::span<const PackBlock> packers)
      : blocks_(blocks), slots_(4 * packers.size()) {
    for (const PackBlock& packer : packers)
      threads_.emplace_back([this, &packer] {
        run_in_background();
        pack_all(packer);
      });
  }
  ~PackingThreads() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  PackingThreads(const PackingThreads&) = delete;
  PackingThreads& operator=(const PackingThreads&) = delete;

  // Of the next block; the view lives until the next call.
  std::string_view next() {
    std::unique_lock lock(mutex_);
    taken_ = given_;
    changed_.notify_all();
    Slot& slot = slots_[given_ % slots_.size()];
    changed_.wait(lock, [&] { return error_ || slot.holds == given_; });
    if (error_) std::rethrow_exception(error_);
    ++given_;
    return slot.packed;
  }

 private:
  static constexpr auto nothing = static_cast<std::size_t>(-1);
  struct Slot {
    std::size_t holds = nothing;  // the block that is packed in it
    std::vector<unsigned char> room;
    std::string_view packed;
  };

  void pack_all(const PackBlock& packer) {
    std::unique_lock lock(mutex_);
    while (!ended_ && started_ < blocks_.size()) {
      const std::size_t i = started_++;
      changed_.wait(lock, [&] { return ended_ || i < taken_ + slots_.size(); });
      if (ended_) return;
      Slot& slot = slots_[i % slots_.size()];
      lock.unlock();
      const std::exception_ptr error = pack(packer, i, slot);
      lock.lock();
      if (error) error_ = error;
      slot.holds = i;
      changed_.notify_all();
    }
  }

  std::exception_ptr pack(const PackBlock& packer, std::size_t i, Slot& slot) const {
    try {
      slot.packed = packer(i, blocks_[i], slot.room);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  std::span<const std::string_view> blocks_;
  std::vector<Slot> slots_;

  std::mutex mutex_;  // guards what follows, and which blocks the slots hold
  std::condition_variable changed_;
  std::size_t started_ = 0, given_ = 0, taken_ = 0;  // blocks; given: the last may be in use
  bool ended_ = false;
  std::exception_ptr error_;

  std::vector<std::thread> threads_;  // last: they use all of the above
};

void pack_with(std::span<const std::string_view> blocks, std::span<const PackBlock> packers,
               const TakePacked& take) {
  if (packers.size() > 1) {
    PackingThreads packing(blocks, packers);
    for (std::size_t i = 0; i < blocks.size(); ++i) take(i, packing.next());
    return;
  }
  std::vector<unsigned char> room;
  for (std::size_t i = 0; i < blocks.size(); ++i) take(i, packers[0](i, blocks[i], room));
}

}  // namespace

void pack_blocks(std::span<const std::string_view> blocks, int threads, const TakePacked& take) {
  const std::size_t count = threads_for(blocks, threads);
  std::vector<vtkNew<vtkLZ4DataCompressor>> compressors(count);  // VTK makes objects on one thread
  std::vector<PackBlock> packers;
  for (const vtkNew<vtkLZ4DataCompressor>& own : compressors)
    packers.emplace_back(
        [&own](std::size_t, std::string_view block, std::vector<unsigned char>& room) {
          return pack_by_lz4(*own.Get(), block, room);
        });
  pack_with(blocks, packers, take);
}

void pack_blocks(std::span<const std::string_view> blocks, int threads, const PackBlock& pack,
                 const TakePacked& take) {
  pack_with(blocks, std::vector<PackBlock>(threads_for(blocks, threads), pack), take);
}

}  // namespace hodge::sim
