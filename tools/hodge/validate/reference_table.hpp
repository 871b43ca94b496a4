// A published table: a CSV file of cases/reference with comment lines (#), one line of column
// names, and numbers.
//
// A last column `suspect` names the column of that row that is not to be trusted: "Re400" marks
// u_Re400 or v_Re400.
#pragma once

#include <filesystem>
#include <string>

#include "tools/hodge/validate/profile.hpp"

namespace hodge::tools {

// The folder with the reference data: ../share/hodge/reference beside the program, or that of the
// source tree.
std::filesystem::path reference_directory();

// The trusted points of one column against the first one. Errors: IoError for a file that is
// missing, ConfigError for one that has no such column or no number in it.
Profile read_reference(const std::string& file, const std::string& column);

// One trusted value: that of the row whose first column is `key`. Errors: as read_reference;
// ConfigError where there is no such row.
double reference_value(const std::string& file, const std::string& column, double key);

}  // namespace hodge::tools
