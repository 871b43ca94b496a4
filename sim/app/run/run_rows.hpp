// The rows of a file of numbers that a run has written, with the columns `step` and `t` first.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace hodge::sim {

using RowCells = std::vector<std::string_view>;

// None where the cell is empty.
std::optional<double> number_in(std::string_view cell);

// header(names), then row(t, cells) for each row; nothing where the file is not there or empty.
// Errors: IoError where it cannot be read, or has rows that no run has written.
void read_rows(const std::filesystem::path& path,
               const std::function<void(const RowCells&)>& header,
               const std::function<void(double t, const RowCells&)>& row);

}  // namespace hodge::sim
