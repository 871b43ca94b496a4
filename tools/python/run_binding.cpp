// hodge._hodge.Run: a simulation with or without files as Python drives it. The package's Run
// (hodge/run.py) is what users see.
//
// One step at a time in the whole process: whoever steps holds `one_at_a_time`, so that runs of
// several threads take turns. The GIL is released meanwhile. An array that shows a field keeps the
// simulation alive, also when the run is closed.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/registry.hpp"
#include "linalg/space/device.hpp"
#include "linalg/version.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/run/run_rows.hpp"
#include "sim/app/run/summary.hpp"
#include "sim/app/simulation.hpp"
#include "tools/hodge/program/commit.hpp"
#include "tools/python/bindings.hpp"

namespace nb = nanobind;

namespace hodge::python {
namespace {

using sim::Simulation;

std::recursive_mutex one_at_a_time;

template <class... Arguments>
std::shared_ptr<Simulation> made(Arguments&&... arguments) {
  return {new Simulation(std::forward<Arguments>(arguments)...), [](Simulation* simulation) {
            const std::lock_guard turn(one_at_a_time);
            delete simulation;
          }};
}

sim::Job load(const std::string& file, const std::optional<std::string>& text,
              const std::vector<std::string>& overrides, const std::string& device, bool restarts) {
  sim::ConfigSource source{.file = file, .overrides = overrides, .text = text};
  source.places_are_keys = text.has_value();
  return sim::load_job(source, cases::known_cases(), device, restarts);
}

// What keeps the simulation alive as long as an array shows one of its fields.
nb::capsule kept(const std::shared_ptr<Simulation>& simulation) {
  return {new std::shared_ptr<Simulation>(simulation),
          [](void* p) noexcept { delete static_cast<std::shared_ptr<Simulation>*>(p); }};
}

// A field on a GPU for `from_dlpack` of CuPy, PyTorch and JAX, and by the CUDA array interface
// (version 3), which says that it is not to be written to. Between steps the GPU has nothing left
// to do, so that no stream needs to wait.
struct GpuField {
  std::shared_ptr<Simulation> simulation;
  sim::FieldInMemory field;
  std::vector<std::size_t> shape;
  int gpu = 0;

  nb::object dlpack(const nb::kwargs&) const {
    return nb::cast(nb::ndarray<const double>(field.values, shape.size(), shape.data(),
                                              kept(simulation), field.strides.data(),
                                              nb::dtype<double>(), nb::device::cuda::value, gpu));
  }
  nb::tuple device() const { return nb::make_tuple(nb::device::cuda::value, gpu); }
  nb::tuple extents() const {
    nb::list all;
    for (const std::size_t cells : shape) all.append(cells);
    return nb::tuple(all);
  }
  nb::dict array_interface() const {
    nb::list bytes;
    for (std::size_t d = 0; d < shape.size(); ++d)
      bytes.append(field.strides[d] * static_cast<std::int64_t>(sizeof(double)));
    nb::dict all;
    all["shape"] = extents();
    all["strides"] = nb::tuple(bytes);
    all["typestr"] = "<f8";
    all["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(field.values), true);
    all["version"] = 3;
    return all;
  }
};

class Run {
 public:
  // `directory`: empty: that of the configuration.
  Run(const std::string& file, const std::optional<std::string>& text,
      const std::vector<std::string>& overrides, const std::string& device, bool files,
      const std::string& directory, bool overwrite, const std::string& restart, bool quiet) {
    const nb::gil_scoped_release released;
    const std::lock_guard turn(one_at_a_time);
    sim::Job job = load(file, text, overrides, device, !restart.empty());
    if (!directory.empty()) job.settings.output.directory = directory;
    gpu_ = linalg::chosen_gpu(job.settings.device);
    if (!files) {
      simulation_ = made(std::move(job), processes().leader());
      add_row();
      return;
    }
    sim::RunOptions options;
    options.overwrite = overwrite;
    options.version = version;
    options.commit = tools::commit();
    options.restart = restart;
    options.file = file;
    options.leader = processes().leader();
    options.summary = [this](const std::string& json) { summary_ = json; };
    if (quiet) options.verbosity = sim::Verbosity::quiet;
    has_files_ = true;
    simulation_ = made(std::move(job), options);
  }

