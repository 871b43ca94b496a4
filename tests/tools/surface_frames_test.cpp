// Frames of surfaces as VTK reads them: those of staircases and of sharp bodies have the same
// arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/read_frame.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

constexpr const char* ball_in_box = R"yaml(
case: custom
grid: {cells: CELLS, lower: LOWER, upper: UPPER}
fluid: {viscosity: 0.1}
force: [1]
boundaries: {x_lower: periodic, x_upper: periodic}
solids: [{name: ball, sphere: {centre: CENTRE, radius: 0.3}, treatment: TREATMENT, scalars: {heat: {flux: 2}}}]
scalars: {heat: {diffusivity: 0.1}}
time: {end: 0.1, step: {size: 0.05}}
output: {frames: {every: 0.05}, surfaces: [ball]}
device: cpu
)yaml";

struct SurfaceFrame {
  std::vector<std::string> arrays;
  long cells = 0;
  double size = 0;                // of all cells, by their points
  std::array<double, 3> shift{};  // of the mean of their points from the centre of the body
  double heat = 0;
};

SurfaceFrame last_frame(const std::filesystem::path& run, double centre) {
  const auto listed = test::read_collection(run / "surfaces/ball.pvd");
  EXPECT_EQ(listed.size(), 3U);
  const auto data = test::read_with<vtkXMLPolyDataReader>(run / "surfaces" / listed[2].second);
  EXPECT_NEAR(test::time_value(data), 0.1, 1e-12);
  SurfaceFrame frame{{}, data->GetNumberOfCells()};
  for (int k = 0; k < data->GetCellData()->GetNumberOfArrays(); ++k)
    frame.arrays.emplace_back(data->GetCellData()->GetArrayName(k));
  for (vtkIdType i = 0; i < frame.cells; ++i) {
    vtkPoints* const points = data->GetCell(i)->GetPoints();
    std::array<double, 3> x{}, y{}, z{};
    points->GetPoint(0, x.data());
    points->GetPoint(1, y.data());
    if (points->GetNumberOfPoints() == 2) frame.size += std::hypot(y[0] - x[0], y[1] - x[1]);
    for (vtkIdType k = 2; k < points->GetNumberOfPoints(); ++k) {
      points->GetPoint(k - 1, y.data());
      points->GetPoint(k, z.data());
      std::array<double, 3> a{}, b{};
      for (std::size_t d = 0; d < 3; ++d) a[d] = y[d] - x[d], b[d] = z[d] - x[d];
      frame.size += 0.5 * std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                     a[0] * b[1] - a[1] * b[0]);
    }
    for (std::size_t d = 0; d < 3; ++d)
      frame.shift[d] += ((x[d] + y[d]) / 2 - centre) / static_cast<double>(frame.cells);
    frame.heat += data->GetCellData()->GetArray("heat_flux")->GetComponent(i, 0) /
                  static_cast<double>(frame.cells);
    EXPECT_EQ(data->GetCellData()->GetArray("friction")->GetNumberOfComponents(), 3);
  }
  return frame;
}

TEST(SurfaceFrames, of_sharp_bodies_are_their_surfaces_with_the_arrays_of_staircases) {
  for (const int dim : {2, 3}) {
    const auto list = [&](const std::string& one) {
      return "[" + one + ", " + one + (dim == 3 ? ", " + one : "") + "]";
    };
    std::vector<std::string> arrays;
    for (const char* treatment : {"staircase", "sharp"}) {
      SCOPED_TRACE(treatment);
      std::string text = ball_in_box;
      for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
               {"CELLS", list(dim == 2 ? "20" : "14")},
               {"LOWER", list("0")},
               {"UPPER", list("1")},
               {"CENTRE", list("0.51")},
               {"[1]", dim == 2 ? "[1, 0]" : "[1, 0, 0]"},
               {"TREATMENT", treatment}})
        text.replace(text.find(key), key.size(), value);
      const test::TemporaryDirectory folder;
      test::write_text(folder / "run.yaml", text);
      for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
               {"run", "run.yaml", "--output", "out"}, {"verify", "out"}}) {
        const test::ProgramResult result = test::run_hodge(words, folder.path());
        ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
        if (words[0] == "verify") {
          EXPECT_THAT(result.out, testing::HasSubstr("3 frames whole"));
        }
      }
      const SurfaceFrame frame = last_frame(folder / "out", 0.51);
      EXPECT_NEAR(frame.heat, 2, 1e-9);
      if (treatment == std::string("staircase")) {
        arrays = frame.arrays;
        EXPECT_EQ(arrays.size(), 5U);
        continue;
      }
      EXPECT_EQ(frame.arrays, arrays);
      const double pi = std::acos(-1.0), exact = dim == 2 ? 0.6 * pi : 0.36 * pi;
      EXPECT_NEAR(frame.size, exact, (dim == 2 ? 0.005 : 0.02) * exact);
      for (int d = 0; d < dim; ++d) EXPECT_NEAR(frame.shift[static_cast<std::size_t>(d)], 0, 0.02);
      EXPECT_EQ(std::filesystem::exists(folder / "out/surfaces/ball.csv"), dim == 2);
    }
  }
}

