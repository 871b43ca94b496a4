// Messages between GPUs by the communicator, which knows memory of the host alone: what is sent is
// brought there first, and what arrives is brought to the GPU. Every call waits for the GPU.
#include <algorithm>
#include <numeric>
#include <vector>

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/messages/messages.hpp"

namespace hodge::linalg::cuda {

namespace {

// Memory that the GPU copies to and from at full speed.
class PinnedBytes {
 public:
  PinnedBytes() = default;
  ~PinnedBytes() {
    if (data_ != nullptr) (void)cudaFreeHost(data_);
  }
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;

  std::span<std::byte> of_size(std::size_t bytes) {
    if (bytes > size_) {
      if (data_ != nullptr) (void)cudaFreeHost(std::exchange(data_, nullptr));
      size_ = 0;
      check(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable), "allocating memory for messages");
      size_ = bytes;
    }
    return {static_cast<std::byte*>(data_), bytes};
  }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

void wait() {
  check(cudaStreamSynchronize(stream()), "waiting for a message");
}

class ThroughHost final : public Messages {
 public:
  explicit ThroughHost(Communicator& processes) : processes_(processes) {}

  void start_exchange(std::span<const OutgoingMessage> outgoing,
                      std::span<const IncomingMessage> incoming) override {
    incoming_.assign(incoming.begin(), incoming.end());
    host_outgoing_.clear();
    host_incoming_.clear();
    const std::span<std::byte> sent = sent_.of_size(total(outgoing));
    std::size_t place = 0;
    for (const OutgoingMessage& message : outgoing) {
      const std::span<std::byte> copy = sent.subspan(place, message.bytes.size());
      to_host(copy.data(), message.bytes);
      host_outgoing_.push_back({message.to, copy});
      place += copy.size();
    }
    const std::span<std::byte> received = received_.of_size(total(incoming));
    place = 0;
    for (const IncomingMessage& message : incoming) {
      host_incoming_.push_back({message.from, received.subspan(place, message.bytes.size())});
      place += message.bytes.size();
    }
    wait();
    processes_.start_exchange(host_outgoing_, host_incoming_);
  }

  void finish_exchange() override {
    processes_.finish_exchange();
    for (std::size_t i = 0; i < incoming_.size(); ++i)
      to_device(incoming_[i].bytes.data(), host_incoming_[i].bytes);
    wait();
  }

  void gather_parts(std::byte* all, std::span<const std::size_t> sizes) override {
    const auto own = static_cast<std::size_t>(processes_.rank());
    const std::size_t before = std::accumulate(sizes.begin(), sizes.begin() + own, std::size_t{0});
    const std::span<std::byte> part = sent_.of_size(sizes[own]);
    const std::span<std::byte> whole =
        received_.of_size(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    to_host(part.data(), {all + before, sizes[own]});
    wait();
    processes_.gather(part, whole, sizes);
    to_device(all, whole);
    wait();
  }

  void sum(std::int64_t* values, int count) override {
    on_host(values, count, [this](std::span<std::int64_t> host) { processes_.sum(host); });
  }
  void maximum(double* values, int count) override {
    on_host(values, count, [this](std::span<double> host) { processes_.maximum(host); });
  }

  bool can_record() const override { return false; }
  const char* way() const override { return "MPI, through memory of the host"; }

 private:
  // action(a copy of the values on the host), and back.
  template <class Value, class Action>
  void on_host(Value* values, int count, const Action& action) {
    const std::span<std::byte> bytes =
        sent_.of_size(sizeof(Value) * static_cast<std::size_t>(count));
    to_host(bytes.data(), {reinterpret_cast<const std::byte*>(values), bytes.size()});
    wait();
    action(std::span(reinterpret_cast<Value*>(bytes.data()), static_cast<std::size_t>(count)));
    to_device(reinterpret_cast<std::byte*>(values), bytes);
    wait();
  }

  template <class Message>
  static std::size_t total(std::span<const Message> messages) {
    std::size_t bytes = 0;
    for (const Message& message : messages) bytes += message.bytes.size();
    return bytes;
  }
  static void to_host(std::byte* host, std::span<const std::byte> device) {
    if (!device.empty())
      check(cudaMemcpyAsync(host, device.data(), device.size(), cudaMemcpyDeviceToHost, stream()),
            "bringing a message to the host");
  }
  static void to_device(std::byte* device, std::span<const std::byte> host) {
    if (!host.empty())
      check(cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice, stream()),
            "bringing a message to the GPU");
  }

  Communicator& processes_;
  PinnedBytes sent_, received_;
  std::vector<IncomingMessage> incoming_, host_incoming_;
  std::vector<OutgoingMessage> host_outgoing_;
};

}  // namespace

std::unique_ptr<Messages> messages_through_host(Communicator& processes) {
  return std::make_unique<ThroughHost>(processes);
}

}  // namespace hodge::linalg::cuda
