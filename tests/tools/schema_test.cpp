// The JSON schema of configurations: it takes every file that hodge takes, and refuses every wrong
// one that a schema can judge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "cases/registry.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/yaml_files.hpp"
#include "tools/hodge/schema/json_schema.hpp"

namespace hodge::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::filesystem::path source = tests::source_dir();

const test::JsonSchema& schema() {
  static const test::JsonSchema schema(json_schema(cases::known_cases()));
  return schema;
}

Json document(const std::string& text) {
  return json_of(sim::parse_yaml(text, "test"));
}

class GoodFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoodFile, is_taken_by_the_schema) {
  EXPECT_THAT(schema().complaints(json_of(sim::load_yaml(GetParam()))), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Configs, GoodFile, testing::ValuesIn(test::yaml_files(source / "configs")),
                         [](const auto& file) { return test::test_name(file.param); });

// Files whose mistake no schema can see, with what would be needed.
const std::map<std::string, std::string> beyond_a_schema{
    {"duplicate_key", "the text: a JSON object has a key once"},
    {"duplicate_key_in_braces", "the text"},
    {"duplicate_section", "the text"},
    {"exponent_for_whole_number", "the text: 1e2 is a whole number in JSON"},
    {"averages_without_means", "a field of another list"},
    {"vtkhdf_on_a_stretched_grid", "another section's value"},
    {"vtkhdf_in_pieces", "another key's value"},
    {"vtkhdf_with_an_encoding", "another key's value"},
    {"cfl_beyond_stability", "another key's value"},
    {"core_beyond_double_precision", "other keys' values"},
    {"grid_beyond_double_precision", "another key's value"},
    {"flow_rate_of_a_profile_in_time", "what a formula depends on"},
    {"flow_rate_of_a_profile_that_is_no_number", "the values of a formula"},
    {"flow_rate_of_no_profile", "the values of a formula"},
    {"flow_rate_of_place", "what a formula depends on"},
    {"strength_beyond_double_precision", "other keys' values"},
    {"frames_too_many", "another key's value"},
    {"time_end_denormal", "how exact numbers are"},
    {"probe_columns_twice", "names together"},
    {"reaction_with_a_long_derivative", "a parser of formulas"},
    {"scalars_too_many", "how many keys a map has"},
    {"box_of_broken_periods", "the case's own check"},
    {"box_of_another_case", "the case's own check"},
    {"waves_that_are_no_whole_number", "the case's own check"},
    {"buoyant_scalars_too_many", "how many scalars have a key"},
    {"viscosity_of_no_known_name", "a parser of formulas"},
    {"viscosity_not_positive", "the values of a formula"},
    {"viscosity_model_incomplete", "another key's value"},
    {"diffusivity_negative", "the values of a formula"},
    {"turbulence_in_2d", "another key's value"},
    {"average_of_no_dynamic_model", "another key's value"},
    {"force_of_w_in_2d", "a parser of formulas"},
    {"rotation_about_x_in_2d", "which number of a list is not 0"},
    {"rotation_in_too_long_steps", "another key's value"},
    {"core_of_all_cells", "arithmetic"},
    {"core_of_no_width", "arithmetic"},
    {"core_of_wide_cells", "arithmetic"},
    {"fixed_step_beyond_stability", "arithmetic"},
    {"flux_without_diffusivity", "another key's value"},
    {"parameter_named_as_a_function", "a list of names that are taken"},
    {"parameter_twice", "a map of JSON has each name once"},
    {"body_of_the_case_without_a_cell", "the case's own check"},
    {"convective_coefficient_negative_at_a_point", "a value of a formula"},
    {"diffusive_step_too_long", "another key's value"},
    {"force_that_is_no_number", "a value of a formula"},
    {"inflow_that_is_no_number", "a value of a formula"},
    {"initial_scalar_that_is_no_number", "a value of a formula"},
    {"initial_that_is_no_number", "a value of a formula"},
    {"names_of_an_initial_formula", "a parser of formulas"},
    {"sharp_bodies_with_a_gap_thinner_than_a_cell", "other keys' values"},
    {"sharp_body_and_direct_scalars_with_rk3", "another key's value"},
    {"sharp_body_and_staircase", "another body's treatment"},
    {"sharp_body_at_inflow", "another key's value"},
    {"sharp_body_that_conducts_what_reacts", "another key's value"},
    {"sharp_body_thinner_than_a_cell", "another key's value"},
    {"sharp_body_with_a_large_coefficient", "other keys' values"},
    {"sharp_body_with_quick", "another key's value"},
    {"solid_outside_the_grid", "another key's value"},
    {"solid_scalar_unknown", "the names of the file's scalars"},
    {"solid_scalar_without_diffusivity", "another key's value"},
    {"solid_that_touches_nothing", "another key's value"},
    {"solid_without_a_cell", "another key's value"},
    {"surface_of_nothing", "names of solids"},
    {"surface_of_two_names", "names of solids"},
    {"solids_everywhere", "another key's value"},
    {"solids_of_one_name", "names together"},
    {"surface_is_not_there", "a file"},
    {"time_in_an_initial_formula", "a parser of formulas"},
    {"undamped_scheme", "another key's value"},
    {"wall_that_is_no_number", "a value of a formula"},
    {"cg_as_transport_fallback", "the scheme"},
    {"cg_for_transport", "the scheme"},
    {"direct_for_scalars_with_robin_formula", "the system"},
    {"direct_for_transport", "the scheme"},
    {"direct_for_transport_with_solids", "the case's own solids"},
    {"direct_preconditioner_for_transport", "the system"},
    {"direct_with_solids", "the case's own solids"},
    {"fallback_is_the_method", "another key's value"},
    {"field_twice", "uniqueness"},
    {"formula_of_an_unknown_name", "a parser of formulas"},
    {"formula_with_an_open_parenthesis", "a parser of formulas"},
    {"inflow_without_outflow", "a balance"},
    {"inflow_behind_a_wall", "a balance"},
    {"inflow_behind_a_corner", "a balance"},
    {"inflow_half_covered", "a balance"},
    {"outflow_covered", "a balance"},
    {"core_without_cells", "another key's value"},
    {"strength_of_a_uniform_axis", "another key's value"},
    {"alpha_without_truncated", "another key's value"},
    {"degree_without_neumann", "another key's value"},
    {"omega_without_ssor", "another key's value"},
    {"omega_of_chebyshev", "another key's value"},
    {"omega_auto_of_multigrid", "another key's value"},
    {"order_of_multigrid", "another key's value"},
    {"cycle_without_multigrid", "another key's value"},
    {"cycle_f_with_cg", "another key's value"},
    {"guess_vectors_without_projection", "another key's value"},
    {"tolerance_1", "another key's value"},
    {"restart_without_gmres", "another key's value"},
    {"lower_above_default_upper", "arithmetic"},
    {"lower_is_upper", "arithmetic"},
    {"too_many_cells", "arithmetic"},
    {"periodic_on_one_side", "another key's value"},
    {"prescribed_velocity_without_scalars", "another key's value"},
    {"probe_beyond_the_box", "another key's value"},
    {"probe_of_an_unknown_field", "the names of the file's scalars"},
    {"signed_distance_without_solids", "another key's value"},
    {"unknown_field", "the names of the file's scalars"},
    {"probes_without_a_place", "one of two keys"},
    {"region_outside_the_box", "another key's value"},
    {"region_reversed", "another key's value"},
    {"region_that_is_a_point", "another key's value"},
    {"region_thinner_than_a_cell", "another key's value"},
    {"region_with_the_name_of_the_run", "the name of the file"},
    {"regions_of_names_that_differ_in_case", "a list of names that are taken"},
    {"scalar_condition_on_an_outflow", "another key's value"},
    {"scalar_of_a_coordinate_name", "a list of names that are taken"},
    {"whole_number_overflow", "32 bits"},
};

// One that is no YAML is left out: an editor says so without a schema.
TEST(Schema, refuses_the_wrong_files_that_are_not_beyond_one) {
  int compared = 0;
  for (const std::filesystem::path& file : test::yaml_files(source / "tests/tools/bad_configs")) {
    Json text;
    try {
      text = json_of(sim::load_yaml(file));
    } catch (const ConfigError&) {
      continue;
    }
    const std::string name = file.stem().string();
    EXPECT_EQ(schema().takes(text), beyond_a_schema.contains(name)) << name << ": " << text.dump(1);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(Schema, exceptions_are_files_that_exist) {
  for (const auto& [name, why] : beyond_a_schema)
    EXPECT_TRUE(std::filesystem::exists(source / "tests/tools/bad_configs" / (name + ".yaml")))
        << name;
}

const std::string least_cavity = "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n";

TEST(Schema, says_where_a_value_is_wrong) {
  EXPECT_THAT(schema().complaints(document(least_cavity)), IsEmpty());
  EXPECT_THAT(schema().complaints(document(least_cavity + "parameters: {reynolds: -1}\n")),
              ElementsAre(testing::StartsWith("/parameters/reynolds: -1 is against minimum")));
  EXPECT_THAT(schema().complaints(document(least_cavity + "solver: {}\n")),
              ElementsAre("/solver: not allowed"));
}

TEST(Schema, knows_the_sides_of_the_grid_that_the_file_has) {
  const auto with = [](const std::string& cells, const std::string& side) {
    return document("case: custom\ngrid: {cells: " + cells +
                    "}\ntime: {end: 1}\nfluid: {viscosity: 1}\nboundaries: {" + side + ": slip}\n");
  };
  EXPECT_TRUE(schema().takes(with("[8, 8]", "y_lower")));
  EXPECT_FALSE(schema().takes(with("[8, 8]", "z_lower")));
  EXPECT_TRUE(schema().takes(with("[8, 8, 8]", "z_lower")));
}

TEST(Schema, an_inflow_has_a_velocity_unless_it_is_prescribed_everywhere) {
  const auto takes = [](const std::string& side, const std::string& flow) {
    return schema().takes(document("case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n" + flow +
                                   "\nboundaries: {x_lower: " + side + ", x_upper: outflow}\n"));
  };
  const std::string fluid = "fluid: {viscosity: 1}";
  const std::string prescribed = "prescribed_velocity: [1, 0]";
  EXPECT_TRUE(takes("{kind: inflow, velocity: [1, 0]}", fluid));
  EXPECT_FALSE(takes("{kind: inflow}", fluid));
  EXPECT_FALSE(takes("inflow", fluid));
  EXPECT_TRUE(takes("inflow", prescribed));
  EXPECT_TRUE(takes("{kind: inflow}", prescribed));
  EXPECT_FALSE(takes("{kind: inflow, velocity: [1, 0]}", prescribed));
}

TEST(Schema, takes_numbers_where_formulas_stand_and_no_text_in_place_of_numbers) {
  const auto with = [](const std::string& viscosity) {
    return document("case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1}\nfluid: {viscosity: " +
                    viscosity + "}\n");
  };
  EXPECT_TRUE(schema().takes(with("1e-3")));
  EXPECT_TRUE(schema().takes(with("1/100")));
  EXPECT_FALSE(schema().takes(with("-1")));
  EXPECT_FALSE(schema().takes(with("true")));
  EXPECT_FALSE(
      schema().takes(document("case: custom\ngrid: {cells: [8, 8]}\ntime: {end: '1'}\n"
                              "fluid: {viscosity: 1}\n")));
}

// Every key of every case, with its path.
void visit_keys(const sim::ValueShape& shape, const std::string& path,
                const std::function<void(const sim::KeyShape&, const std::string&)>& visit) {
  for (const sim::KeyShape& key : shape.keys) {
    const std::string at = path + "/" + key.name;
    visit(key, at);
    visit_keys(key.value, at, visit);
  }
  for (const auto* inner : {&shape.items, &shape.named, &shape.choices})
    for (const sim::ValueShape& part : *inner) visit_keys(part, path + "/*", visit);
}

TEST(Schema, every_key_of_every_case_says_what_it_is_and_what_it_takes) {
  const std::vector<sim::CaseSchema> cases = cases::known_cases();
  for (const sim::CaseSchema& entry : cases)
    for (const int dim : entry.dimensions)
      visit_keys(sim::file_shape(entry, dim, cases), entry.name,
                 [](const sim::KeyShape& key, const std::string& path) {
                   EXPECT_NE(key.description, "") << path;
                   EXPECT_NE(key.value.kind, sim::ValueShape::Kind::any) << path;
                 });
}

TEST(Schema, descriptions_of_numbers_and_formulas_say_what_these_may_be) {
  using enum sim::ValueShape::Kind;
  for (const auto kind : {any, number, whole_number, formula, text, yes_or_no, list, map}) {
    sim::ValueShape all, value;
    all.kind = map;
    value.kind = kind;
    value.expected = "a size";
    all.keys.push_back({"size", "of the box", false, value});
    Definitions definitions;
    const bool says = kind == number || kind == whole_number || kind == formula;
    EXPECT_EQ(schema_of(all, "box", definitions)["properties"]["size"]["description"],
              says ? "of the box (a size)" : "of the box")
        << static_cast<int>(kind);
  }
}

TEST(Schema, defaults_are_taken_by_their_own_schemas) {
  const Json all = json_schema(cases::known_cases());
  const std::function<void(const Json&)> visit = [&](const Json& part) {
    if (part.is_object() && part.contains("default")) {
      Json alone = part;
      alone["definitions"] = all["definitions"];
      EXPECT_THAT(test::JsonSchema(alone).complaints(part["default"]), IsEmpty()) << part.dump(1);
    }
    if (part.is_structured())
      for (const auto& item : part.items()) visit(item.value());
  };
  visit(all);
}

TEST(Schema, the_command_writes_it_to_the_output_or_a_file) {
  const test::TemporaryDirectory folder;
  const test::ProgramResult shown = test::run_hodge({"schema"}, folder.path());
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(Json::parse(shown.out), json_schema(cases::known_cases()));
  EXPECT_EQ(test::run_hodge({"schema", "--output", "hodge.json"}, folder.path()).exit_code, 0);
  EXPECT_EQ(test::read_text(folder.path() / "hodge.json"), shown.out);
}

// Another implementation has to agree: Debian's python3-jsonschema, where it is installed.
TEST(Schema, is_valid_draft_7_in_the_eyes_of_another_implementation) {
  if (std::system("python3 -c 'import jsonschema' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "schema.json") << json_schema(cases::known_cases());
  for (const auto& file : test::yaml_files(source / "configs"))
    std::ofstream(folder.path() / (file.stem().string() + ".good.json"))
        << json_of(sim::load_yaml(file));
  std::ofstream(folder.path() / "check.py") << R"py(import glob, json, jsonschema, sys
schema = json.load(open("schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
bad = [(f, e.message) for f in glob.glob("*.good.json") for e in validator.iter_errors(json.load(open(f)))]
bad += [("end", "a wrong file is taken")] * validator.is_valid(
    {"case": "lid_driven_cavity", "grid": {"cells": [8, 8]}, "time": {"end": 0}})
sys.exit("\n".join(map(str, bad)) or 0)
)py";
  const std::string command = "cd '" + folder.path().string() + "' && python3 check.py";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace hodge::tools
