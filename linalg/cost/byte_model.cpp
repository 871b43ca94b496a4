#include "linalg/cost/byte_model.hpp"

namespace hodge::linalg {

namespace {

// Values, and their columns or the masks of the diagonals.
double entries_bytes(const SystemSize& size, double entries) {
  const double value = static_cast<double>(size.value_size);
  if (size.few_diagonals) return entries * value + static_cast<double>(size.masks());
  return entries * (value + sizeof(int));
}

double offsets_bytes(const SystemSize& size) {
  return static_cast<double>(size.rows * sizeof(int));
}

double off_diagonal(const SystemSize& size) {
  return size.nonzeros > size.rows ? static_cast<double>(size.nonzeros - size.rows) : 0.0;
}

}  // namespace

double vectors_bytes(const SystemSize& size, double count) {
  return count * static_cast<double>(size.rows * size.value_size);
}

double product_bytes(const SystemSize& size) {
  if (size.box != BoxForm::none)
    return vectors_bytes(size, 2) + (size.box == BoxForm::some_cells ? 2 * offsets_bytes(size) : 0);
  return entries_bytes(size, static_cast<double>(size.nonzeros)) + offsets_bytes(size) +
         vectors_bytes(size, 2);
}

double triangle_sweep_bytes(const SystemSize& size, bool b_is_x) {
  return entries_bytes(size, off_diagonal(size) / 2) + 2 * offsets_bytes(size) +
         vectors_bytes(size, b_is_x ? 3 : 4);
}

double full_sweep_bytes(const SystemSize& size, bool b_is_x) {
  return entries_bytes(size, static_cast<double>(size.nonzeros)) + 2 * offsets_bytes(size) +
         vectors_bytes(size, b_is_x ? 3 : 4);
}

double share_of_copy(double bytes, double seconds, double copy_bandwidth) {
  return seconds > 0 && copy_bandwidth > 0 ? bytes / seconds / copy_bandwidth : 0.0;
}

}  // namespace hodge::linalg
