// A curve y(x) known at ascending positions, measured or published: values, extrema and zeros of
// polynomials through it.
//
// A published table is a CSV file of cases/reference with comment lines (#), one line of column
// names, and numbers. A last column `suspect` names the column of that row that is not to be
// trusted: "Re400" marks u_Re400 or v_Re400.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hodge::tools {

struct ProfilePoint {
  double position = 0;
  double value = 0;

  bool operator==(const ProfilePoint&) const = default;
};
using Profile = std::vector<ProfilePoint>;

// The folder with the reference data: ../share/hodge/reference beside the program, or that of the
// source tree.
std::filesystem::path reference_directory();

// The trusted points of one column against the first one. Errors: IoError for a file that is
// missing, ConfigError for one that has no such column or no number in it.
Profile read_reference(const std::string& file, const std::string& column);

// One trusted value: that of the row whose first column is `key`. Errors: as read_reference;
// ConfigError where there is no such row.
double reference_value(const std::string& file, const std::string& column, double key);

// The points with from <= position <= to.
Profile between(const Profile& curve, double from, double to);

// Every value times the factor.
Profile scaled(Profile profile, double factor);

// The value of the point at exactly that position; none where there is no such point.
std::optional<double> value_at(const Profile& profile, double position);

// The mean of the values of the points.
double mean(const Profile& profile);

// The cubic through the four nearest points: fourth order. At least 4 points.
double interpolate(const Profile& profile, double position);

// The extremum of the quartic through the five points around the least (sign = -1) or largest (sign
// = +1) value, the two ends left out. At least 5 points.
ProfilePoint extremum(const Profile& profile, int sign);

// The zeros of the cubics of interpolate(), one for each change of sign, in ascending order.
std::vector<double> zeros(const Profile& profile);

// The frequency of a signal about its mean over the positions given, from its first and last rise
// through the mean; 0 with less than two rises.
double frequency(const Profile& signal);

}  // namespace hodge::tools
