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
#include "sim/base/times.hpp"
#include "sim/base/try_all.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/output_fields.hpp"
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

std::string surface_means(const std::string& surface) {
  return fmt::format("{}/{}.means.csv", surfaces_folder, surface);
}

bool has_surface_rows(const std::string& surface, int dim) {
  return dim == 2 || std::ranges::any_of(sides_of_box(dim), [&](const BoxSide& of) {
           return side_name(of.axis, of.side) == surface;
         });
}

bool has_surface_means(const OutputSettings& output) {
  return !output.surfaces.empty() && std::ranges::any_of(output.fields, [](const auto& field) {
    return find_statistic(field).has_value();
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
                           const OutputSettings& output, RowFile::Start start)
    : directory_(directory),
      sampler_(flow.make_surface_sampler(output.surfaces)),
      columns_(sampler_->columns()),
      values_(sampler_->points() * columns_.size()) {
  make_directory(directory / surfaces_folder);
  if (has_surface_means(output)) {
    window_ = statistics_window(output);
    for (const char* statistic : {"mean_", "rms_"})
      for (const std::string& column : sampler_->columns()) columns_.push_back(statistic + column);
  }
  const auto open = [&](std::optional<Rows>& rows, const std::string& name, const char* first,
                        std::span<const std::string> columns) {
    const std::filesystem::path path = directory / name;
    rows.emplace(Rows{RowFile(path, is_there(path) ? start : RowFile::Start::empty)});
    if (rows->file.empty())
      rows->file.append(fmt::format("{}x,y,z,area,normal_x,normal_y,normal_z,{}\n", first,
                                    fmt::join(columns, ",")));
  };
  const std::span<const std::string> columns = columns_;
  std::size_t first = 0;
  for (const FacedSurface& surface : flow.surfaces(output.surfaces)) {
    Part& part = parts_.emplace_back(surface, flow.grid(), first, directory);
    first += part.patches.size();
    part.geometry = geometry_text(flow.grid().dim(), part.patches);
    if (window_) part.average.emplace(part.patches.size() * sampled_columns());
    if (!has_surface_rows(surface.name, flow.grid().dim())) continue;
    open(part.rows, surface_rows(surface.name), "t,", columns.first(sampled_columns()));
    if (window_)
      open(part.mean_rows, surface_means(surface.name), "t,from,to,",
           columns.subspan(sampled_columns()));
  }
}

void SurfaceFiles::sample(double t) {
  if (sampled_at_ != t) sampler_->sample(values_);
  sampled_at_ = t;
}

void SurfaceFiles::record(double t) {
  if (!window_ || !window_->has(t, t)) return;
  for (Part& part : parts_) add_to_average(part, t);
}

void SurfaceFiles::add_to_average(Part& part, double t) {
  sample(t);
  own_.clear();
  for (std::size_t c = 0; c < sampled_columns(); ++c) {
    const double* const own = values_.data() + c * sampler_->points() + part.first;
    own_.insert(own_.end(), own, own + part.patches.size());
  }
  part.average->add(t, own_);
}

void SurfaceFiles::write(long step, double t) {
  sample(t);
  Waiting frame{step, t, values_, {}, parts_.begin()};
  add_means(frame);
  waiting_.push_back(std::move(frame));
  write_waiting();
}

// Behind the present values; nothing before any time has been averaged over.
void SurfaceFiles::add_means(Waiting& frame) const {
  frame.values.resize(columns_.size() * sampler_->points());
  for (const Part& part : parts_) {
    if (!part.average || !(part.average->to() > part.average->from())) continue;
    const TimeAverage& average = *part.average;
    frame.windows[&part] = {average.from(), average.to()};
    const std::size_t patches = part.patches.size(), columns = sampled_columns();
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t i = 0; i < patches; ++i) {
        const auto place = [&](std::size_t column) {
          return column * sampler_->points() + part.first + i;
        };
        frame.values[place(columns + c)] = average.mean(c * patches + i);
        frame.values[place(2 * columns + c)] = average.rms(c * patches + i);
      }
  }
}

void SurfaceFiles::write_waiting() {
  while (!waiting_.empty()) {
    Waiting& frame = waiting_.front();
    while (frame.next != parts_.end()) {
      Part& part = *frame.next;
      part.frames.add(frame_text(part, frame), frame.step, frame.t);
      ++frame.next;  // rows that cannot be written wait in their file
      try_all(
          [&] {
            if (part.rows) part.rows->file.append(rows_text(part, frame));
          },
          [&] {
            if (part.mean_rows) part.mean_rows->file.append(mean_rows_text(part, frame));
          });
    }
    waiting_.pop_front();
  }
}

std::string SurfaceFiles::cells_text(const Part& part, std::size_t patch, const Waiting& frame,
                                     std::size_t first, std::size_t last) const {
  const SurfacePatch& at = part.patches[patch];
  std::string text =
      fmt::format(",{},{},{}", fmt::join(at.middle, ","), at.area, fmt::join(at.normal, ","));
  for (std::size_t c = first; c < last; ++c)
    fmt::format_to(std::back_inserter(text), ",{}",
                   frame.values[c * sampler_->points() + part.first + patch]);
  return text + "\n";
}

std::string SurfaceFiles::rows_text(const Part& part, const Waiting& frame) const {
  std::string text;
  for (std::size_t i = 0; i < part.patches.size(); ++i)
    text += fmt::format("{}", frame.t) + cells_text(part, i, frame, 0, sampled_columns());
  return text;
}

std::string SurfaceFiles::mean_rows_text(const Part& part, const Waiting& frame) const {
  std::string text;
  const auto window = frame.windows.find(&part);
  if (window == frame.windows.end()) return text;
  for (std::size_t i = 0; i < part.patches.size(); ++i)
    text += fmt::format("{},{}", frame.t, fmt::join(window->second, ",")) +
            cells_text(part, i, frame, sampled_columns(), columns_.size());
  return text;
}

// The columns friction_x, friction_y, ... are one array of three components.
std::string SurfaceFiles::frame_text(const Part& part, const Waiting& frame) const {
  const auto window = frame.windows.find(&part);
  const bool has_means = window != frame.windows.end();
  const std::size_t faces = part.patches.size(),
                    columns = has_means ? columns_.size() : sampled_columns();
  std::string arrays;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto values = [&](std::size_t column) {
      return frame.values.data() + column * sampler_->points() + part.first;
    };
    if (!columns_[c].ends_with("friction_x")) {
      arrays += data_array("Float64", columns_[c], 1, std::vector(values(c), values(c) + faces));
      continue;
    }
    const std::string vector = columns_[c].substr(0, columns_[c].size() - 2);
    std::vector<double> components(3 * faces);
    for (std::size_t d = 0; columns_[c + d].starts_with(vector + "_"); ++d)
      for (std::size_t i = 0; i < faces; ++i) components[3 * i + d] = values(c + d)[i];
    arrays += data_array("Float64", vector, 3, components);
    while (columns_[c + 1].starts_with(vector + "_")) ++c;
  }
  const std::vector<double> time{frame.t};
  std::string field_data = data_array("Float64", "TimeValue\" NumberOfTuples=\"1", 1, time);
  if (has_means)
    field_data += data_array("Float64", "MeanFromTo\" NumberOfTuples=\"1", 2,
                             std::vector(window->second.begin(), window->second.end()));
  const bool little = std::endian::native == std::endian::little;
  return sealed_frame(fmt::format(
      "{}{}<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n{}    </FieldData>\n{}"
      "      <CellData>\n{}      </CellData>\n    </Piece>\n  </PolyData>\n</VTKFile>\n",
      xml_declaration, blank_seal(), little ? "LittleEndian" : "BigEndian", field_data,
      part.geometry, arrays));
}

