#include "sim/app/initial/stored_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

// Two cells beside each other, in two pieces or in one.
std::string plane_frame(const std::string& arrays_of_left,
                        const std::string& arrays_of_right = {}) {
  const std::string begin =
      "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 2 0 1 0 0\" Spacing=\"0.5 1 1\">"
      "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\">0.25</DataArray></FieldData>";
  const auto piece = [](const char* extent, const std::string& arrays) {
    return std::string("<Piece Extent=\"") + extent + "\"><CellData>" + arrays +
           "</CellData></Piece>";
  };
  const std::string pieces = arrays_of_right.empty() ? piece("0 2 0 1 0 0", arrays_of_left)
                                                     : piece("1 2 0 1 0 0", arrays_of_right) +
                                                           piece("0 1 0 1 0 0", arrays_of_left);
  return begin + pieces + "</ImageData></VTKFile>\n";
}

std::string array(const std::string& name, const std::string& values, int components = 1,
                  const std::string& type = "Float64") {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\">" + values + "</DataArray>";
}

class StoredFrame : public testing::Test {
 protected:
  StoredState state_of(const std::string& text, std::optional<double> time = std::nullopt) const {
    test::write_text(folder_ / "a.vti", text);
    return read_stored_frame(folder_ / "a.vti", {"heat"}, time);
  }
  std::string complaint(const std::string& text, std::optional<double> time = std::nullopt) const {
    return test::message_of<ConfigError>([&] { (void)state_of(text, time); });
  }

  test::TemporaryDirectory folder_;
};

TEST_F(StoredFrame, is_the_state_of_the_fields_that_the_run_has) {
  const StoredState state = state_of(
      plane_frame(array("velocity", "1 2 0 3 4 0", 3) + array("pressure", "5 6") +
                  array("heat", "7 8") + array("dye", "9 nan") + array("ids", "1 2", 1, "Int32")));
  EXPECT_EQ(state.dim, 2);
  EXPECT_EQ(state.edges[0], (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(state.velocity[0], (std::vector<double>{1, 3}));
  EXPECT_EQ(state.velocity[1], (std::vector<double>{2, 4}));
  EXPECT_TRUE(state.velocity[2].empty());
  EXPECT_EQ(state.pressure, (std::vector<double>{5, 6}));
  ASSERT_EQ(state.scalars.size(), 1u);
  EXPECT_EQ(*state.scalar("heat"), (std::vector<double>{7, 8}));
  EXPECT_THAT(state.origin, HasSubstr("a.vti: t = 0.25"));
}

// 101325 Pa and a thousandth of it are 0.008 Pa and 1e-5 Pa apart from their neighbours.
TEST_F(StoredFrame, leaves_out_a_pressure_that_single_precision_has_rounded_away) {
  const auto pressure_of = [&](const std::string& values, const std::string& type) {
    return state_of(
        plane_frame(array("velocity", "1 2 0 3 4 0", 3) + array("pressure", values, 1, type)));
  };
  const StoredState rounded = pressure_of("101325 101330", "Float32");
  EXPECT_TRUE(rounded.pressure.empty());
  EXPECT_THAT(rounded.origin,
              HasSubstr("its pressure, rounded to single precision, is solved for"));
  EXPECT_EQ(pressure_of("101.325 106.325", "Float32").pressure.size(), 2U);
  EXPECT_EQ(pressure_of("101325 101330", "Float64").pressure.size(), 2U);
  const std::string no_velocity = array("pressure", "101325 101325", 1, "Float32");
  EXPECT_EQ(state_of(plane_frame(no_velocity)).pressure.size(), 2U);
}

TEST_F(StoredFrame, puts_parts_of_a_file_in_their_places) {
  const StoredState state =
      state_of(plane_frame(array("velocity", "1 2 0", 3) + array("heat", "7"),
                           array("velocity", "3 4 0", 3) + array("heat", "8")));
  EXPECT_EQ(state.velocity[0], (std::vector<double>{1, 3}));
  EXPECT_EQ(state.velocity[1], (std::vector<double>{2, 4}));
  EXPECT_EQ(*state.scalar("heat"), (std::vector<double>{7, 8}));
}

TEST_F(StoredFrame, takes_a_mask_of_solids_of_any_type) {
  const StoredState state =
      state_of(plane_frame(array("heat", "7 8") + array("solid", "1 0", 1, "UInt8")));
  EXPECT_EQ(*state.scalar("heat"), (std::vector<double>{8, 8}));
}

TEST_F(StoredFrame, refuses_fields_of_integers_or_other_components_and_values_that_are_not_finite) {
  EXPECT_THAT(complaint(plane_frame(array("velocity", "1 2 0 3 4 0", 3, "Int8"))),
              HasSubstr("its velocity is of the type 'Int8', expected Float32 or Float64"));
  EXPECT_THAT(complaint(plane_frame(array("heat", "1 2", 1, "UInt16"))),
              HasSubstr("its heat is of the type"));
  EXPECT_THAT(complaint(plane_frame(array("velocity", "1 2 3 4", 2))),
              HasSubstr("its velocity has 2 components, expected 3"));
  EXPECT_THAT(complaint(plane_frame(array("pressure", "1 2 3 4", 2))),
              HasSubstr("its pressure has 2 components, expected 1"));
  for (const char* values : {"1 nan", "inf 1", "1 1e999"})
    EXPECT_NE(complaint(plane_frame(array("pressure", values))), "") << values;
  EXPECT_THAT(complaint(plane_frame(array("dye", "1 2"))),
              HasSubstr("have neither velocity nor pressure nor a scalar of this run"));
}

TEST_F(StoredFrame, refuses_another_time_than_the_collection_has) {
  const std::string frame = plane_frame(array("heat", "7 8"));
  EXPECT_EQ(state_of(frame, 0.25).dim, 2);
  EXPECT_THAT(complaint(frame, 0.5),
              HasSubstr("does not serve: it has t = 0.25, its collection says t = 0.5"));
}

}  // namespace
}  // namespace hodge::sim
