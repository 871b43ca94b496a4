#include "sim/app/output/pvd.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/output/xml_document.hpp"
#include "sim/base/text.hpp"

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

std::string pvd_text(const std::vector<PvdEntry>& entries) {
  std::string lines;
  for (const PvdEntry& entry : entries)
    lines += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                         escaped(entry.file));
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n{}  </Collection>\n</VTKFile>\n",
      lines);
}

}  // namespace

void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries) {
  write_file_atomically(path, pvd_text(entries));
}

std::vector<PvdEntry> read_pvd(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  std::vector<PvdEntry> entries;
  const XmlElement root = read_xml(text, one_line(path.string()));
  if (const XmlElement* const collection = root.child("Collection"))
    for (const XmlElement& entry : collection->children) {
      const std::string* const time = entry.find("timestep");
      const std::string* const file = entry.find("file");
      if (time != nullptr && file != nullptr)
        entries.push_back({std::strtod(time->c_str(), nullptr), *file});
    }
  if (text != pvd_text(entries))
    throw ConfigError(one_line(path.string()) + " is damaged: it is not as hodge wrote it");
  return entries;
}

}  // namespace hodge::sim