std::vector<RowFile*> SurfaceFiles::row_files() {
  std::vector<RowFile*> files;
  for (Part& part : parts_)
    for (std::optional<Rows>* rows : {&part.rows, &part.mean_rows})
      if (*rows) files.push_back(&(*rows)->file);
  return files;
}

void SurfaceFiles::begin_without(const std::function<bool(const std::string& name)>& has) {
  for (Part& part : parts_) {
    part.is_new = !has("run/surfaces/" + part.name + "/written");
    part.has_new_means = !has("run/surface_means/" + part.name + "/average/begun");
    if (part.rows) part.rows->is_new = part.is_new;
    if (part.mean_rows)
      part.mean_rows->is_new = !has("run/files/" + surface_means(part.name) + "/bytes");
    for (std::optional<Rows>* rows : {&part.rows, &part.mean_rows})
      if (*rows && (*rows)->is_new) (*rows)->file.begin_anew();
  }
}

bool SurfaceFiles::begins(const RowFile& file) const {
  const auto is_such = [&file](const std::optional<Rows>& rows) {
    return rows && &rows->file == &file && rows->is_new;
  };
  return std::ranges::any_of(
      parts_, [&](const Part& part) { return is_such(part.rows) || is_such(part.mean_rows); });
}

bool SurfaceFiles::writes(const std::string& name) const {
  return std::ranges::any_of(parts_, [&name](const Part& part) { return part.name == name; });
}

// Restored where they go on: the window has begun before.
void SurfaceFiles::visit_means(StateVisitor& visitor, double now) {
  if (!window_) return;
  for (Part& part : parts_) {
    if (visitor.restores() && (part.has_new_means || has_reached(window_->from, now))) continue;
    StateGroup group(visitor, part.name);
    part.average->visit_state(group, now);
    const double from = part.average->from();
    if (visitor.restores() && part.average->has_begun() && !window_->has(from, from))
      group.refuse("average/from", "is not within the statistics of the run");
  }
  if (!visitor.restores() || !window_->has(now, now)) return;
  for (Part& part : parts_)
    if (!part.average->has_begun()) add_to_average(part, now);
}

void SurfaceFiles::visit_state(StateVisitor& visitor, long step, double time) {
  for (Part& part : parts_)
    if (!visitor.restores() || !part.is_new) part.frames.visit_state(visitor, step, time);
}

void SurfaceFiles::go_back() {
  for (Part& part : parts_) part.frames.go_back();
}

}  // namespace hodge::sim
