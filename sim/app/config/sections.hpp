// The tables of the sections of a configuration, one file each, and the values that several of them
// have. See settings_yaml.hpp.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/config/case_schema.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// What formulas at one place of a file may be made of.
struct FormulaScope {
  FormulaNames names;
  int dim = 3;                   // 2: not of z
  bool varies_in_time = true;    // false: not of t
  InputFiles* inputs = nullptr;  // gets the tables that the formulas read
};

// Values that may be formulas; a number is a formula, too.
// Errors: ConfigError `file:line:column: path: the formula '...': what, at which character`.
ValueReader formula(Expression& out, const FormulaScope& scope);
ValueReader formula(std::optional<Expression>& out, const FormulaScope& scope);
// A list of one formula per axis; those beyond scope.dim stay 0.
ValueReader formulas(Formulas3& out, const FormulaScope& scope);
ValueReader formulas(std::optional<Formulas3>& out, const FormulaScope& scope);

// The folder from which the value names files: that of its YAML file, or the working directory
// where it stands on the command line.
std::filesystem::path folder_of(const ConfigValue& value);
// A file, made absolute, so that the resolved configuration can be read from any folder.
ValueReader file_name(std::string& out);

// Numbers, or formulas of the constants alone, of which the value is taken.
ValueReader constant(double& out, Range range, const FormulaScope& scope);
ValueReader constants(std::array<double, 3>& out, const FormulaScope& scope);

// A time > 0, T, of which smaller parts are still numbers of full precision.
ValueReader duration(double& out);
ValueReader duration(std::optional<double>& out);

// A position or a direction: a list of grid.dim numbers; the dimension must be known.
ValueReader point(Point& out, const GridSettings& grid);
// A point of the box, its sides included.
ValueReader point_in(Point& out, const GridSettings& grid);
std::string point_text(const Point& at, const GridSettings& grid);  // "[0, 0.5]"

// Of the box.
Point lower_corner(const GridSettings& grid);
Point upper_corner(const GridSettings& grid);
Point middle_of(const GridSettings& grid);

// Each fills its settings from one map of the file; what the file does not say keeps its default.
// The settings and the case must outlive the reader.
ValueReader parameters_section(std::map<std::string, double>& parameters, const CaseSchema& chosen);
// Of the case custom: any names; a value may be a formula of the parameters before it.
ValueReader free_parameters_section(Settings& settings);
ValueReader grid_section(GridSettings& grid, const CaseSchema& chosen);
// The dimension of the grid must be known by the time the value is read.
inline constexpr const char* solids_expected =
    "a list of solids, as [{box: {lower: [0, 0], upper: [1, 1]}}], or a map of their names";
ValueReader solids_section(std::vector<Solid>& solids, const GridSettings& grid,
                           const FormulaScope& scope);
// Formulas of place alone.
ValueReader porous_section(std::vector<PorousBody>& porous, const GridSettings& grid,
                           const FormulaScope& scope);
ValueReader sponges_section(std::vector<Sponge>& sponges, const GridSettings& grid,
                            const FormulaScope& scope);
ValueReader forces_section(std::optional<ForceSettings>& forces, const GridSettings& grid);
ValueReader time_section(TimeSettings& time);
// `unsymmetric`: why a method that needs a symmetric matrix cannot be used; empty: it can.
// `projects`: it is the pressure's, which can stop by the divergence and choose its method.
// `compared`: an entry of `compare`, whose row says where a method cannot serve.
ValueReader solver_section(SystemSettings& solver, const std::string& unsymmetric,
                           bool projects = false, bool compared = false);
// Solvers and time scheme must have been read.
ValueReader compare_section(CompareSettings& compare, const Settings& settings,
                            bool symmetric_transport);
// `fields` are what frames may ask for, beside their means. The end of time must have been read.
// For regions the grid must have been read, too.
ValueReader output_section(OutputSettings& output, const TimeSettings& time,
                           const GridSettings& grid, const std::vector<std::string>& fields);

// "the side of the box with the smallest x"
std::string side_description(int axis, int side);

// The dimension of the grid must be known by the time the value is read.
ValueReader parallel_section(ParallelSettings& parallel);

// Fields that are known only where the case, its parameters, its grid and the scalars are.
ValueReader of_contents(ValueReader fields);

// A list of different fields, of which scalars of the file are some.
ValueReader field_list(std::vector<std::string>& out, const std::vector<std::string>& known);

// Of the names that a file gives to parameters and scalars; name_refusal() says what else is wrong.
inline constexpr const char* name_pattern = "^[A-Za-z_][A-Za-z0-9_]*$";

// What a viscosity or a diffusivity may have in it: the shear rate and these scalars, too.
FormulaScope coefficient_scope(FormulaScope scope, const std::vector<std::string>& scalars);
// `number` where it is a constant, else `varying`, by a coefficient_scope().
ValueReader coefficient(double& number, std::optional<Expression>& varying,
                        const FormulaScope& scope);
ValueReader turbulence_section(Turbulence& turbulence);
// Omega: three numbers; in 2D also a number, and nothing along x and y.
ValueReader rotation_section(std::optional<Point>& rotation, const FormulaScope& scope);
ValueReader viscosity(CustomSettings& custom, const FormulaScope& scope);

// Parameters and grid must have been read, which the scope is made of, and the names of scalars.
ValueReader fluid_section(CustomSettings& custom, const FormulaScope& scope);
// `variables`: those of accelerations beside x, y, z, t.
ValueReader force_section(CustomSettings& custom, const FormulaScope& scope,
                          const std::vector<std::string>& variables);
ValueReader boundaries_section(CustomSettings& custom, const FormulaScope& scope);
// `with_formulas`: of the case custom, which gives velocity and pressure itself.
ValueReader initial_section(Settings& settings, const FormulaScope& scope, bool with_formulas);
ValueReader exact_section(CustomSettings& custom, const FormulaScope& scope);
// The conditions that a scalar may have in a side or at a body, of which one is to be taken.
std::vector<Key> scalar_condition_keys(ScalarSide& side, const FormulaScope& scope);
// Reactions may have all scalars in them. Where the boundaries are given, conditions are checked
// against them.
ValueReader scalars_section(std::vector<CustomScalar>& scalars, const FormulaScope& scope,
                            const std::vector<std::string>& of_the_case,
                            const Boundaries* boundaries);
// `chosen` is the case of the file, which is not custom.
void refuse_custom_keys(const ConfigValue& file, const std::vector<Key>& custom_keys,
                        const std::string& chosen);
void check_custom(const ConfigValue& file, const CustomSettings& custom);
// Held flow rates must be along periodic axes.
void check_flow_rates(const ConfigValue& force, const CustomSettings& custom, int dim);
// Grid and time must have been read; `output_fields` are the fields of frames. Without `fields` in
// the file probes get all of them.
ValueReader probes_section(ProbeSettings& probes, const GridSettings& grid,
                           const TimeSettings& time, const std::vector<std::string>& output_fields);

}  // namespace hodge::sim
