// A run that begins with the fields of another one, as a user makes it do so. Over 400 lines: all
// kinds of files that a state is read from.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vtkCellData.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/read_frame.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string steady_cavity =
    "case: lid_driven_cavity\nparameters: {reynolds: 100}\ngrid: {cells: [16, 16]}\n"
    "time: {end: 1, step: {size: 0.05}}\noutput: {directory: before}\ndevice: cpu\n";

const std::string heated =
    "case: custom\ngrid: {cells: [24, 16]}\nfluid: {viscosity: 0.01}\n"
    "scalars: {heat: {diffusivity: 0.01, initial: \"y < 0.5 ? 1 : 0\"}}\n"
    "solids: [{box: {lower: [0.25, 0], upper: [0.5, 0.25]}}]\n"
    "boundaries: {y_upper: {kind: wall, velocity: [1, 0]}}\n"
    "time: {end: 0.5, step: {size: 0.05}}\noutput: {directory: heated}\ndevice: cpu\n";

class InitialFrom : public ::testing::Test {
 protected:
  InitialFrom() {
    test::write_text(folder_ / "cavity.yaml", steady_cavity);
    test::write_text(folder_ / "heated.yaml", heated);
  }

  test::ProgramResult hodge(std::vector<std::string> arguments) const {
    return test::run_hodge(std::move(arguments), folder_.path());
  }
  void run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"run", "--quiet"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const test::ProgramResult result = hodge(all);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  // What is said of a wrong run.
  std::string refusal(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"check"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const test::ProgramResult result = hodge(all);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  }
  vtkSmartPointer<vtkImageData> frame(const std::string& name) const {
    return test::read_image(folder_ / name);
  }
  double difference(const std::string& a, const std::string& b, const char* field,
                    vtkIdType first_cell = 0) const {
    const auto first = frame(a), second = frame(b);
    vtkDataArray* const one = first->GetCellData()->GetArray(field);
    vtkDataArray* const other = second->GetCellData()->GetArray(field);
    if (one == nullptr || other == nullptr) throw std::runtime_error("no such field");
    double largest = 0;
    for (vtkIdType i = first_cell; i < one->GetNumberOfTuples(); ++i)
      for (int c = 0; c < one->GetNumberOfComponents(); ++c)
        largest = std::max(largest, std::abs(one->GetComponent(i, c) - other->GetComponent(i, c)));
    return largest;
  }

  test::TemporaryDirectory folder_;
};

const std::string before = "before/frames/cavity_000001.vti";

TEST_F(InitialFrom, a_run_begins_with_the_fields_of_its_source_on_the_same_grid) {
  run({"cavity.yaml"});
  run({"cavity.yaml", "--set", "initial.from=before", "--output", "after", "--set",
       "time.steps=1"});
  EXPECT_LT(difference(before, "after/frames/cavity_000000.vti", "velocity"), 1e-6);
  EXPECT_LT(difference(before, "after/frames/cavity_000000.vti", "pressure"), 1e-5);
  EXPECT_THAT(test::read_text(folder_ / "after/log.txt"),
              HasSubstr("before/checkpoints/cavity_00000020.h5: step 20, t = 1"));
}

TEST_F(InitialFrom, a_finer_grid_another_scheme_and_reynolds_number_go_on_from_it) {
  run({"cavity.yaml"});
  run({"cavity.yaml", "--set", "initial.from=before", "--output", "after", "--set",
       "grid.cells=[32, 32]", "--set", "parameters.reynolds=400", "--set", "time.scheme=rk3",
       "--set", "convection.scheme=weno5", "--set", "time.step.size=0.005", "--set",
       "time.steps=2"});
  const auto coarse = frame(before), fine = frame("after/frames/cavity_000000.vti");
  vtkDataArray* const u = coarse->GetCellData()->GetArray("velocity");
  vtkDataArray* const v = fine->GetCellData()->GetArray("velocity");
  double largest = 0;
  for (int j = 2; j < 14; ++j)
    for (int i = 2; i < 14; ++i) {
      double mean = 0;
      for (const int k : {0, 1, 32, 33}) mean += 0.25 * v->GetComponent(2 * i + 64 * j + k, 0);
      largest = std::max(largest, std::abs(mean - u->GetComponent(i + 16 * j, 0)));
    }
  EXPECT_LT(largest, 0.02);
  EXPECT_GT(std::abs(v->GetComponent(32 * 28 + 16, 0)), 0.05);  // it moves
}

