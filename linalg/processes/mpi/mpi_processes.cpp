// libhodge_mpi.so: the communicator by MPI. The only file that knows MPI; see all_processes.hpp.
//
// Two communicators of MPI: `work_` for messages and sums, `end_` for the common end, which a
// process may wait for while others are still busy with `work_`.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/all_processes.hpp"

namespace hodge::linalg {

namespace {

// MPI counts with int: longer messages go in parts.
constexpr std::size_t largest_part = std::size_t{1} << 30;

void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw DeviceError(std::string(call) + " failed: " + text);
}

// Calls action(part) for parts of at most `length` items, in order.
template <class Item, class Action>
void for_each_part(std::span<Item> items, std::size_t length, const Action& action) {
  for (std::size_t first = 0; first < items.size(); first += length)
    action(items.subspan(first, std::min(length, items.size() - first)));
}

template <class Item>
int count_of(std::span<Item> items) {
  return static_cast<int>(items.size());
}

// Waits for requests: tests for some ten microseconds, then gives the core away between tests, and
// after a millisecond sleeps. MPI's own calls that wait do neither: where processes are more than
// cores, or share them with other programs, the one that has work then waits for those that have
// none (a hundred times slower on two busy cores). OMP_WAIT_POLICY=active: tests alone.
class Patience {
 public:
  void wait(std::span<MPI_Request> requests, MPI_Status* states, const char* call) const {
    const int count = count_of(requests);
    Clock::time_point begin{};
    for (int tests = 0;; ++tests) {
      int done = 0;
      const int status = MPI_Testall(count, requests.data(), &done, states);
      if (status == MPI_ERR_IN_STATUS && states != MPI_STATUSES_IGNORE) check_states(states, count);
      check_mpi(status, call);
      if (done != 0) return;
      if (!may_pause_ || tests < tests_before_pause) continue;
      if (tests == tests_before_pause) begin = Clock::now();
      if (Clock::now() - begin < std::chrono::milliseconds(1))
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int tests_before_pause = 200;

  static void check_states(const MPI_Status* states, int count) {
    for (int i = 0; i < count; ++i)
      if (states[i].MPI_ERROR != MPI_ERR_PENDING) check_mpi(states[i].MPI_ERROR, "MPI_Testall");
  }
  static bool is_active() {
    const char* const policy = std::getenv("OMP_WAIT_POLICY");
    return policy != nullptr && (policy[0] == 'a' || policy[0] == 'A');
  }

  bool may_pause_ = !is_active();
};

MPI_Comm own_communicator() {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return copy;
}

class MpiProcesses : public AllProcesses {
 public:
  explicit MpiProcesses(bool started_here)
      : work_(own_communicator()), end_(own_communicator()), started_here_(started_here) {
    check_mpi(MPI_Comm_rank(work_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(work_, &size_), "MPI_Comm_size");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(std::span<std::int64_t> values) override { reduce(values, MPI_INT64_T, MPI_SUM); }
  void maximum(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_MAX); }
  void broadcast(std::span<std::byte> bytes, int root) override;
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t> sizes) override;
  void start_exchange(std::span<const OutgoingMessage> outgoing,
                      std::span<const IncomingMessage> incoming) override;
  void finish_exchange() override;

  std::optional<CommonEnd> end_together(int exit_code, double patience) override;
  void finish() override;
  void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);  // MPI_Abort does not return
  }

 private:
  // A part of a message that is expected, and the request after which it is there.
  struct Expected {
    std::size_t request;
    int from, bytes;
  };

  template <class Value>
  void reduce(std::span<Value> values, MPI_Datatype type, MPI_Op operation) {
    for_each_part(values, largest_part / sizeof(Value), [&](std::span<Value> part) {
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(MPI_Iallreduce(MPI_IN_PLACE, part.data(), count_of(part), type, operation, work_,
                               &request),
                "MPI_Iallreduce");
      wait(request, "MPI_Iallreduce");
    });
  }
  void wait(MPI_Request& request, const char* call) const {
    patience_.wait(std::span(&request, 1), MPI_STATUSES_IGNORE, call);
  }
  MPI_Request& new_request() { return requests_.emplace_back(MPI_REQUEST_NULL); }

  Patience patience_;
  MPI_Comm work_, end_;
  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;  // of the exchange that was started
  std::vector<Expected> expected_;
  std::array<int, 2> own_end_{},
      all_end_{};  // of end_together(): MPI may write them after its return
  bool started_here_;
};

void MpiProcesses::broadcast(std::span<std::byte> bytes, int root) {
  for_each_part(bytes, largest_part, [&](std::span<std::byte> part) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(part.data(), count_of(part), MPI_BYTE, root, work_, &request),
              "MPI_Ibcast");
    wait(request, "MPI_Ibcast");
  });
}