// The columns of a CSV file with a header, by name.
std::map<std::string, std::vector<double>> columns_of(const std::filesystem::path& file) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  for (const std::string& line : test::lines_of(file)) {
    const bool is_header = names.empty();
    std::stringstream cells(line);
    std::size_t k = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++k)
      is_header ? names.push_back(cell) : columns[names.at(k)].push_back(std::stod(cell));
  }
  return columns;
}

// By the trapezoidal rule, of a column at a face: steps are equal, and every one from `from` on is
// a frame.
struct MeanAndRms {
  double mean = 0, rms = 0;
};
MeanAndRms of_steps(const std::vector<double>& t, const std::vector<double>& q, std::size_t face,
                    std::size_t faces, double from) {
  std::vector<double> values;
  for (std::size_t i = face; i < t.size(); i += faces)
    if (t[i] > from - 1e-9) values.push_back(q[i]);
  const auto mean = [&](auto value) {
    double sum = 0;
    for (std::size_t k = 0; k + 1 < values.size(); ++k)
      sum += (value(values[k]) + value(values[k + 1])) / 2;
    return sum / static_cast<double>(values.size() - 1);
  };
  const double m = mean([](double v) { return v; });
  return {m, std::sqrt(mean([m](double v) { return (v - m) * (v - m); }))};
}

TEST(SurfaceFrames, have_averages_over_the_steps_of_the_statistics) {
  std::string text = ball_in_box;
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"CELLS", "[20, 20]"},
           {"LOWER", "[0, 0]"},
           {"UPPER", "[1, 1]"},
           {"CENTRE", "[0.51, 0.51]"},
           {"[1]", "[\"cos(9*t)\", 0]"},
           {"TREATMENT", "sharp"},
           {"flux: 2", "value: \"1 + t\""},
           {"end: 0.1", "end: 0.4"},
           {"surfaces: [ball]", "surfaces: [ball], statistics: {start: 0.1, end: 0.35}"}})
    text.replace(text.find(key), key.size(), value);
  const test::TemporaryDirectory folder;
  test::write_text(folder / "run.yaml", text);
  const test::ProgramResult result =
      test::run_hodge({"run", "run.yaml", "--output", "out"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  auto steps = columns_of(folder / "out/surfaces/ball.csv"),
       means = columns_of(folder / "out/surfaces/ball.means.csv");
  const std::size_t faces = steps["t"].size() / 9;
  ASSERT_EQ(means["t"].size(), 6 * faces);  // from t = 0.15 on
  ASSERT_GT(faces, 40U);
  const auto data = test::read_with<vtkXMLPolyDataReader>(folder / "out/surfaces/ball_000008.vtp");
  vtkCellData* const arrays = data->GetCellData();
  EXPECT_EQ(arrays->GetArray("mean_friction")->GetNumberOfComponents(), 3);
  vtkDataArray* const window = data->GetFieldData()->GetArray("MeanFromTo");
  EXPECT_NEAR(window->GetComponent(0, 0), 0.1, 1e-12);
  EXPECT_NEAR(window->GetComponent(0, 1), 0.35, 1e-12);
  const std::vector<double> until = {steps["t"].begin(),
                                     steps["t"].end() - static_cast<long>(faces)};
  for (const std::string column : {"pressure", "friction_x", "friction_y", "y_plus", "heat_flux"})
    for (std::size_t i = 0; i < faces; ++i) {
      const MeanAndRms exact = of_steps(until, steps[column], i, faces, 0.1);
      const double mean = means["mean_" + column][5 * faces + i];
      EXPECT_NEAR(mean, exact.mean, 1e-9) << column;
      EXPECT_NEAR(means["rms_" + column][5 * faces + i], exact.rms, 1e-9) << column;
      const bool is_vector = column.starts_with("friction");
      vtkDataArray* const in_frame =
          arrays->GetArray(is_vector ? "mean_friction" : ("mean_" + column).c_str());
      EXPECT_EQ(in_frame->GetComponent(static_cast<vtkIdType>(i), column == "friction_y" ? 1 : 0),
                mean);
    }
  EXPECT_GT(*std::ranges::max_element(means["rms_friction_x"]), 1e-3);
  EXPECT_GT(*std::ranges::max_element(means["rms_heat_flux"]), 1e-3);
  const auto first = test::read_with<vtkXMLPolyDataReader>(folder / "out/surfaces/ball_000002.vtp");
  EXPECT_EQ(first->GetCellData()->GetArray("mean_pressure"), nullptr);  // the window begins there
}

}  // namespace
}  // namespace hodge::tools
