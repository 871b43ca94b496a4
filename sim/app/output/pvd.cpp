#include "sim/app/output/pvd.hpp"

#include <fmt/format.h>

#include <map>

#include "linalg/files/atomic_file.hpp"

namespace hodge::sim {
namespace {

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> marks{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string result;
  for (const char c : text) {
    const auto mark = marks.find(c);
    result += mark == marks.end() ? std::string(1, c) : mark->second;
  }
  return result;
}

}  // namespace

void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries) {
  std::string lines;
  for (const PvdEntry& entry : entries)
    lines += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                         escaped(entry.file));
  write_file_atomically(path, fmt::format("<?xml version=\"1.0\"?>\n"
                                          "<VTKFile type=\"Collection\" version=\"0.1\" "
                                          "byte_order=\"LittleEndian\">\n"
                                          "  <Collection>\n{}  </Collection>\n</VTKFile>\n",
                                          lines));
}

}  // namespace hodge::sim
