// The sections porous and sponges, from YAML and back.
#include <gtest/gtest.h>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim::resistances_settings_test {
namespace {

const std::vector<CaseSchema> tunnels{{.name = "tunnel", .parameters = {}, .dimensions = {2, 3}}};
const std::string head = "case: tunnel\ntime: {end: 2}\ngrid: {cells: [8, 8]}\n";

Settings settings_of(const std::string& text) {
  return settings_from_yaml(parse_yaml(text, "f.yaml"), "f", tunnels);
}

TEST(ResistancesSettings, are_none_unless_given) {
  EXPECT_FALSE(settings_of(head).resistances.any());
}

TEST(ResistancesSettings, survive_the_resolved_file) {
  const Settings once = settings_of(head + R"(porous:
  - {region: {sphere: {centre: [1, 2], radius: 3}, inside: true}, darcy: 100*x, forchheimer: 4}
  - {forchheimer: y}
sponges:
  - {rate: 1 + y, velocity: [2, x], scalars: {c: 3, d: x}}
  - {region: {box: {lower: [0, 0], upper: [1, 1]}}, rate: 2, scalars: {c: 0}}
)");
  const Settings twice = settings_of(settings_to_yaml(once));
  for (const Resistances& of : {once.resistances, twice.resistances}) {
    ASSERT_EQ(of.porous.size(), 2u);
    EXPECT_EQ(std::get<SphereShape>(of.porous[0].region.value().shape).radius, 3);
    EXPECT_TRUE(of.porous[0].region->inside_out);
    EXPECT_EQ(of.porous[0].darcy({0.5, 0, 0}, 0), 50);
    EXPECT_FALSE(of.porous[1].region);
    EXPECT_TRUE(of.porous[1].darcy.is_zero());
    ASSERT_EQ(of.sponges.size(), 2u);
    EXPECT_EQ((*of.sponges[0].velocity)[1]({7, 0, 0}, 0), 7);
    ASSERT_EQ(of.sponges[0].scalars.size(), 2u);
    EXPECT_EQ(of.sponges[0].scalars[1].first, "d");
    EXPECT_FALSE(of.sponges[1].velocity);
    EXPECT_TRUE(of.sponges[1].region);
  }
}

TEST(ResistancesSettings, are_refused_with_their_place) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      settings_of(head + text + "\n");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refused("porous: [{darcy: 0}]"),
            "f.yaml:4:10: porous[0] has no resistance, expected darcy or forchheimer");
  EXPECT_EQ(refused("sponges: [{rate: 1}]"),
            "f.yaml:4:11: sponges[0] relaxes nothing, expected velocity or scalars");
  EXPECT_EQ(refused("sponges: [{velocity: [1, 0]}]").substr(0, 41),
            "f.yaml:4:11: missing key 'rate' in sponge");
  EXPECT_EQ(refused("porous: [{darcy: t}]").substr(0, 52),
            "f.yaml:4:18: porous[0].darcy: the formula 't' has t ");
}

}  // namespace
}  // namespace hodge::sim::resistances_settings_test
