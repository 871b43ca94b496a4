#include "sim/app/output/region_frames.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/flow/output_regions.hpp"

namespace hodge::sim {

RegionFrames::Region::Region(const std::filesystem::path& directory, const OutputRegion& settings,
                             const Grid& grid, const FrameBackground& background)
    : name(settings.name),
      cells(cells_of(settings, grid)),
      times(settings.every),
      writer(directory, settings.name, grid.part(cells.lower, cells.upper), background) {}

RegionFrames::RegionFrames(const std::filesystem::path& directory, const Grid& grid,
                           const OutputSettings& output, const FrameBackground& background)
    : directory_(directory), grid_(grid), fields_(output.fields), precision_(output.precision) {
  for (const OutputRegion& region : output.regions)
    regions_.emplace_back(directory, region, grid, background);
}

void RegionFrames::write(Region& region, const Flow& flow) {
  if (region.last_step == flow.step()) return;
  Frame frame = region.writer.blank();
  flow.fill_range(frame, region.cells, fields_, precision_);
  region.writer.submit(std::move(frame));
  region.last_step = flow.step();
}

void RegionFrames::write_due(const Flow& flow) {
  for (Region& region : regions_)
    if (region.times.has(flow.time())) write(region, flow);
}

void RegionFrames::write_end(const Flow& flow) {
  for (Region& region : regions_) write(region, flow);
}

void RegionFrames::check() {
  for (Region& region : regions_) region.writer.check();
}

void RegionFrames::finish() {
  for (Region& region : regions_) region.writer.finish();
}

void RegionFrames::try_again() {
  for (Region& region : regions_) region.writer.try_again();
}

void RegionFrames::check_files() const {
  for (const Region& region : regions_) region.writer.check_files();
}

void RegionFrames::continue_from(long step) {
  for (Region& region : regions_) region.last_step = step;
}

void RegionFrames::continue_regions(const std::vector<std::string>& names) {
  for (Region& region : regions_) region.is_new = std::ranges::count(names, region.name) == 0;
  for (const std::string& name : names)
    if (std::ranges::count(regions_, name, &Region::name) == 0)
      ended_.try_emplace(name, directory_, name, grid_);
}

void RegionFrames::visit_state(StateVisitor& visitor, long step, double time) {
  for (Region& region : regions_) {
    if (visitor.restores() && region.is_new) continue;
    StateGroup group(visitor, region.name);
    region.writer.visit_state(group, step, time);
    if (!visitor.restores()) continue;
    const auto last = region.writer.last_landed();
    region.last_step = last ? last->step : -1;
  }
  for (auto& [name, writer] : ended_) {
    StateGroup group(visitor, name);
    writer.visit_state(group, step, time);
  }
}

void RegionFrames::go_back() {
  for (Region& region : regions_) region.writer.go_back();
  for (auto& [name, writer] : ended_) writer.go_back();
}

std::vector<std::string> RegionFrames::gone() const {
  std::vector<std::string> all;
  for (const Region& region : regions_)
    all.insert(all.end(), region.writer.gone().begin(), region.writer.gone().end());
  return all;
}

}  // namespace hodge::sim
