// Frames of surfaces as VTK reads them: those of staircases and of sharp bodies have the same
// arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <array>
#include <cmath>
#include <filesystem>
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
        EXPECT_EQ(arrays.size(), 4U);
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

}  // namespace
}  // namespace hodge::tools
