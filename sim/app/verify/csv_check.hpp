// Whether a CSV file of a run is whole: complete rows, as many cells as the header has columns,
// numbers that are numbers, steps and times that increase.
#pragma once

#include <filesystem>

namespace hodge::sim {

// What orders the rows of a file.
enum class RowOrder {
  every_step,       // the first column is the number of the step, each one more than the last
  increasing_step,  // the same, each more than the last
  growing_step,     // each at least the last; other cells may be text
  growing_time,     // the first column is a time, each at least the last
  none              // other cells may be text
};

// The number of rows below the header. Errors: IoError with the first line that is wrong.
long check_csv(const std::filesystem::path& path, RowOrder order);

}  // namespace hodge::sim
