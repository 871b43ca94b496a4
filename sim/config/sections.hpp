// The readers of the sections of a configuration, one file each. See settings_from_yaml.hpp.
#pragma once

#include "sim/config/case_schema.hpp"
#include "sim/config/schema.hpp"
#include "sim/config/settings.hpp"

namespace hodge::sim {

// Each fills its settings from one map of the file; what the file does not say keeps its default.
// The settings and the case must outlive the reader.
ValueReader parameters_section(std::map<std::string, double>& parameters, const CaseSchema& chosen);
ValueReader grid_section(GridSettings& grid, const CaseSchema& chosen);
// The dimension of the grid must be known by the time the value is read.
ValueReader solids_section(std::vector<Solid>& solids, const GridSettings& grid);
ValueReader forces_section(std::optional<ForceSettings>& forces, const GridSettings& grid);
ValueReader time_section(TimeSettings& time);
ValueReader solver_section(linalg::SolverSettings& solver, bool symmetric_system);
ValueReader output_section(OutputSettings& output);
// Grid and time must have been read; `output_fields` are the fields of frames. Without `fields` in
// the file probes get all of them.
ValueReader probes_section(ProbeSettings& probes, const GridSettings& grid,
                           const TimeSettings& time, const std::vector<std::string>& output_fields);

}  // namespace hodge::sim