// From a coarser grid and another Reynolds number most is saved of the first part.
TEST_F(InitialFrom, a_continued_run_comes_to_the_same_steady_state_in_fewer_steps) {
  const auto steady = [&](const std::string& name, int cells, int reynolds, const char* tolerance,
                          const std::string& from = {}) {
    std::vector<std::string> words{
        "cavity.yaml", "--output",
        name,          "--overwrite",
        "--set",       "time.end=100",
        "--set",       "time.scheme=backward_euler",
        "--set",       "time.step.size=0.1",
        "--set",       fmt::format("time.steady.tolerance={}", tolerance),
        "--set",       fmt::format("grid.cells=[{0}, {0}]", cells),
        "--set",       fmt::format("parameters.reynolds={}", reynolds)};
    if (!from.empty()) words.insert(words.end(), {"--set", "initial.from=" + from});
    run(words);
    return nlohmann::json::parse(test::read_text(folder_ / name / "summary.json"));
  };
  steady("coarse", 24, 100, "1.0e-6");
  const auto early = steady("rest", 48, 110, "1.0e-3"),
             early_continued = steady("continued", 48, 110, "1.0e-3", "coarse");
  EXPECT_LT(double(early_continued["steps"]), 0.4 * double(early["steps"]));
  const auto rest = steady("rest", 48, 110, "1.0e-6"),
             continued = steady("continued", 48, 110, "1.0e-6", "coarse");
  EXPECT_LT(double(continued["steps"]), 0.8 * double(rest["steps"]));
  const auto energy = [](const auto& of) {
    return double(of["results"]["quantities"]["kinetic_energy"]["final"]);
  };
  EXPECT_NEAR(energy(continued), energy(rest), 1e-6 * energy(rest));
}

TEST_F(InitialFrom, a_frame_serves_as_well) {
  run({"cavity.yaml"});
  for (const std::string& from : {before, std::string("before/cavity.pvd")}) {
    run({"cavity.yaml", "--set", "initial.from=" + from, "--output", "after", "--overwrite",
         "--set", "time.steps=1"});
    EXPECT_LT(difference(before, "after/frames/cavity_000000.vti", "velocity"), 0.1);
    EXPECT_LT(difference(before, "after/frames/cavity_000000.vti", "pressure"), 1e-5);
  }
}

TEST_F(InitialFrom, the_last_of_the_frames_in_one_file_serves_as_well) {
  run({"cavity.yaml"});
  run({"cavity.yaml", "--output", "one", "--set", "output.format=vtkhdf"});
  EXPECT_FALSE(fs::exists(folder_ / "one/frames"));
  const auto begun_from = [&](const std::string& from) {
    run({"cavity.yaml", "--set", "initial.from=" + from, "--output", "after", "--overwrite",
         "--set", "time.steps=1"});
    return test::read_text(folder_ / "after/frames/cavity_000001.vti");
  };
  fs::remove_all(folder_ / "one/checkpoints");
  const std::string wanted = begun_from(before);
  EXPECT_EQ(begun_from("one/cavity.vtkhdf"), wanted);
  EXPECT_EQ(begun_from("one"), wanted);
  fs::copy(folder_ / "one/cavity.vtkhdf", folder_ / "alone.vtkhdf");
  fs::remove(folder_ / "one/manifest.txt");
  EXPECT_EQ(begun_from("one"), wanted);
  EXPECT_EQ(begun_from("alone.vtkhdf"), wanted);
}

