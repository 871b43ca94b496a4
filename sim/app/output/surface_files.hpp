// Surfaces of bodies and sides of the box in a run directory, written with every frame:
//
//   surfaces/<name>.csv           a row for each face: t, x, y, z, area, the normal into the fluid
//                                 and the columns of the sampler; of bodies in 2D alone
//   surfaces/<name>.means.csv     the same with mean_ and rms_ of each column, over from to to
//   surfaces/<name>_000012.vtp    the faces with these values, as VTK's PolyData
//   surfaces/<name>.pvd           lists them with their times
//
// Means are taken where the frames have statistics over time, in the same window: a sample and its
// download every step. A surface that a restart adds within the window has them from there on.
//
// What cannot be written waits and is written with the next call; there is no checkpoint before
// (IoError).
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/output/frame_collection.hpp"
#include "sim/app/output/time_average.hpp"
#include "sim/base/row_file.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

inline constexpr const char* surfaces_folder = "surfaces";

// The names of their files in the run directory; `number`: "000012", or "#" for a pattern.
std::string surface_rows(const std::string& surface);
std::string surface_means(const std::string& surface);
bool has_surface_rows(const std::string& surface, int dim);
bool has_surface_means(const OutputSettings& output);
std::string surface_collection(const std::string& surface);
std::string surface_frame(const std::string& surface, const std::string& number);

// The frames of one surface. A run that does not write them any more hands their state on, so that
// a later restart that names the surface again goes on behind them.
class SurfaceFrames {
 public:
  SurfaceFrames(const std::filesystem::path& run_directory, std::string surface);

  const std::string& surface() const { return surface_; }
  void add(const std::string& text, long step, double t);
  void visit_state(StateVisitor& visitor, long step, double time);
  void go_back() { collection_.go_back(); }

 private:
  std::filesystem::path run_directory_;
  std::string surface_;
  FrameCollection collection_;
  long written_ = 0;
};

class SurfaceFiles {
 public:
  // Errors: ConfigError for a name that is neither a side nor a body.
  SurfaceFiles(const std::filesystem::path& directory, const Flow& flow,
               const OutputSettings& output, RowFile::Start start);

  void record(double t);            // the present fields, for the means
  void write(long step, double t);  // the present fields, and the means so far
  void write_waiting();

  std::vector<RowFile*> row_files();
  // What a checkpoint `has` not begins with this run: nothing of it is restored.
  void begin_without(const std::function<bool(const std::string& name)>& has);
  bool begins(const RowFile& file) const;  // such a file of rows
  bool writes(const std::string& name) const;
  void visit_means(StateVisitor& visitor, double now);
  void visit_state(StateVisitor& visitor, long step, double time);  // the frames
  void go_back();

 private:
  // A file of rows for each frame; `is_new`: not that of the checkpoint.
  struct Rows {
    RowFile file;
    bool is_new = false;
  };
  struct Part {
    Part(const FacedSurface& of, const Grid& grid, std::size_t first_patch,
         const std::filesystem::path& directory)
        : name(of.name),
          patches(patches_of(grid, of)),
          first(first_patch),
          frames(directory, of.name) {}
    std::string name;
    std::vector<SurfacePatch> patches;
    std::size_t first;  // of its patches, among those of all surfaces
    SurfaceFrames frames;
    std::optional<Rows> rows{}, mean_rows{};
    std::optional<TimeAverage> average{};  // of the values of its patches, column after column
    std::string geometry{};
    bool is_new = false, has_new_means = false;
  };
  struct Waiting {
    long step;
    double t;
    std::vector<double> values;                            // of columns_, column after column
    std::map<const Part*, std::array<double, 2>> windows;  // from and to, of those that have means
    std::list<Part>::iterator next;
  };

  std::size_t sampled_columns() const { return sampler_->columns().size(); }
  void sample(double t);
  void add_to_average(Part& part, double t);
  void add_means(Waiting& frame) const;
  std::string rows_text(const Part& part, const Waiting& frame) const;
  std::string mean_rows_text(const Part& part, const Waiting& frame) const;
  std::string cells_text(const Part& part, std::size_t patch, const Waiting& frame,
                         std::size_t first, std::size_t last) const;
  std::string frame_text(const Part& part, const Waiting& frame) const;

  std::filesystem::path directory_;
  std::unique_ptr<PointSampler> sampler_;
  std::vector<std::string> columns_;  // of the sampler, then mean_ and rms_ of each
  std::optional<TimeWindow> window_;  // of the means
  std::optional<double> sampled_at_;  // the time of
  std::vector<double> values_, own_;  // the last sample, and that of one surface
  std::list<Part> parts_;
  std::list<Waiting> waiting_;
};

}  // namespace hodge::sim
