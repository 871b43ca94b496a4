// Durations, bytes and counts in the form that people read.
#pragma once

#include <string>

namespace hodge::sim {

std::string duration_text(double seconds);        // 0.42 s, 12.3 s, 4 min 05 s, 3 h 07 min
std::string short_duration_text(double seconds);  // 0:12, 4:05, 3:07:12
std::string bytes_text(double bytes);             // 812 B, 12.3 kB, 1.54 GB (powers of 1000)
std::string count_text(long long count);          // 2 097 152

}  // namespace hodge::sim