// Arrays of another precision go on under other names.
TEST_F(InitialFrom, a_file_of_frames_may_have_changed_its_precision) {
  const std::string one_file = "output.format=vtkhdf";
  run({"cavity.yaml", "--output", "one", "--set", one_file});
  run({"cavity.yaml", "--output", "one", "--set", one_file, "--set", "time.end=1.5", "--set",
       "output.precision=double", "--restart", "latest"});
  run({"cavity.yaml", "--output", "other", "--set", "time.end=1.5", "--set",
       "output.precision=double"});
  for (const char* from : {"one/cavity.vtkhdf", "other/cavity.pvd"})
    run({"cavity.yaml", "--set", std::string("initial.from=") + from, "--output",
         std::string("from_") + from[1], "--set", "time.steps=1"});
  EXPECT_EQ(
      difference("from_n/frames/cavity_000001.vti", "from_t/frames/cavity_000001.vti", "velocity"),
      0);
}

TEST_F(InitialFrom, a_damaged_file_of_frames_is_refused_in_one_line) {
  run({"cavity.yaml", "--output", "one", "--set", "output.format=vtkhdf"});
  const std::string whole = test::read_text(folder_ / "one/cavity.vtkhdf");
  EXPECT_EQ(hodge({"verify", "one/cavity.vtkhdf"}).exit_code, 0);
  std::string flipped = whole;
  flipped[1000] ^= 4;  // in a chunk of the first frame, which nobody asks for
  test::write_text(folder_ / "damaged.vtkhdf", flipped);
  EXPECT_EQ(hodge({"verify", "damaged.vtkhdf"}).exit_code, 4);
  const std::vector<std::string> words{
      "run", "cavity.yaml", "--set", "initial.from=damaged.vtkhdf", "--output", "none"};
  for (const std::string& text : {whole.substr(0, whole.size() / 2), whole.substr(0, 100),
                                  std::string(), std::string("no frames") + whole}) {
    test::write_text(folder_ / "damaged.vtkhdf", text);
    const test::ProgramResult result = hodge(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("initial.from: "), HasSubstr("damaged.vtkhdf is damaged: ")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "none"));
  }
}

TEST_F(InitialFrom, an_inline_frame_has_the_same_values_and_serves_as_well) {
  run({"cavity.yaml"});
  run({"cavity.yaml", "--set", "output.encoding=inline", "--output", "text"});
  const std::string text = "text/frames/cavity_000001.vti";
  EXPECT_THAT(test::read_text(folder_ / text), Not(HasSubstr("AppendedData")));
  for (const char* field : {"velocity", "pressure", "vorticity"})
    EXPECT_EQ(difference(before, text, field), 0) << field;
  EXPECT_EQ(hodge({"verify", "text"}).exit_code, 0);
  for (const std::string& from : {before, text})
    run({"cavity.yaml", "--set", "initial.from=" + from, "--output", from.substr(0, 2), "--set",
         "time.steps=1"});
  EXPECT_EQ(difference("be/frames/cavity_000001.vti", "te/frames/cavity_000001.vti", "velocity"),
            0);
  run({"cavity.yaml", "--restart", "latest", "--output", "text", "--set", "time.end=1.2", "--set",
       "output.encoding=appended"});
  EXPECT_EQ(hodge({"verify", "text"}).exit_code, 0);
}

