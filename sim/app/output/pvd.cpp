#include "sim/app/output/pvd.hpp"

#include <fmt/format.h>

#include <utility>

#include "linalg/files/atomic_file.hpp"

namespace hodge::sim {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string line_of(const PvdEntry& entry) {
  return fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                     escaped(entry.file));
}

}  // namespace

void PvdCollection::add(double time, const std::filesystem::path& frame) {
  const PvdEntry entry{time, frame.lexically_proximate(path_.parent_path()).generic_string()};
  const std::string lines = lines_ + line_of(entry);
  write(lines);
  lines_ = lines;
  entries_.push_back(entry);
}

void PvdCollection::restart(std::vector<PvdEntry> entries) {
  std::string lines;
  for (const PvdEntry& entry : entries) lines += line_of(entry);
  write(lines);
  lines_ = std::move(lines);
  entries_ = std::move(entries);
}

void PvdCollection::write(const std::string& lines) const {
  write_file_atomically(path_, fmt::format("<?xml version=\"1.0\"?>\n"
                                           "<VTKFile type=\"Collection\" version=\"0.1\" "
                                           "byte_order=\"LittleEndian\">\n"
                                           "  <Collection>\n{}  </Collection>\n</VTKFile>\n",
                                           lines));
}

}  // namespace hodge::sim
