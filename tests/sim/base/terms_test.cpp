#include "sim/base/terms.hpp"

#include <gtest/gtest.h>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

using Names = std::vector<std::string>;

TEST(Terms, are_known_by_their_letters_and_digits_alone) {
  const Names names{"multigrid", "cn_ab2", "ssor_sai"};
  EXPECT_EQ(known_synonym("AMG", names), "multigrid");
  EXPECT_EQ(known_synonym("Crank-Nicolson", names), "cn_ab2");
  EXPECT_EQ(known_synonym("ilu(0)", names), "ssor_sai");
  EXPECT_EQ(known_synonym("am", names), "");
  EXPECT_EQ(known_synonym("amgs", names), "");
  EXPECT_EQ(known_synonym("", names), "");
  EXPECT_EQ(known_synonym("---", names), "");
}

TEST(Terms, mean_what_may_stand_there) {
  EXPECT_EQ(known_synonym("dt", Names{"cfl", "size"}), "size");
  EXPECT_EQ(known_synonym("dt", Names{"end", "step"}), "");
  EXPECT_EQ(known_synonym("xmin", Names{"cells", "lower"}), "lower");
  EXPECT_EQ(known_synonym("xmin", Names{"x_lower"}), "x_lower");
}

TEST(Terms, that_hodge_does_not_have_are_named) {
  EXPECT_EQ(answer_to("kEpsilon", Names{}), "turbulence models of this kind are not supported yet");
  EXPECT_EQ(answer_to("velocity", Names{"box", "sphere"}),
            "bodies that move are not supported yet");
  EXPECT_EQ(answer_to("velocity", Names{"pressure"}), "");
  EXPECT_EQ(answer_to("pow", Names{"atan2"}), "a power is written a^b");
}

TEST(Terms, come_before_names_that_look_alike) {
  EXPECT_EQ(nearest_name("symmetry", Names{"symmetri", "slip"}), "slip");
  EXPECT_EQ(suggestion("open", Names{"outflow", "pen"}), "did you mean 'outflow'? ");
  EXPECT_EQ(suggestion("rans", Names{"rans_", "trans"}),
            "turbulence models of this kind are not supported yet; ");
}

}  // namespace
}  // namespace hodge::sim