TEST_F(InitialFrom, scalars_come_along_and_new_ones_need_an_initial_value) {
  run({"heated.yaml"});
  const std::vector<std::string> same{"heated.yaml", "--set", "initial.from=heated",
                                      "--output",    "after", "--overwrite"};
  std::vector<std::string> all = same;
  all.insert(all.end(), {"--set", "scalars.dye={diffusivity: 0.1, initial: x}"});
  run(all);
  constexpr vtkIdType above_the_body = 24 * 4;  // the values within bodies mean nothing
  EXPECT_LT(difference("heated/frames/heated_000001.vti", "after/frames/heated_000000.vti", "heat",
                       above_the_body),
            1e-6);
  EXPECT_NEAR(frame("after/frames/heated_000000.vti")->GetCellData()->GetArray("dye")->GetTuple1(0),
              0.5 / 24, 1e-7);
  all = same;
  all.insert(all.end() - 3, {"--set", "scalars.dye={diffusivity: 0.1}"});
  all.resize(all.size() - 3);
  EXPECT_THAT(refusal(all), AllOf(HasSubstr("--set initial.from=heated: initial.from: "),
                                  HasSubstr("has no scalar dye, expected one, or "
                                            "scalars.dye.initial")));
}

TEST_F(InitialFrom, a_plane_state_begins_a_flow_in_space) {
  run({"heated.yaml"});
  run({"heated.yaml", "--set", "initial.from=heated", "--output", "after", "--set",
       "grid.cells=[12, 8, 4]", "--set",
       "boundaries={y_upper: {kind: wall, velocity: [1, 0, 0]}, z_lower: periodic, z_upper: "
       "periodic}",
       "--set", "solids=[]", "--set", "time.steps=1"});
  const auto data = frame("after/frames/heated_000000.vti");
  vtkDataArray* const heat = data->GetCellData()->GetArray("heat");
  for (int i = 0; i < 12 * 8; ++i)
    EXPECT_EQ(heat->GetTuple1(i), heat->GetTuple1(i + 3 * 12 * 8)) << i;
}

TEST_F(InitialFrom, config_yaml_says_all_and_a_restart_needs_no_source) {
  run({"cavity.yaml"});
  run({"cavity.yaml", "--set", "initial.from=before", "--output", "after", "--set",
       "time.end=0.5"});
  const std::string source = (folder_ / "before").string();
  EXPECT_THAT(test::read_text(folder_ / "after/config.yaml"),
              AllOf(HasSubstr("initial:\n  from: "), HasSubstr(source), Not(HasSubstr("\\\""))));
  run({"after/config.yaml", "--output", "again"});
  EXPECT_EQ(
      difference("after/frames/cavity_000001.vti", "again/frames/cavity_000001.vti", "velocity"),
      0);
  fs::remove_all(source);
  run({"after/config.yaml", "--restart", "latest", "--output", "after", "--set", "time.end=0.6"});
}

// u = sin(pi x) cos(pi y), v = -cos(pi x) sin(pi y), dye = 1 + x, rows upside down.
std::string points_of_vortex(int n) {
  std::string text = "dye,y,x,velocity_y,velocity_x\n";
  for (int k = n * n - 1; k >= 0; --k) {
    const double x = (k % n + 0.5) / n, y = (k / n + 0.5) / n, pi = std::acos(-1.0);
    text += fmt::format("{},{},{},{},{}\n", 1 + x, y, x, -std::cos(pi * x) * std::sin(pi * y),
                        std::sin(pi * x) * std::cos(pi * y));
  }
  return text;
}

const std::string vortex =
    "case: custom\ngrid: {cells: [24, 24]}\nfluid: {viscosity: 0.01}\n"
    "scalars: {dye: {diffusivity: 0.01}}\ninitial: {from: fields.csv}\n"
    "boundaries: {x_lower: slip, x_upper: slip, y_lower: slip, y_upper: slip}\n"
    "time: {end: 0.02, step: {size: 0.01}}\noutput: {directory: vortex}\ndevice: cpu\n";

