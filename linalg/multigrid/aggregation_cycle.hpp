// The multigrid cycle for matrices without a grid: coarse rows are aggregates of rows
// (aggregation.hpp), coarse matrices are scaled Galerkin products (galerkin.hpp), all in the value
// type of the system. Cost of a v cycle with one smoothing before and after: about four products
// with the matrix per level; 5 vectors per level.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "linalg/multigrid/cycle.hpp"
#include "linalg/multigrid/row_level.hpp"
#include "linalg/multigrid/run_cycle.hpp"

namespace hodge::linalg::multigrid {

// A level with more rows than this fraction of the finer level's is not made.
inline constexpr double least_coarsening = 0.8;

// out_i = second[first[i]]
template <class Space>
void compose(int rows, const int* first, const int* second, int* out) {
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) { out[i] = second[first[i]]; });
}

// The rows of each aggregate, ascending.
template <class Space>
void list_members(int rows, int aggregates, const int* aggregate, Buffer<int, Space>& members,
                  Buffer<int, Space>& starts) {
  Buffer<int, Space> keys(static_cast<std::size_t>(rows));
  members = Buffer<int, Space>(static_cast<std::size_t>(rows));
  starts = Buffer<int, Space>(static_cast<std::size_t>(aggregates) + 1);
  int *const key = keys.data(), *const member = members.data(), *const start = starts.data();
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) {
    key[i] = aggregate[i];
    member[i] = i;
  });
  Space::stable_sort_by_key(rows, key, member);
  for_each<Space>(rows, [=] HODGE_LAMBDA(int k) {
    if (k == 0 || key[k] != key[k - 1]) start[key[k]] = k;
    if (k == rows - 1) start[aggregates] = rows;
  });
}

template <class Space, class V>
class AggregationCycle : public MultigridCycle<Space, V> {
 public:
  AggregationCycle(const MultigridSettings& settings, const CsrMatrix<Space, V>& a)
      : settings_(settings) {
    levels_.emplace_back(nullptr, &a, settings_);
    levels_.back().take_diagonal();
    while (add_coarser_level()) continue;
    if (levels_.back().rows() <= most_coarsest_cells)
      levels_.back().coarsest.emplace(levels_.back().rows());
    factor_coarsest();
  }

  void refresh(const CsrMatrix<Space, V>& a) override {
    levels_.front().matrix = &a;
    levels_.front().take_diagonal();
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) fill_coarser(levels_[l], levels_[l + 1]);
    factor_coarsest();
  }

  void keep(const CsrMatrix<Space, V>& a) override { levels_.front().matrix = &a; }

  void apply(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    RunCycle(settings_, levels_).run(0, r.data(), z.data());
  }

  void use_transpose(const CsrMatrix<Space, V>& at) override {
    for (Level& level : levels_) level.take_transpose(&level == &levels_.front() ? &at : nullptr);
  }
  void apply_transposed(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    with_transposed_levels(levels_, [&] { apply(r, z); });
  }

  std::string text() const override {
    std::string rows;
    for (const Level& level : levels_)
      rows += (rows.empty() ? "" : ", ") + std::to_string(level.rows());
    if (levels_.size() > 1) return "no grid: aggregates, rows " + rows;
    return "no grid, no aggregates: rows " + rows +
           (levels_.back().coarsest ? " by elimination" : " by the smoother alone");
  }

 private:
  using Level = RowLevel<Space, V>;

  bool add_coarser_level() {
    Level& fine = levels_.back();
    const int rows = fine.rows();
    if (rows <= settings_.coarsest_cells) return false;
    Buffer<int, Space> pairs(static_cast<std::size_t>(rows));
    const int pair_count = aggregate_pairs<Space>(fine.matrix->view(), pairs.data());
    int count = pair_count;
    fine.aggregate = std::move(pairs);
    if (pair_count <= least_coarsening * rows) count = join_pairs(fine, pair_count);
    if (count > least_coarsening * rows) return false;
    list_members<Space>(rows, count, fine.aggregate.data(), fine.members, fine.member_starts);
    fine.coarse_entries = coarse_entries<Space>(fine.matrix->view(), fine.aggregate.data(), count);
    levels_.emplace_back(
        std::make_unique<CsrMatrix<Space, V>>(fine.coarse_entries.pattern, fine.matrix->symmetry()),
        nullptr, settings_);
    fill_coarser(fine, levels_.back());
    return true;
  }

  // Aggregates the pairs into pairs of pairs, by the matrix of the pairs.
  int join_pairs(Level& fine, int pair_count) {
    const auto entries =
        coarse_entries<Space>(fine.matrix->view(), fine.aggregate.data(), pair_count);
    CsrMatrix<Space, V> paired(entries.pattern);
    sum_entries(entries, fine.matrix->values().data(), paired.values().data());
    Buffer<int, Space> outer(static_cast<std::size_t>(pair_count));
    const int count = aggregate_pairs<Space>(paired.view(), outer.data());
    compose<Space>(fine.rows(), fine.aggregate.data(), outer.data(), fine.aggregate.data());
    return count;
  }

  void fill_coarser(Level& fine, Level& coarse) {
    V* const values = coarse.own->values().data();
    sum_entries(fine.coarse_entries, fine.matrix->values().data(), values);
    soften<Space>(coarse.own->view(), stiffness_factor, values);
    coarse.take_diagonal();
  }

  void factor_coarsest() {
    Level& last = levels_.back();
    if (last.coarsest) last.coarsest->factor(last.matrix->view());
  }

  MultigridSettings settings_;
  std::deque<Level> levels_;
};

}  // namespace hodge::linalg::multigrid