  // At most `count` steps, none beyond `limit`. Returns how many. Ctrl-C is looked at after each.
  long step(long count, double limit) {
    long taken = 0;
    simulation().flow().keep_places(simulation_.use_count() > 1);
    while (taken < count && one_step(limit)) {
      ++taken;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return taken;
  }

  std::string finish(int signal) {
    Simulation& open = simulation();
    if (!summary_.empty()) return summary_;  // finished, or ended by an error
    const nb::gil_scoped_release released;
    const std::lock_guard turn(one_at_a_time);
    (void)open.finish(signal);
    return summary_;
  }
  void close() { simulation_.reset(); }

  void set(const std::vector<std::string>& assignments) {
    const std::lock_guard turn(one_at_a_time);
    simulation().set(assignments);
  }

  // The fields where they lie, as arrays that cannot be written to.
  nb::dict fields() {
    nb::dict arrays;
    const int dim = simulation().flow().grid().dim();
    for (const sim::FieldInMemory& field : simulation().flow().fields_in_memory()) {
      std::vector<std::size_t> shape;
      for (int d = 0; d < dim; ++d)
        shape.push_back(static_cast<std::size_t>(field.extents[static_cast<std::size_t>(d)]));
      arrays[field.name.c_str()] = view_of(field, shape);
    }
    return arrays;
  }

  // Copies at cell centres, as frames have them: shape cells, of vectors (components, cells).
  nb::object at_cells(const std::string& name) {
    const Simulation& open = simulation();
    std::vector<double> values;
    int components = 1;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard turn(one_at_a_time);
      sim::CellArray array = std::move(open.fields({name}).at(0));
      components = array.components;
      values = std::move(array.values);
    }
    const sim::Grid& grid = simulation_->flow().grid();
    std::vector<std::size_t> shape;
    std::vector<std::int64_t> strides;
    if (components > 1) shape.push_back(static_cast<std::size_t>(components));
    if (components > 1) strides.push_back(1);
    std::int64_t stride = components;
    for (int d = 0; d < grid.dim(); ++d) {
      shape.push_back(static_cast<std::size_t>(grid.axis(d).cells()));
      strides.push_back(stride);
      stride *= grid.axis(d).cells();
    }
    return array_of(std::move(values), shape, strides);
  }

  std::vector<std::vector<double>> at_points(const std::vector<std::vector<double>>& points,
                                             const std::vector<std::string>& fields) {
    std::vector<sim::Point> all;
    for (const std::vector<double>& x : points) {
      sim::Point& point = all.emplace_back();
      std::copy_n(x.begin(), std::min<std::size_t>(x.size(), 3), point.begin());
    }
    const std::lock_guard turn(one_at_a_time);
    return simulation().flow().values_at(all, fields);
  }

  nb::dict forces() { return row_of(simulation().forces()); }

  // Column by column, of the run without files; a number that is not there is NaN.
  nb::dict history() const {
    nb::dict columns;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      columns[columns_[k].c_str()] = array_of(history_[k]);
    return columns;
  }

  nb::list edges() {
    nb::list axes;
    const sim::Grid& grid = simulation().flow().grid();
    for (int d = 0; d < grid.dim(); ++d) axes.append(array_of(grid.axis(d).edges));
    return axes;
  }

  nb::list solves() {
    nb::list all;
    for (const sim::SolveSummary& solve : simulation().report().solves) {
      nb::dict one;
      one["system"] = solve.system;
      one["iterations"] = solve.iterations;
      one["seconds"] = solve.seconds;
      one["residual"] = solve.report.true_residual;
      one["method"] = solve.report.method;
      one["preconditioner"] = solve.report.preconditioner;
      one["status"] = linalg::to_string(solve.report.status);
      all.append(one);
    }
    return all;
  }

