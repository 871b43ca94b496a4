#include "linalg/matrices/whole_system.hpp"

#include <climits>
#include <string>

#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

// The values of all processes, of sizes[p] bytes, in the memory of the space.
template <class Space, class T>
void gather_in_space(Communicator& processes, const T* own, std::span<const std::size_t> sizes,
                     T* whole) {
  const auto rank = static_cast<std::size_t>(processes.rank());
  auto* const bytes = reinterpret_cast<std::byte*>(whole);
  std::size_t before = 0;
  for (std::size_t p = 0; p < rank; ++p) before += sizes[p];
  if (sizes[rank] > 0) Space::copy(own, bytes + before, sizes[rank]);
  const CountedMessages counted(MessageKind::gathers, sizes[rank]);
  Space::gather_parts(processes, bytes, sizes);
}

}  // namespace

template <class Space, class T>
void WholeVectors<Space, T>::setup(const SharedRows& rows, int own_rows) {
  shared_ = rows;
  if (!shared_.is_shared()) return;
  if (shared_.total > INT_MAX)
    throw ShapeError("a whole system of " + std::to_string(shared_.total) +
                     " rows on one process, more than 32-bit indices can tell apart");
  sizes_ = gather_one(*shared_.processes, sizeof(T) * static_cast<std::size_t>(own_rows));
}

template <class Space, class T>
void WholeVectors<Space, T>::gather(const Vec& own, Vec& whole) {
  gather_in_space<Space>(*shared_.processes, own.data(), sizes_, whole.data());
}

template <class Space, class T>
void WholeVectors<Space, T>::take(const Vec& whole, Vec& own) const {
  const auto first = static_cast<std::size_t>(shared_.first);
  if (own.size() > 0)
    Space::copy(whole.data() + first, own.data(), sizeof(T) * static_cast<std::size_t>(own.size()));
}

namespace {

// Of all cells, in the whole system. Collective.
template <class Space>
Buffer<int, Space> whole_rows_of_cells(const RowSharing& sharing, const GridRows<Space>& grid) {
  std::vector<int> rows = grid.row_of_cell.to_host();
  for (int& row : rows)
    if (row >= 0) row += static_cast<int>(sharing.rows().first);
  rows = gather_lists(sharing.processes(), std::span<const int>(rows));
  return Buffer<int, Space>(std::span<const int>(rows));
}

}  // namespace

template <class Space, class T>
void WholeMatrix<Space, T>::setup(const CsrMatrix<Space, T>& a) {
  matrix_ = &a;
  whole_.reset();
  const RowSharing* const sharing = a.pattern().sharing().get();
  if (sharing == nullptr) return;
  Communicator& processes = sharing->processes();
  std::vector<int> lengths = a.pattern().row_offsets().to_host();
  for (std::size_t i = 0; i + 1 < lengths.size(); ++i) lengths[i] = lengths[i + 1] - lengths[i];
  lengths.pop_back();
  std::vector<int> columns;  // whole rows are counted in 32 bits
  for (const int column : a.pattern().columns().to_host())
    columns.push_back(static_cast<int>(sharing->global_column(column)));
  sizes_ = gather_one(processes, sizeof(T) * columns.size());
  const std::vector<int> all_columns = gather_lists(processes, std::span<const int>(columns));
  std::vector<int> offsets{0};
  for (const int length : gather_lists(processes, std::span<const int>(lengths)))
    offsets.push_back(offsets.back() + length);
  const auto rows = static_cast<int>(sharing->rows().total);
  const auto pattern = std::make_shared<CsrPattern<Space>>(
      rows, rows, std::span<const int>(offsets), std::span<const int>(all_columns));
  if (const GridRows<Space>* const grid = a.pattern().grid())
    pattern->place_on(
        {grid->shape, whole_rows_of_cells(*sharing, *grid), sharing->blocks().lines()});
  whole_ = std::make_unique<CsrMatrix<Space, T>>(pattern, a.symmetry());
  matrix_ = whole_.get();
  gather_values(a);
  if (a.described() != nullptr) whole_->describe_as(a.described());
  if (a.box() != a.described()) whole_->place_in(a.box());
}

template <class Space, class T>
void WholeMatrix<Space, T>::refresh(const CsrMatrix<Space, T>& a) {
  if (a.pattern().sharing() == nullptr) {
    matrix_ = &a;
    return;
  }
  gather_values(a);
  if (a.box_system() != whole_->box_system()) whole_->describe_as(a.described());
}

template <class Space, class T>
void WholeMatrix<Space, T>::gather_values(const CsrMatrix<Space, T>& a) {
  gather_in_space<Space>(a.pattern().sharing()->processes(), a.values().data(), sizes_,
                         whole_->values().data());
}

#define HODGE_WHOLE(Space, T)            \
  template class WholeVectors<Space, T>; \
  template class WholeMatrix<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_WHOLE)

}  // namespace hodge::linalg