TEST_F(InitialFrom, points_of_a_csv_file_begin_a_run_on_another_grid) {
  test::write_text(folder_ / "vortex.yaml", vortex);
  test::write_text(folder_ / "fields.csv", points_of_vortex(32));
  run({"vortex.yaml"});
  const auto data = frame("vortex/frames/vortex_000000.vti");
  vtkDataArray* const u = data->GetCellData()->GetArray("velocity");
  vtkDataArray* const dye = data->GetCellData()->GetArray("dye");
  for (int i = 0; i < 24 * 24; ++i) {
    const double x = (i % 24 + 0.5) / 24, y = (i / 24 + 0.5) / 24, pi = std::acos(-1.0);
    EXPECT_NEAR(u->GetComponent(i, 0), std::sin(pi * x) * std::cos(pi * y), 0.02) << i;
    EXPECT_NEAR(u->GetComponent(i, 1), -std::cos(pi * x) * std::sin(pi * y), 0.02) << i;
    EXPECT_NEAR(dye->GetTuple1(i), 1 + x, 0.01) << i;
  }
  EXPECT_THAT(test::read_text(folder_ / "vortex/log.txt"), HasSubstr("fields.csv: 1024 points"));
  const test::ProgramResult plan = hodge({"run", "--dry-run", "vortex.yaml", "--overwrite"});
  EXPECT_THAT(plan.out, HasSubstr("for frames on their way to the disk and the fields to begin"));
}

TEST_F(InitialFrom, a_csv_file_without_what_the_run_needs_is_refused) {
  test::write_text(folder_ / "vortex.yaml", vortex);
  test::write_text(folder_ / "fields.csv", "x,y,dye\n0,0,1\n1,0,1\n0,1,1\n1,1,1\n");
  EXPECT_THAT(refusal({"vortex.yaml"}),
              AllOf(HasSubstr("vortex.yaml:5:17: initial.from: "),
                    HasSubstr("has no velocity, expected"), HasSubstr("with the columns u, v")));
  test::write_text(folder_ / "fields.csv", "x,y,u,v,die\n");
  EXPECT_THAT(refusal({"vortex.yaml"}),
              HasSubstr("fields.csv:1: unknown column 'die', did you mean 'dye'? known columns: x, "
                        "y, z, u, v, w, pressure, dye"));
  test::write_text(folder_ / "fields.csv",
                   "x,y,u,v,dye\n0,0,1,1,1\n0.2,0,1,1,1\n0,1,1,1,1\n0.2,1,1,1,1\n");
  EXPECT_THAT(refusal({"vortex.yaml"}),
              HasSubstr("go from 0 to 0.2 along x and the grid from 0 to 1, expected a grid within "
                        "one distance of points from them"));
}

TEST_F(InitialFrom, wrong_sources_are_named) {
  run({"cavity.yaml"});
  const auto from = [&](const std::string& path, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"cavity.yaml", "--set", "initial.from=" + path});
    return refusal(more);
  };
  EXPECT_THAT(from("nowhere"),
              HasSubstr("nowhere does not exist, expected a run directory, a "
                        "checkpoint (.h5), frames (.vti, .vtr, .pvti, .pvtr, .pvd, .vtkhdf) or "
                        "points (.csv)"));
  EXPECT_THAT(from("before/frames"), HasSubstr("has neither checkpoints nor frames"));
  test::write_text(folder_ / "none.pvd",
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                   "byte_order=\"LittleEndian\">\n  <Collection>\n  </Collection>\n</VTKFile>\n");
  EXPECT_THAT(from("none.pvd"), HasSubstr("none.pvd lists no frame"));
  EXPECT_THAT(from("cavity.yaml"), HasSubstr("cavity.yaml"));
  test::write_text(folder_ / "half.yaml", steady_cavity + "initial: {from: none.vti}\n");
  EXPECT_THAT(refusal({"half.yaml"}), AllOf(HasSubstr("half.yaml:7:17: initial.from: "),
                                            HasSubstr("none.vti does not exist")));
  const std::vector<std::string> wide{"heated.yaml", "--set", "initial.from=before", "--set",
                                      "grid.upper=[2, 1]"};
  EXPECT_THAT(refusal(wide), HasSubstr("goes from 0 to 1 along x and the grid from 0 to 2, "
                                       "expected a grid within it"));
  test::write_text(folder_ / "space.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [8, 8, 8]}\ntime: {end: 1, steps: 1}\n"
                   "output: {directory: space}\ndevice: cpu\n");
  run({"space.yaml"});
  EXPECT_THAT(from("space"), HasSubstr("is 3D and the grid 2D, expected a state of the same "
                                       "dimension or a plane one"));
  EXPECT_THAT(refusal({"heated.yaml", "--set", "initial={from: before, pressure: x}"}),
              HasSubstr("expected only one of them"));
}

