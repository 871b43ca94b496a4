// A curve y(x) known at ascending positions: values, extrema and zeros of polynomials through it.
#pragma once

#include <optional>
#include <vector>

namespace hodge::tools {

struct Profile {
  std::vector<double> positions;
  std::vector<double> values;

  void add(double position, double value) {
    positions.push_back(position);
    values.push_back(value);
  }
};

// The points with from <= position <= to.
Profile between(const Profile& curve, double from, double to);

// The value of the point at exactly that position; none where there is no such point.
std::optional<double> value_at(const Profile& profile, double position);

struct Extremum {
  double position;
  double value;
};

// The cubic through the four nearest points: fourth order. At least 4 points.
double interpolate(const Profile& profile, double position);

// The extremum of the quartic through the five points around the least (sign = -1) or largest (sign
// = +1) value, the two ends left out. At least 5 points.
Extremum extremum(const Profile& profile, int sign);

// The zeros of the cubics of interpolate(), one for each change of sign, in ascending order.
std::vector<double> zeros(const Profile& profile);

// The frequency of a signal about its mean over the positions given, from its first and last rise
// through the mean; 0 with less than two rises.
double frequency(const Profile& signal);

}  // namespace hodge::tools
