// Surfaces of bodies and sides of the box in a run directory, written with every frame:
//
//   surfaces/<name>.csv           a row for each face: t, x, y, z, area, the normal into the fluid
//                                 and the columns of the sampler; of bodies in 2D alone
//   surfaces/<name>_000012.vtp    the faces with these values, as VTK's PolyData
//   surfaces/<name>.pvd           lists them with their times
//
// What cannot be written waits and is written with the next call; there is no checkpoint before
// (IoError).
#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/output/frame_collection.hpp"
#include "sim/base/row_file.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

inline constexpr const char* surfaces_folder = "surfaces";

// The names of their files in the run directory; `number`: "000012", or "#" for a pattern.
std::string surface_rows(const std::string& surface);
bool has_surface_rows(const std::string& surface, int dim);
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
               const std::vector<std::string>& names, RowFile::Start start);

  void write(long step, double t);  // the present fields
  void write_waiting();

  std::vector<RowFile*> row_files();
  // Those that `has` not begin with this run: nothing of them is restored.
  void begin_without(const std::function<bool(const std::string& name)>& has);
  bool begins(const RowFile& file) const;  // such a file of rows
  bool writes(const std::string& name) const;
  void visit_state(StateVisitor& visitor, long step, double time);
  void go_back();

 private:
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
    std::optional<RowFile> rows{};
    std::string geometry{};
    bool is_new = false;
  };
  struct Waiting {
    long step;
    double t;
    std::vector<double> values;
    std::list<Part>::iterator next;
  };

  std::string header() const;
  std::string rows_text(const Part& part, const Waiting& frame) const;
  std::string frame_text(const Part& part, const Waiting& frame) const;

  std::filesystem::path directory_;
  std::unique_ptr<PointSampler> sampler_;
  std::list<Part> parts_;
  std::list<Waiting> waiting_;
};

}  // namespace hodge::sim
