// One experiment's run: on which devices, its tables and series, and the files that it leaves.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/space/space.hpp"
#include "sim/base/table.hpp"

namespace hodge::tools::bench {

using sim::Column;
using sim::Json;
using sim::Table;

struct BenchOptions {
  std::string device = "auto";  // auto: the CPU and, where there is one, the GPU
  bool quick = false;           // small sizes: the program is tested, not the machine
  std::filesystem::path output;
  std::filesystem::path matrices;  // a folder of .mtx files to run on too
  bool large = false;              // the CPU, too, gets the sizes that are made for GPUs
  std::string only;                // sizes whose name holds this text; empty: all
};

// Which columns of a table say what a row is of, and which are times, for --against.
struct RowIdentity {
  std::vector<std::string> keys, times;
};

struct Device {
  std::string name;           // cpu, cuda
  std::string hardware;       // the processor, the GPU
  double copy_bandwidth = 0;  // bytes a second, read and written, of a large copy
};

class Report {
 public:
  // Measures the copy bandwidth of the devices and prints it. Errors: ConfigError, DeviceError for
  // a device that is not there.
  Report(std::string name, std::string description, const BenchOptions& options);

  bool quick() const { return options_.quick; }
  const BenchOptions& options() const { return options_; }

  // action.template operator()<Space>() for every device of this run.
  template <class Action>
  void on_each_device(Action&& action) {
    if (has<linalg::Host>()) action.template operator()<linalg::Host>();
#if HODGE_HAS_CUDA
    if (has<linalg::Cuda>()) action.template operator()<linalg::Cuda>();
#endif
  }
  // For the GPU where there is one, else for the CPU.
  template <class Action>
  void on_fastest_device(Action&& action) {
#if HODGE_HAS_CUDA
    if (has<linalg::Cuda>()) return action.template operator()<linalg::Cuda>();
#endif
    action.template operator()<linalg::Host>();
  }
  template <class Space>
  bool has() const {
    return find(Space::name) != nullptr;
  }
  // The device of a space as a configuration names it: "cpu", "cuda", "cuda:1".
  template <class Space>
  std::string device_of() const {
    const bool named = options_.device.rfind(Space::name, 0) == 0;
    return named ? options_.device : Space::name;
  }
  template <class Space>
  double copy_bandwidth() const {
    return find(Space::name)->copy_bandwidth;
  }

  // Whether a size of this name is asked for (--only).
  bool wants(const std::string& name) const;
  // ... on this device: the CPU leaves large ones out, unless --large asks for them.
  template <class Space>
  bool wants(const std::string& name, bool large) const {
    const bool on_host = std::is_same_v<Space, linalg::Host>;
    return wants(name) && (!large || !on_host || options_.large);
  }

  Table& add_table(std::string name, std::string title, std::vector<Column> columns,
                   RowIdentity identity = {});
  // What a plot needs beside the tables: histories, histograms.
  Json& series() {
    return series_;
  }
  // What else is measured beside hodge, or why it is absent (empty where it is here).
  void yardstick(const std::string& name, const std::string& absence);
  // Printed at once and kept: a size that is left out.
  void note(const std::string& text);
  // Printed only: what is being worked on.
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
  std::deque<Table> tables_;  // references stay good
  std::map<std::string, RowIdentity> identities_;
  std::vector<std::string> notes_;
  Json yardsticks_ = Json::object();
  Json series_ = Json::object();
};

}  // namespace hodge::tools::bench
