#include "sim/output/pvd.hpp"

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

}  // namespace

PvdCollection::PvdCollection(std::filesystem::path path) : path_(std::move(path)) {}

void PvdCollection::add(double time, const std::filesystem::path& frame) {
  const std::string file = frame.lexically_proximate(path_.parent_path()).generic_string();
  std::string entry =
      fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, escaped(file));
  write_file_atomically(path_, fmt::format("<?xml version=\"1.0\"?>\n"
                                           "<VTKFile type=\"Collection\" version=\"0.1\" "
                                           "byte_order=\"LittleEndian\">\n"
                                           "  <Collection>\n{}{}  </Collection>\n</VTKFile>\n",
                                           entries_, entry));
  entries_ += entry;
}

}  // namespace hodge::sim