// Without the checksum, which would tell every one of these changes.
std::string changed(std::string frame, const std::string& from, const std::string& to) {
  const std::size_t seal = frame.find("<!-- hodge");
  frame.erase(seal, frame.find('\n', seal) - seal);
  return frame.replace(frame.find(from), from.size(), to);
}

TEST_F(InitialFrom, a_damaged_frame_is_refused_in_one_line_before_anything_is_written) {
  run({"cavity.yaml"});
  const std::string whole = test::read_text(folder_ / before);
  std::string flipped = whole;
  flipped[whole.size() - 1500] ^= 4;
  const std::string half =
      changed(whole, "<?xml version=\"1.0\"?>", "").substr(0, whole.size() / 2);
  for (const std::string& text :
       {flipped, half, whole.substr(0, 100), std::string(),
        changed(whole, "NumberOfComponents=\"3\"", "NumberOfComponents=\"1000000000\""),
        changed(whole, "Spacing=\"0.0625", "Spacing=\"nan"),
        changed(whole, "type=\"Float32\"", "type=\"Int8\""),
        changed(whole, "Extent=\"0 16 0 16 0 0\"", "Extent=\"0 16 0 160000000 0 0\"")}) {
    test::write_text(folder_ / "damaged.vti", text);
    EXPECT_THAT(refusal({"cavity.yaml", "--set", "initial.from=damaged.vti"}),
                HasSubstr("damaged.vti"));
    const test::ProgramResult result =
        hodge({"run", "cavity.yaml", "--set", "initial.from=damaged.vti", "--output", "none"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "none"));
    EXPECT_EQ(hodge({"verify", "damaged.vti"}).exit_code, 4);
  }
  EXPECT_THAT(hodge({"verify", before}).out, HasSubstr("whole, t = 1"));
}

TEST_F(InitialFrom, a_frame_of_another_time_than_its_collection_has_is_refused) {
  run({"cavity.yaml"});
  fs::copy_file(folder_ / "before/frames/cavity_000000.vti", folder_ / before,
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(refusal({"cavity.yaml", "--set", "initial.from=before/cavity.pvd"}),
              HasSubstr("it has t = 0, its collection says t = 1"));
}

TEST_F(InitialFrom, the_resolved_configuration_has_the_absolute_path_of_a_table) {
  test::write_text(folder_ / "lid.csv", "t,u\n0,0\n1,1\n");
  test::write_text(folder_ / "lid.yaml",
                   "case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosity: 0.1}\nboundaries:\n"
                   "  y_upper: {kind: wall, velocity: [\"table('lid.csv', t)\", 0]}\n"
                   "time: {end: 0.4, step: {size: 0.1}}\noutput: {directory: lid}\ndevice: cpu\n");
  run({"lid.yaml"});
  EXPECT_THAT(test::read_text(folder_ / "lid/config.yaml"),
              HasSubstr((folder_ / "lid.csv").string()));
  run({"lid/config.yaml", "--output", "again"});
  EXPECT_EQ(difference("lid/frames/lid_000001.vti", "again/frames/lid_000001.vti", "velocity"), 0);
  test::write_text(folder_ / "lid.csv", "t,u\n0,0\n1,x\n");
  EXPECT_THAT(refusal({"lid.yaml"}),
              AllOf(HasSubstr("lid.yaml:5:"), HasSubstr("lid.csv:3: 'x' is no finite number")));
}

}  // namespace
}  // namespace hodge::tools