void MpiProcesses::gather(std::span<const std::byte> own, std::span<std::byte> all,
                          std::span<const std::size_t> sizes) {
  const auto whole = std::span<std::byte>(all);
  if (all.size() > largest_part) {  // MPI counts the bytes before a part with int, too
    std::size_t first = 0;
    for (int process = 0; process < size_; first += sizes[process++]) {
      const auto part = whole.subspan(first, sizes[process]);
      if (process == rank_) std::ranges::copy(own, part.begin());
      broadcast(part, process);
    }
    return;
  }
  std::vector<int> counts(sizes.begin(), sizes.end()), places(sizes.size());
  for (std::size_t p = 1; p < places.size(); ++p) places[p] = places[p - 1] + counts[p - 1];
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgatherv(own.data(), count_of(own), MPI_BYTE, all.data(), counts.data(),
                            places.data(), MPI_BYTE, work_, &request),
            "MPI_Iallgatherv");
  wait(request, "MPI_Iallgatherv");
}

// The parts of a message have the same tag: MPI delivers them in order.
void MpiProcesses::start_exchange(std::span<const OutgoingMessage> outgoing,
                                  std::span<const IncomingMessage> incoming) {
  if (!requests_.empty())
    throw ShapeError("an exchange is started before the last one is finished");
  constexpr int tag = 1;
  const auto receive = [&](std::span<std::byte> part, int from) {
    expected_.push_back({requests_.size(), from, count_of(part)});
    check_mpi(MPI_Irecv(part.data(), count_of(part), MPI_BYTE, from, tag, work_, &new_request()),
              "MPI_Irecv");
  };
  const auto send = [&](std::span<const std::byte> part, int to) {
    check_mpi(MPI_Isend(part.data(), count_of(part), MPI_BYTE, to, tag, work_, &new_request()),
              "MPI_Isend");
  };
  for (const IncomingMessage& message : incoming) {
    if (message.bytes.empty()) receive(message.bytes, message.from);
    for_each_part(message.bytes, largest_part, [&](auto part) { receive(part, message.from); });
  }
  for (const OutgoingMessage& message : outgoing) {
    if (message.bytes.empty()) send(message.bytes, message.to);
    for_each_part(message.bytes, largest_part, [&](auto part) { send(part, message.to); });
  }
}

void MpiProcesses::finish_exchange() {
  std::vector<MPI_Status> states(requests_.size());
  patience_.wait(requests_, states.data(), "MPI_Testall");
  const std::vector<Expected> expected = std::move(expected_);
  requests_.clear();
  expected_.clear();
  for (const Expected& message : expected) {
    int bytes = 0;
    check_mpi(MPI_Get_count(&states[message.request], MPI_BYTE, &bytes), "MPI_Get_count");
    if (bytes != message.bytes)
      throw ShapeError("a message of " + std::to_string(bytes) + " bytes came from process " +
                       std::to_string(message.from) + ", expected " +
                       std::to_string(message.bytes));
  }
}

// Waiting processes sleep: another one may need the core for its work.
std::optional<CommonEnd> MpiProcesses::end_together(int exit_code, double patience) {
  const auto begin = std::chrono::steady_clock::now();
  // The largest of (size - rank) is the first rank.
  own_end_ = {exit_code, exit_code == 0 ? 0 : size_ - rank_};
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(own_end_.data(), all_end_.data(), 2, MPI_INT, MPI_MAX, end_, &request),
            "MPI_Iallreduce");
  for (int done = 0;;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return CommonEnd{all_end_[0], all_end_[1] == 0 ? -1 : size_ - all_end_[1]};
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > patience) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// With an exchange that an error has interrupted, MPI_Finalize could wait for ever.
void MpiProcesses::finish() {
  if (!requests_.empty() || !started_here_) return;
  MPI_Comm_free(&work_);
  MPI_Comm_free(&end_);
  MPI_Finalize();
}

// "Open MPI 4.1.4" of "Open MPI v4.1.4, package: ...", "MPICH 4.0.2" of "MPICH
// Version: 4.0.2\n...".
std::string short_name(const std::string& library) {
  std::istringstream words(library.substr(0, library.find_first_of(",\n")));
  std::string name, word;
  while (words >> word) {
    if (word.starts_with("Version") || word == ":") continue;
    if (word.size() > 1 && word[0] == 'v' && std::isdigit(static_cast<unsigned char>(word[1])) != 0)
      word.erase(0, 1);
    name += (name.empty() ? "" : " ") + word;
  }
  return name;
}

}  // namespace

}  // namespace hodge::linalg

// MPI allows this before it is started.
extern "C" const char* hodge_mpi_library(int version) {
  using namespace hodge::linalg;
  if (version != mpi_module_version) return nullptr;
  static const std::string name = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
    return short_name(text);
  }();
  return name.c_str();
}

// The processes live as long as the program. A program that has called MPI_Init itself also calls
// MPI_Finalize.
extern "C" hodge::linalg::AllProcesses* hodge_start_mpi(int version) {
  using namespace hodge::linalg;
  if (version != mpi_module_version) return nullptr;
  int is_started = 0, provided = MPI_THREAD_FUNNELED;
  MPI_Initialized(&is_started);
  if (is_started == 0)
    check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED)
    throw hodge::DeviceError("MPI was built without threads, expected MPI_THREAD_FUNNELED");
  return new MpiProcesses(is_started == 0);
}
