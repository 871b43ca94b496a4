// Whether two run directories hold the same results, bit for bit.
//
// Compared: history.csv, compare.csv and compare_history.csv without their columns of wall-clock
// seconds, forces.csv, probes.csv, lines/*.csv, averages.csv, all of surfaces/, the collections and
// every frame in them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/support/read_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::test {

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

// Columns of wall-clock seconds, and what follows from them.
inline bool is_measured(const std::string& column) {
  return column.ends_with("seconds") || column == "share_of_copy";
}

// The rows of a CSV file without the columns that are measured.
inline std::vector<std::string> repeatable_rows(const std::filesystem::path& path) {
  std::vector<std::string> rows;
  std::vector<std::string> names;
  for (const std::string& line : lines_of(path)) {
    const std::vector<std::string> cells = cells_of(line);
    if (names.empty()) names = cells;
    std::string row;
    for (std::size_t i = 0; i < cells.size() && i < names.size(); ++i)
      if (!is_measured(names[i])) row += cells[i] + ",";
    rows.push_back(row + (cells.size() == names.size() ? "" : " (a broken row)"));
  }
  return rows;
}

inline void expect_same_rows(const std::filesystem::path& a, const std::filesystem::path& b,
                             const std::string& file) {
  ASSERT_EQ(std::filesystem::exists(a / file), std::filesystem::exists(b / file)) << file;
  const std::vector<std::string> left = repeatable_rows(a / file),
                                 right = repeatable_rows(b / file);
  ASSERT_EQ(left.size(), right.size()) << file;
  for (std::size_t i = 0; i < left.size(); ++i)
    ASSERT_EQ(left[i], right[i]) << file << " row " << i;
}

// Whether two frames, in one file or in pieces, have the same cells and values.
inline void expect_same_frame(const std::filesystem::path& a, const std::filesystem::path& b) {
  const vtkSmartPointer<vtkDataSet> left = read_data(a), right = read_data(b);
  ASSERT_EQ(left->GetNumberOfPoints(), right->GetNumberOfPoints()) << b;
  for (vtkIdType i = 0; i < left->GetNumberOfPoints(); ++i)
    for (int d = 0; d < 3; ++d) ASSERT_EQ(left->GetPoint(i)[d], right->GetPoint(i)[d]) << b;
  EXPECT_EQ(time_value(left), time_value(right));
  const int arrays = left->GetCellData()->GetNumberOfArrays();
  ASSERT_EQ(arrays, right->GetCellData()->GetNumberOfArrays()) << b;
  for (int k = 0; k < arrays; ++k) {
    const std::string name = left->GetCellData()->GetArrayName(k);
    EXPECT_NE(bytes_of_cells(left, name), "");
    EXPECT_TRUE(bytes_of_cells(left, name) == bytes_of_cells(right, name)) << b << " " << name;
  }
}

inline void expect_same_surfaces(const std::filesystem::path& a, const std::filesystem::path& b) {
  ASSERT_EQ(std::filesystem::exists(a / "surfaces"), std::filesystem::exists(b / "surfaces"));
  if (!std::filesystem::exists(a / "surfaces")) return;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(a / "surfaces")) {
    const std::filesystem::path other = b / "surfaces" / entry.path().filename();
    EXPECT_TRUE(read_text(entry.path()) == read_text(other)) << other;
    ++files;
  }
  const std::filesystem::directory_iterator others(b / "surfaces");
  EXPECT_EQ(std::distance(begin(others), end(others)), files);
}

// The files of rows.
inline void expect_same_rows_of_runs(const std::filesystem::path& a,
                                     const std::filesystem::path& b) {
  for (const char* file : {"history.csv", "forces.csv", "probes.csv", "averages.csv", "compare.csv",
                           "compare_history.csv"})
    expect_same_rows(a, b, file);
  if (std::filesystem::exists(a / "lines"))
    for (const auto& line : std::filesystem::directory_iterator(a / "lines"))
      expect_same_rows(a, b, "lines/" + line.path().filename().string());
  expect_same_surfaces(a, b);
}

// The same where frames of a run are pieces.
inline void expect_same_runs_in_pieces(const std::filesystem::path& a,
                                       const std::filesystem::path& b,
                                       const std::string& run_name) {
  expect_same_rows_of_runs(a, b);
  const auto left = read_collection(a / (run_name + ".pvd")),
             right = read_collection(b / (run_name + ".pvd"));
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].first, right[i].first);
    expect_same_frame(a / left[i].second, b / right[i].second);
  }
}

// Of the whole box, and of regions.
inline std::set<std::string> collections_of(const std::filesystem::path& run) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(run))
    if (entry.path().extension() == ".pvd") names.insert(entry.path().filename().string());
  return names;
}

inline void expect_same_runs(const std::filesystem::path& a, const std::filesystem::path& b,
                             const std::string& run_name) {
  expect_same_rows_of_runs(a, b);
  const std::set<std::string> collections = collections_of(a);
  EXPECT_EQ(collections.count(run_name + ".pvd"), 1U);
  EXPECT_EQ(collections_of(b), collections);
  for (const std::string& name : collections) {
    EXPECT_EQ(read_text(a / name), read_text(b / name));
    for (const auto& [time, file] : read_collection(a / name))
      EXPECT_TRUE(read_text(a / file) == read_text(b / file)) << file;
  }
}

}  // namespace hodge::test
