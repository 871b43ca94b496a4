#include "sim/app/output/surface_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/frame_seal.hpp"
#include "sim/base/base64.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {
namespace {

// An array in line: its bytes behind their number, as base64.
template <class T>
std::string data_array(std::string_view type, const std::string& name, int components,
                       const std::vector<T>& values) {
  const std::uint64_t bytes = values.size() * sizeof(T);
  std::string raw(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  raw.append(reinterpret_cast<const char*>(values.data()), bytes);
  return fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
      "format=\"binary\">{}</DataArray>\n",
      type, name, components, base64(raw));
}

// Points, which faces share, and cells.
std::string geometry_text(int dim, const std::vector<SurfacePatch>& patches) {
  std::map<Point, std::int64_t> numbers;
  std::vector<double> points;
  std::vector<std::int64_t> connectivity, offsets;
  for (const SurfacePatch& patch : patches) {
    for (const Point& corner : patch.corners) {
      const auto [found, is_new] =
          numbers.emplace(corner, static_cast<std::int64_t>(numbers.size()));
      if (is_new) points.insert(points.end(), corner.begin(), corner.end());
      connectivity.push_back(found->second);
    }
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  const bool lines = dim == 2;
  const std::string_view cells = lines ? "Lines" : "Polys";
  return fmt::format(
             "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n      <Points>\n{}      </Points>\n"
             "      <{}>\n",
             numbers.size(), lines ? patches.size() : 0, lines ? 0 : patches.size(),
             data_array("Float64", "Points", 3, points), cells) +
         data_array("Int64", "connectivity", 1, connectivity) +
         data_array("Int64", "offsets", 1, offsets) + fmt::format("      </{}>\n", cells);
}

}  // namespace

std::string surface_rows(const std::string& surface) {
  return fmt::format("{}/{}.csv", surfaces_folder, surface);
}

bool has_surface_rows(const std::string& surface, int dim) {
  return dim == 2 || std::ranges::any_of(sides_of_box(dim), [&](const BoxSide& of) {
           return side_name(of.axis, of.side) == surface;
         });
}

std::string surface_collection(const std::string& surface) {
  return fmt::format("{}/{}.pvd", surfaces_folder, surface);
}

std::string surface_frame(const std::string& surface, const std::string& number) {
  return fmt::format("{}/{}_{}.vtp", surfaces_folder, surface, number);
}

SurfaceFrames::SurfaceFrames(const std::filesystem::path& run_directory, std::string surface)
    : run_directory_(run_directory),
      surface_(std::move(surface)),
      collection_(
          run_directory / surfaces_folder, surface_, [](const LandedFrame&) {}, "") {}

void SurfaceFrames::add(const std::string& text, long step, double t) {
  const std::filesystem::path path =
      run_directory_ / surface_frame(surface_, frame_number(written_));
  write_file_atomically(path, text);
  collection_.add({path, step, t});
  ++written_;
}

void SurfaceFrames::visit_state(StateVisitor& visitor, long step, double time) {
  constexpr long most = 1'000'000'000;
  StateGroup group(visitor, surface_);
  group.visit("written", written_, {0, std::min(step + 1, most)});
  collection_.visit_state(group, written_, step, time);
}

SurfaceFiles::SurfaceFiles(const std::filesystem::path& directory, const Flow& flow,
                           const std::vector<std::string>& names, RowFile::Start start)
    : directory_(directory), sampler_(flow.make_surface_sampler(names)) {
  make_directory(directory / surfaces_folder);
  std::size_t first = 0;
  for (const FacedSurface& surface : flow.surfaces(names)) {
    Part& part = parts_.emplace_back(surface, flow.grid(), first, directory);
    first += part.patches.size();
    part.geometry = geometry_text(flow.grid().dim(), part.patches);
    if (!has_surface_rows(surface.name, flow.grid().dim())) continue;
    part.rows.emplace(directory / surface_rows(surface.name), start);
    if (part.rows->empty()) part.rows->append(header());
  }
}

std::string SurfaceFiles::header() const {
  return fmt::format("t,x,y,z,area,normal_x,normal_y,normal_z,{}\n",
                     fmt::join(sampler_->columns(), ","));
}

void SurfaceFiles::write(long step, double t) {
  Waiting frame{step, t, std::vector<double>(sampler_->points() * sampler_->columns().size()),
                parts_.begin()};
  sampler_->sample(frame.values);
  waiting_.push_back(std::move(frame));
  write_waiting();
}

void SurfaceFiles::write_waiting() {
  while (!waiting_.empty()) {
    Waiting& frame = waiting_.front();
    while (frame.next != parts_.end()) {
      Part& part = *frame.next;
      part.frames.add(frame_text(part, frame), frame.step, frame.t);
      ++frame.next;  // rows that cannot be written wait in their file
      if (part.rows) part.rows->append(rows_text(part, frame));
    }
    waiting_.pop_front();
  }
}

std::string SurfaceFiles::rows_text(const Part& part, const Waiting& frame) const {
  std::string text;
  for (std::size_t i = 0; i < part.patches.size(); ++i) {
    const SurfacePatch& patch = part.patches[i];
    text += fmt::format("{},{},{},{}", frame.t, fmt::join(patch.middle, ","), patch.area,
                        fmt::join(patch.normal, ","));
    for (std::size_t c = 0; c < sampler_->columns().size(); ++c)
      fmt::format_to(std::back_inserter(text), ",{}",
                     frame.values[c * sampler_->points() + part.first + i]);
    text += "\n";
  }
  return text;
}

// The columns friction_x, ... are one array of three components.
std::string SurfaceFiles::frame_text(const Part& part, const Waiting& frame) const {
  const std::size_t faces = part.patches.size();
  const std::vector<std::string>& columns = sampler_->columns();
  std::string arrays;
  std::vector<double> friction(3 * faces);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double* const values = frame.values.data() + c * sampler_->points() + part.first;
    const bool is_friction = columns[c].starts_with("friction_");
    const std::size_t component =
        is_friction ? static_cast<std::size_t>(columns[c].back() - 'x') : 0;
    for (std::size_t i = 0; is_friction && i < faces; ++i) friction[3 * i + component] = values[i];
    if (!is_friction)
      arrays += data_array("Float64", columns[c], 1, std::vector<double>(values, values + faces));
    else if (component == 0)
      arrays += '\0';  // where the vector stands
  }
  if (const std::size_t at = arrays.find('\0'); at != std::string::npos)
    arrays.replace(at, 1, data_array("Float64", "friction", 3, friction));
  const bool little = std::endian::native == std::endian::little;
  return sealed_frame(fmt::format(
      "{}{}<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n{}    </FieldData>\n{}"
      "      <CellData>\n{}      </CellData>\n    </Piece>\n  </PolyData>\n</VTKFile>\n",
      xml_declaration, blank_seal(), little ? "LittleEndian" : "BigEndian",
      data_array("Float64", "TimeValue\" NumberOfTuples=\"1", 1, std::vector<double>{frame.t}),
      part.geometry, arrays));
}

std::vector<RowFile*> SurfaceFiles::row_files() {
  std::vector<RowFile*> files;
  for (Part& part : parts_)
    if (part.rows) files.push_back(&*part.rows);
  return files;
}

void SurfaceFiles::begin_without(const std::function<bool(const std::string& name)>& has) {
  for (Part& part : parts_) part.is_new = !has(part.name);
}

bool SurfaceFiles::begins(const RowFile& file) const {
  return std::ranges::any_of(
      parts_, [&](const Part& part) { return part.is_new && part.rows && &*part.rows == &file; });
}

bool SurfaceFiles::writes(const std::string& name) const {
  return std::ranges::any_of(parts_, [&name](const Part& part) { return part.name == name; });
}

void SurfaceFiles::visit_state(StateVisitor& visitor, long step, double time) {
  for (Part& part : parts_)
    if (!visitor.restores() || !part.is_new) part.frames.visit_state(visitor, step, time);
}

void SurfaceFiles::go_back() {
  for (Part& part : parts_) part.frames.go_back();
}

}  // namespace hodge::sim
