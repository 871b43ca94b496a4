// The experiments of `hodge bench` by name, one run of an experiment (what is asked for, on which
// devices, what it found, and the files that it leaves), and its comparison with an older run. To
// add an experiment: a file here that ends with its Experiment, and its name in experiment.cpp.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>

#include "linalg/cost/byte_model.hpp"
#include "linalg/space/space.hpp"
#include "tools/hodge/bench/result_table.hpp"
#include "tools/hodge/program/outputs.hpp"

namespace hodge::tools::bench {

class ExperimentRun;

struct Experiment {
  const char* name;
  const char* description;  // one line
  void (*measure)(ExperimentRun& run);
  // Several processes may run it together: all of them call measure().
  bool is_shared = false;
  // What else --against says, beside the comparison of all experiments; may be null.
  void (*compare)(const Json& older, ExperimentRun& run) = nullptr;
};

std::span<const Experiment> experiment_table();
const Experiment* find_experiment(std::string_view name);  // null where there is none

struct BenchOptions {
  std::string device = "auto";  // auto: the CPU and, where there is one, the GPU
  std::string own_device{};     // of this process, where several run together; empty: as above
  bool quick = false;           // small sizes: the program is tested, not the machine
  std::filesystem::path output;
  std::filesystem::path matrices;  // a folder of .mtx files to run on too
  bool large = false;              // the CPU, too, gets the sizes that are made for GPUs
  std::string only;                // sizes whose name holds this text; empty: all
};

// Errors: ConfigError for a device that is not there, a folder of matrices that is none.
void check(const BenchOptions& options);

// The *.mtx files there.
Files matrix_files_in(const std::filesystem::path& folder);
// Those of --matrices.
Files inputs(const BenchOptions& options);

// Whether the experiments may write their results (program/outputs.hpp).
void check_output_folder(const BenchOptions& options, const std::vector<std::string>& experiments,
                         const Files& inputs, bool overwrite);

struct Device {
  std::string name;           // cpu, cuda
  std::string hardware;       // the processor, the GPU
  double copy_bandwidth = 0;  // bytes a second, read and written, of a large copy
};

class ExperimentRun {
 public:
  // Measures the copy bandwidth of the devices and prints it. Errors: ConfigError, DeviceError for
  // a device that is not there.
  ExperimentRun(std::string name, std::string description, const BenchOptions& options);

  bool quick() const { return options_.quick; }
  const BenchOptions& options() const { return options_; }
  // The sizes of --quick, or all.
  template <class Size>
  std::vector<Size> sizes(std::vector<Size> quick, std::vector<Size> full) const {
    return options_.quick ? quick : full;
  }

  // action.template operator()<Space>() for every device of this run.
  template <class Action>
  void on_each_device(Action&& action) {
    if (has<linalg::Host>()) action.template operator()<linalg::Host>();
#if HODGE_HAS_CUDA
    if (has<linalg::Cuda>()) action.template operator()<linalg::Cuda>();
#endif
  }
  // The same for one size (a grid, a case) where --only has it. The CPU leaves large ones out,
  // unless --large asks for them. A size that a device cannot run becomes a note.
  template <class Action>
  void on_each_device(const std::string& size, bool large, Action&& action) {
    if (!wants(size)) return;
    on_each_device([&]<class Space>() {
      if (large && !options_.large && std::is_same_v<Space, linalg::Host>) return;
      progress(size + ", " + Space::name);
      attempt(size, [&] { action.template operator()<Space>(); });
    });
  }
  // Does the work; notes that `what` is left out where it does not fit into memory or a file cannot
  // be read, and that it failed where a computation did.
  void attempt(const std::string& what, const std::function<void()>& work);

  template <class Space>
  bool has() const {
    return find(Space::name) != nullptr;
  }
  // The GPU where there is one, else the CPU.
  template <class Space>
  bool is_fastest() const {
    return devices_.back().name == Space::name;
  }
  // The device of a space as a configuration names it: "cpu", "cuda", "cuda:1".
  template <class Space>
  std::string device_of() const {
    return options_.device.starts_with(Space::name) ? options_.device : Space::name;
  }
  template <class Space>
  double copy_bandwidth() const {
    return find(Space::name)->copy_bandwidth;
  }
  // bytes / seconds as a share of that bandwidth.
  template <class Space>
  double share_of_copy(double bytes, double seconds) const {
    return linalg::share_of_copy(bytes, seconds, copy_bandwidth<Space>());
  }
  // Whether a size of this name is asked for (--only).
  bool wants(const std::string& name) const {
    return name.find(options_.only) != std::string::npos;
  }

  ResultTable& add_table(std::string name, std::string title) {
    return tables_.emplace_back(std::move(name), std::move(title));
  }
  // What a plot needs beside the tables: histories, histograms.
  Json& series() {
    return series_;
  }
  // Another library that is measured beside hodge; `absence` says why it is not, empty where it is.
  void yardstick(const std::string& name, const std::string& absence);
  // Printed at once and written with the results: a size that is left out.
  void note(const std::string& text);
  // Printed only: what is measured next.
  void progress(const std::string& text) const;

  bool is_empty() const;         // no row in any table
  std::string text() const;      // the tables
  std::string markdown() const;  // with the hardware, the version, the notes, the command
  Json json() const;
  // NAME.json, NAME.md and a CSV a table in the directory, which is made. Errors: IoError.
  void write(const std::filesystem::path& directory) const;

 private:
  const Device* find(const std::string& name) const;
  std::string command() const;

  std::string name_, description_;
  BenchOptions options_;
  std::vector<Device> devices_;
  std::deque<ResultTable> tables_;  // references stay good
  std::vector<std::string> notes_;
  Json yardsticks_ = Json::object();
  Json series_ = Json::object();
};

// What `hodge bench NAME --output DIR` has written. Errors: ConfigError, one sentence that begins
// with the option, where the file is not there or is none of `hodge bench`.
Json read_result(const std::string& file, const char* option);

// The results of an older run, the JSON that `hodge bench NAME --output DIR` has written, and what
// has changed since: for every row that both have, its times over those of the older run.
//
// A row is known by its keys (result_table.hpp), of the experiment as it is now. The result is one
// more table, `against`; other hardware, another version, rows without a partner are notes.
class OlderResults {
 public:
  // Errors: ConfigError, one sentence, where the file is not there or is none of `hodge bench`.
  explicit OlderResults(const std::filesystem::path& file);

  std::string experiment() const { return data_.at("experiment"); }

  // Adds the comparison to a run of the same experiment that has all of its rows.
  void compare(ExperimentRun& run) const;
  const Json& data() const { return data_; }

 private:
  void note_differences(const Json& now, ExperimentRun& run) const;

  std::string file_;
  Json data_;
};

}  // namespace hodge::tools::bench