  double time() { return simulation().time(); }
  long steps() { return simulation().steps(); }
  double dt() { return simulation().report().dt; }
  bool has_files() const { return has_files_; }
  bool is_closed() const { return simulation_ == nullptr; }
  std::string device() { return simulation().flow().device_name(); }
  std::string directory() { return simulation().job().settings.output.directory; }
  std::string name() { return simulation().job().settings.run_name(); }
  std::string config() { return sim::settings_to_yaml(simulation().job().settings); }
  std::optional<std::string> ended() {
    const auto end = simulation().ended();
    if (!end) return std::nullopt;
    return sim::name_of(*end);
  }

 private:
  Simulation& simulation() {
    if (!simulation_) throw ConfigError("the run is closed: make another hodge.Run");
    return *simulation_;
  }

  bool one_step(double limit) {
    Simulation& open = simulation();
    const nb::gil_scoped_release released;
    const std::lock_guard turn(one_at_a_time);
    if (open.time() >= limit || !open.step(limit)) return false;
    if (!has_files_) add_row();
    return true;
  }

  void add_row() {
    const sim::CsvRow row = simulation_->history();
    if (columns_.empty()) {
      for (const sim::CsvCell& cell : row) columns_.push_back(cell.column);
      history_.resize(columns_.size());
    }
    for (std::size_t k = 0; k < row.size(); ++k)
      history_[k].push_back(
          sim::number_in(row[k].text).value_or(std::numeric_limits<double>::quiet_NaN()));
  }

  static nb::dict row_of(const sim::CsvRow& row) {
    nb::dict values;
    for (const sim::CsvCell& cell : row)
      if (const auto number = sim::number_in(cell.text)) values[cell.column.c_str()] = *number;
    return values;
  }

  nb::object view_of(const sim::FieldInMemory& field, const std::vector<std::size_t>& shape) {
    if (field.on_gpu) return nb::cast(GpuField{simulation_, field, shape, gpu_});
    return nb::cast(nb::ndarray<nb::numpy, const double>(field.values, shape.size(), shape.data(),
                                                         kept(simulation_), field.strides.data()));
  }

  bool has_files_ = false;
  int gpu_ = -1;
  std::shared_ptr<Simulation> simulation_;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> history_;
  std::string summary_;
};

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<GpuField>(
      module, "GpuField",
      "A field in the memory of a GPU: cupy.from_dlpack(field), torch.from_dlpack(field)")
      .def("__dlpack__", &GpuField::dlpack)
      .def("__dlpack_device__", &GpuField::device)
      .def_prop_ro("shape", &GpuField::extents)
      .def_prop_ro("__cuda_array_interface__", &GpuField::array_interface);
  nb::class_<Run>(module, "Run")
      .def(nb::init<const std::string&, const std::optional<std::string>&,
                    const std::vector<std::string>&, const std::string&, bool, const std::string&,
                    bool, const std::string&, bool>(),
           nb::arg("file"), nb::arg("text").none(), nb::arg("overrides"), nb::arg("device"),
           nb::arg("files"), nb::arg("directory"), nb::arg("overwrite"), nb::arg("restart"),
           nb::arg("quiet"))
      .def("step", &Run::step, nb::arg("count"), nb::arg("limit"))
      .def("finish", &Run::finish, nb::arg("signal"))
      .def("close", &Run::close)
      .def("set", &Run::set, nb::arg("assignments"))
      .def("fields", &Run::fields)
      .def("at_cells", &Run::at_cells, nb::arg("name"))
      .def("at_points", &Run::at_points, nb::arg("points"), nb::arg("fields"))
      .def("forces", &Run::forces)
      .def("history", &Run::history)
      .def("edges", &Run::edges)
      .def("solves", &Run::solves)
      .def_prop_ro("time", &Run::time)
      .def_prop_ro("steps", &Run::steps)
      .def_prop_ro("dt", &Run::dt)
      .def_prop_ro("has_files", &Run::has_files)
      .def_prop_ro("is_closed", &Run::is_closed)
      .def_prop_ro("device", &Run::device)
      .def_prop_ro("directory", &Run::directory)
      .def_prop_ro("name", &Run::name)
      .def_prop_ro("config", &Run::config)
      .def_prop_ro("ended", &Run::ended);
}

}  // namespace hodge::python
