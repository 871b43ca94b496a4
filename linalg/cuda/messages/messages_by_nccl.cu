// Messages between GPUs by NCCL, which is opened while the program runs: from GPU to GPU over
// NVLink, PCIe or the network, on the stream of all other work. On one machine own kernels write
// them to the other GPUs instead (peer_mail.hpp, peer_sums.hpp).
//
// NCCL sums integers alone here: the order of its sums depends on the number of processes.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/shared_library.hpp"
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/messages/messages.hpp"
#include "linalg/cuda/messages/nccl.hpp"
#include "linalg/cuda/peer_memory/peer_mail.hpp"
#include "linalg/cuda/peer_memory/peer_memory.hpp"
#include "linalg/cuda/peer_memory/peer_sums.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/space/device.hpp"

namespace hodge::linalg::cuda {

namespace {

namespace api = nccl_interface;

struct Nccl {
  api::GetVersion* get_version = nullptr;
  api::GetUniqueId* get_unique_id = nullptr;
  api::InitRank* init_rank = nullptr;
  api::Destroy* destroy = nullptr;
  api::Abort* abort = nullptr;
  api::GroupStart* group_start = nullptr;
  api::GroupEnd* group_end = nullptr;
  api::Send* send = nullptr;
  api::Receive* receive = nullptr;
  api::Broadcast* broadcast = nullptr;
  api::AllGather* all_gather = nullptr;
  api::AllReduce* all_reduce = nullptr;
  api::GetErrorString* error_string = nullptr;
  bool usable = false;
};

const Nccl& library() {
  static const Nccl opened = [] {
    static const SharedLibrary nccl({"libnccl.so.2", "libnccl.so"});
    Nccl n;
    n.usable = nccl.find(n.get_version, "ncclGetVersion", n.get_unique_id, "ncclGetUniqueId",
                         n.init_rank, "ncclCommInitRank", n.destroy, "ncclCommDestroy", n.abort,
                         "ncclCommAbort", n.group_start, "ncclGroupStart", n.group_end,
                         "ncclGroupEnd", n.send, "ncclSend", n.receive, "ncclRecv", n.broadcast,
                         "ncclBroadcast", n.all_gather, "ncclAllGather", n.all_reduce,
                         "ncclAllReduce", n.error_string, "ncclGetErrorString");
    return n;
  }();
  return opened;
}

void check_nccl(api::Status status, const char* what) {
  if (status != api::success)
    throw DeviceError(std::string("NCCL: ") + what + " failed: " + library().error_string(status));
}

std::string version_text() {
  int version = 0;
  check_nccl(library().get_version(&version), "asking for the version");
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

class ByNccl final : public Messages {
 public:
  explicit ByNccl(Communicator& processes)
      : rank_(processes.rank()), size_(processes.size()), way_("NCCL " + version_text()) {
    // Multicast over NVLink is for sums in the switch, which this program has no use for.
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    (void)context();  // chooses the GPU
    api::UniqueId id{};
    if (rank_ == 0) check_nccl(library().get_unique_id(&id), "making an identifier");
    id = value_of_first(processes, id);
    check_nccl(library().init_rank(&group_, size_, id, rank_), "connecting the GPUs");
    if (way_is_asked_for("nccl")) return;
    mail_ = PeerMail::open(processes);
    if (mail_ == nullptr) return;
    sums_ = PeerSums::open(processes);
    way_ += " and memory of the other GPUs";
  }
  // Messages that other processes will never answer are not waited for.
  ~ByNccl() override {
    if (std::uncaught_exceptions() == 0) {
      (void)library().destroy(group_);
      return;
    }
    (void)mail_.release();
    (void)sums_.release();
    (void)library().abort(group_);
  }
  ByNccl(const ByNccl&) = delete;
  ByNccl& operator=(const ByNccl&) = delete;

  void start_exchange(std::span<const OutgoingMessage> outgoing,
                      std::span<const IncomingMessage> incoming) override {
    if (mail_ != nullptr)
      mail_->exchange(outgoing, incoming);
    else
      exchange(outgoing, incoming);
  }
  void finish_exchange() override {}  // in the order of the stream

  void gather_parts(std::byte* all, std::span<const std::size_t> sizes) override {
    if (mail_ != nullptr) return gather_by_mail(all, sizes);
    const cudaStream_t on = stream();
    const bool equal = std::ranges::all_of(sizes, [&](std::size_t s) { return s == sizes[0]; });
    if (equal) {
      const std::byte* const own = all + sizes[0] * static_cast<std::size_t>(rank_);
      if (sizes[0] > 0)
        check_nccl(library().all_gather(own, all, sizes[0], api::int8, group_, on), "gathering");
      return;
    }
    check_nccl(library().group_start(), "beginning to gather");
    for (int p = 0; p < size_; ++p) {
      const std::size_t bytes = sizes[static_cast<std::size_t>(p)];
      if (bytes > 0)
        check_nccl(library().broadcast(all, all, bytes, api::int8, p, group_, on), "gathering");
      all += bytes;
    }
    check_nccl(library().group_end(), "gathering");
  }

  void sum(std::int64_t* values, int count) override {
    if (sums_ != nullptr) return sums_->sum(values, count);
    all_reduce(values, count, api::int64, api::sum);
  }
  void maximum(double* values, int count) override {
    if (sums_ != nullptr) return sums_->maximum(values, count);
    all_reduce(values, count, api::float64, api::maximum);
  }

  bool can_record() const override { return true; }
  const char* way() const override { return way_.c_str(); }

 private:
  void exchange(std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming) {
    if (outgoing.empty() && incoming.empty()) return;
    const cudaStream_t on = stream();
    check_nccl(library().group_start(), "beginning an exchange");
    for (const OutgoingMessage& m : outgoing)
      check_nccl(library().send(m.bytes.data(), m.bytes.size(), api::int8, m.to, group_, on),
                 "sending");
    for (const IncomingMessage& m : incoming)
      check_nccl(library().receive(m.bytes.data(), m.bytes.size(), api::int8, m.from, group_, on),
                 "receiving");
    check_nccl(library().group_end(), "an exchange");
  }

  // Every process sends its part to all others.
  void gather_by_mail(std::byte* all, std::span<const std::size_t> sizes) {
    std::vector<IncomingMessage> parts;
    for (int p = 0; p < size_; ++p) {
      const std::size_t bytes = sizes[static_cast<std::size_t>(p)];
      parts.push_back({p, {all, bytes}});
      all += bytes;
    }
    const std::span<const std::byte> own = parts[static_cast<std::size_t>(rank_)].bytes;
    std::vector<OutgoingMessage> outgoing;
    for (int p = 0; p < size_; ++p)
      if (p != rank_) outgoing.push_back({p, own});
    parts.erase(parts.begin() + rank_);
    mail_->exchange(outgoing, parts);
  }

  void all_reduce(void* values, int count, api::Type type, api::Operation operation) {
    check_nccl(library().all_reduce(values, values, static_cast<std::size_t>(count), type,
                                    operation, group_, stream()),
               "a sum or a maximum");
  }

  int rank_, size_;
  std::string way_;
  api::Group group_ = nullptr;
  std::unique_ptr<PeerMail> mail_;  // null: messages between pairs, and parts, travel by NCCL
  std::unique_ptr<PeerSums> sums_;  // null: NCCL sums
};

// What tells one GPU from another, on all machines.
cudaUUID_t own_gpu() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, context().device), "asking for the GPU's identity");
  return properties.uuid;
}

}  // namespace

// NCCL takes one process for each GPU.
std::unique_ptr<Messages> messages_by_nccl(Communicator& processes) {
  struct Own {
    cudaUUID_t gpu;
    bool has_nccl;
  };
  const std::vector<Own> all = gather_one(processes, Own{own_gpu(), library().usable});
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (!all[p].has_nccl) return nullptr;
    for (std::size_t q = 0; q < p; ++q)
      if (std::memcmp(&all[p].gpu, &all[q].gpu, sizeof(cudaUUID_t)) == 0) return nullptr;
  }
  return std::make_unique<ByNccl>(processes);
}

}  // namespace hodge::linalg::cuda

std::string hodge::linalg::nccl_version() {
  return cuda::library().usable ? cuda::version_text() : "";
}
