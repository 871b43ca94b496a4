// `hodge solve` by several processes: process 0 reads the files and sends every process its rows of
// A, b and the start. Only process 0 ever holds the whole matrix, and it lets go of it before the
// solve.
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "linalg/matrices/distribute.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/parts.hpp"
#include "linalg/processes/sum_chunks.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/program/processes.hpp"
#include "tools/hodge/solve/solve.hpp"

namespace hodge::tools {
namespace {

using linalg::Communicator;

// Where the rows and the entries of each process begin. Processes have about as many entries each,
// and begin where sums of the space may be cut (linalg/processes/shared_rows.hpp, sum_chunks.hpp).
struct Cuts {
  std::vector<std::int64_t> rows, entries;

  explicit Cuts(Communicator& all)
      : rows(static_cast<std::size_t>(all.size()) + 1, 0), entries(rows) {}
};

template <class Space>
std::int64_t unit_of_cuts(std::int64_t rows) {
  return std::is_same_v<Space, linalg::Host> ? linalg::sum_piece : linalg::chunk_alignment(rows);
}

void cut_by_entries(const HostRows& a, std::int64_t unit, Cuts& cuts) {
  const auto processes = static_cast<std::int64_t>(cuts.rows.size()) - 1;
  for (std::int64_t p = 1; p <= processes; ++p) {
    const std::int64_t aim = a.offsets.back() * p / processes;
    const auto row = std::ranges::lower_bound(a.offsets, aim) - a.offsets.begin();
    const std::int64_t cut =
        p == processes ? a.rows() : std::min<std::int64_t>(row / unit * unit, a.rows());
    cuts.rows[p] = std::max(cut, cuts.rows[p - 1]);
    cuts.entries[p] = a.offsets[static_cast<std::size_t>(cuts.rows[p])];
  }
}

template <class Space>
Cuts agreed_cuts(Communicator& all, const System& system) {
  Cuts cuts(all);
  if (all.rank() == 0)
    cut_by_entries(HostRows(system.matrix()), unit_of_cuts<Space>(system.facts.rows), cuts);
  for (auto* list : {&cuts.rows, &cuts.entries})
    all.broadcast(std::as_writable_bytes(std::span(*list)), 0);
  return cuts;
}

template <class Space>
std::unique_ptr<linalg::CsrMatrix<Space, double>> share_matrix(Communicator& all,
                                                               const System& system,
                                                               const Cuts& cuts) {
  std::vector<int> lengths;
  std::span<const int> columns;
  std::span<const double> values;
  int symmetry = 0;
  if (all.rank() == 0) {
    const HostRows a(system.matrix());
    for (int i = 0; i < a.rows(); ++i) lengths.push_back(a.offsets[i + 1] - a.offsets[i]);
    columns = a.columns;
    values = a.values;
    symmetry = static_cast<int>(system.matrix().symmetry());
  }
  symmetry = linalg::value_of_first(all, symmetry);
  std::vector<int> offsets = linalg::scatter(all, std::span<const int>(lengths), cuts.rows);
  offsets.insert(offsets.begin(), 0);
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const std::vector<int> own_columns = linalg::scatter(all, columns, cuts.entries);
  const std::vector<std::int64_t> global_columns(own_columns.begin(), own_columns.end());
  const std::vector<double> own_values = linalg::scatter(all, values, cuts.entries);
  return linalg::share_rows<double, Space>(
      all, linalg::RowBlocks(cuts.rows), std::span<const int>(offsets),
      std::span<const std::int64_t>(global_columns), std::span<const double>(own_values),
      static_cast<linalg::Symmetry>(symmetry));
}

template <class Space>
linalg::Vector<Space> share_vector(Communicator& all, const std::vector<double>& whole,
                                   const Cuts& cuts) {
  const std::vector<double> own = linalg::scatter(all, std::span<const double>(whole), cuts.rows);
  return linalg::Vector<Space>(std::span<const double>(own));
}

template <class Space>
void check_own_memory(const SolveArguments& arguments, const System& system, const Cuts& cuts,
                      std::size_t rank) {
  linalg::SystemSize own;
  own.rows = static_cast<std::size_t>(cuts.rows[rank + 1] - cuts.rows[rank]);
  own.nonzeros = static_cast<std::size_t>(cuts.entries[rank + 1] - cuts.entries[rank]);
  sim::check_memory<Space>(solver_settings(arguments, system.facts), own);
}

template <class Space>
int solve_own_rows(const SolveArguments& arguments, Communicator& all) {
  System system;
  in_first_process(all, [&] {
    check_outputs(arguments);
    system = read_system(arguments);
    if (system.start.empty()) system.start.assign(system.b.size(), 0.0);
  });
  system.facts = linalg::value_of_first(all, system.facts);
  const Cuts cuts = agreed_cuts<Space>(all, system);
  check_own_memory<Space>(arguments, system, cuts, static_cast<std::size_t>(all.rank()));
  DeviceSystem<Space> shared(arguments, share_matrix<Space>(all, system, cuts),
                             share_vector<Space>(all, system.b, cuts),
                             share_vector<Space>(all, system.start, cuts));
  system.file.matrix.reset();
  system.b.clear();
  system.start.clear();
  return solve_and_report<Space>(arguments, system, shared, [&](const linalg::Vector<Space>& x) {
    const std::vector<double> own = x.to_host();
    return linalg::collect(all, std::span<const double>(own), cuts.rows);
  });
}

}  // namespace

int solve_in_processes(const SolveArguments& arguments) {
  if (arguments.compare)
    throw ConfigError(
        "hodge solve: --compare runs in one process only so far; leave it out or start one "
        "process");
  Communicator& all = linalg::all_processes();
  return linalg::on_device(linalg::device_of_process(all, arguments.device),
                           [&]<class Space>() { return solve_own_rows<Space>(arguments, all); });
}

}  // namespace hodge::tools
