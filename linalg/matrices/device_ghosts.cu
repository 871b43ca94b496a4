#include "linalg/matrices/device_ghosts.hpp"

#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

namespace {

template <class T>
__global__ void pack_kernel(int n, const int* rows, const T* own, T* packed) {
  cuda::grid_stride(n, [&](int i) { packed[i] = own[rows[i]]; });
}

}  // namespace

DeviceGhosts::DeviceGhosts(const GhostExchange& lists)
    : processes_(&lists.processes()),
      sent_(lists.parts_of_packed()),
      received_(lists.parts_of_ghosts()),
      packed_(std::span<const int>(lists.packed())),
      outgoing_(lists.packed().size()),
      incoming_(static_cast<std::size_t>(lists.ghosts())),
      outgoing_data_(outgoing_.data()),
      incoming_data_(incoming_.data()) {}

// Not guarded: where a halted solve sends old entries, nobody reads them.
template <class T>
const T* DeviceGhosts::fetch(const T* own) const {
  T* const packed = reinterpret_cast<T*>(outgoing_data_);
  T* const ghosts = reinterpret_cast<T*>(incoming_data_);
  const int n = static_cast<int>(packed_.size());
  constexpr int threads = 256, most = 1024;
  if (n > 0)
    cuda::launch_kernel("pack_kernel", pack_kernel<T>, cuda::blocks_for(n, threads, most), threads,
                        n, packed_.data(), own, packed);
  outgoing_messages_.clear();
  incoming_messages_.clear();
  for (const GhostExchange::Part& part : sent_)
    outgoing_messages_.push_back(
        {part.process, std::as_bytes(std::span(packed + part.first, part.count))});
  for (const GhostExchange::Part& part : received_)
    incoming_messages_.push_back(
        {part.process, std::as_writable_bytes(std::span(ghosts + part.first, part.count))});
  const CountedMessages counted(MessageKind::neighbours, outgoing_messages_);
  Cuda::start_exchange(*processes_, outgoing_messages_, incoming_messages_);
  Cuda::finish_exchange(*processes_);
  return ghosts;
}
template const double* DeviceGhosts::fetch(const double*) const;
template const float* DeviceGhosts::fetch(const float*) const;

template <>
std::shared_ptr<const DeviceGhosts> device_ghosts<Cuda>(const GhostExchange& lists) {
  return std::make_shared<const DeviceGhosts>(lists);
}

}  // namespace hodge::linalg
