#include "tools/hodge/bench/experiment.hpp"

#include <algorithm>
#include <system_error>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/space/device.hpp"
#include "linalg/vectors/copy_bandwidth.hpp"
#include "linalg/version.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools::bench {

// Each is defined at the end of the file of its name.
extern const Experiment step, accuracy, krylov, spmv, poisson, ssor_sai, gmres, transpose, gauss,
    output, scaling;

std::span<const Experiment> experiment_table() {
  static const Experiment table[] = {step,  accuracy,  krylov, spmv,   poisson, ssor_sai,
                                     gmres, transpose, gauss,  output, scaling};
  return table;
}

const Experiment* find_experiment(std::string_view name) {
  for (const Experiment& one : experiment_table())
    if (name == one.name) return &one;
  return nullptr;
}

void check(const BenchOptions& options) {
  if (!options.matrices.empty() && !is_a_directory(options.matrices))
    throw wrong_input("--matrices {}: there is no such directory", options.matrices.string());
  (void)linalg::chosen_gpu(options.device);
}

Files inputs(const BenchOptions& options) {
  return options.matrices.empty() ? Files{} : matrix_files_in(options.matrices);
}

void check_output_folder(const BenchOptions& options, const std::vector<std::string>& experiments,
                         const Files& inputs, bool overwrite) {
  const auto writes = [&experiments](const std::string& file) {
    return std::ranges::any_of(experiments, [&file](const std::string& name) {
      return file == name + ".json" || file == name + ".md" || file == name + ".png" ||
             (file.starts_with(name + "_") && file.ends_with(".csv"));
    });
  };
  tools::check_output_folder(options.output, writes, inputs, overwrite);
}

namespace {

std::vector<Device> devices_of(const BenchOptions& options) {
  std::vector<Device> devices;
  // Processes of one machine share the memory of its host.
  const int values = std::max(1 << 20, (1 << 27) / linalg::all_processes().size());
  const auto add = [&]<class Space>() {
    devices.push_back({Space::name, Space::device_name(),
                       linalg::copy_bandwidth<Space>(options.quick ? 1 << 20 : values)});
  };
  const int gpu =
      linalg::chosen_gpu(options.own_device.empty() ? options.device : options.own_device);
  if (options.device == "auto" || gpu < 0) add.template operator()<linalg::Host>();
#if HODGE_HAS_CUDA
  if (gpu >= 0) {
    linalg::Cuda::select_device(gpu);
    add.template operator()<linalg::Cuda>();
  }
#endif
  return devices;
}

std::string text_of(const Device& device) {
  return fmt::format("{}: {}, copies {:.1f} GB/s\n", device.name, device.hardware,
                     1e-9 * device.copy_bandwidth);
}

}  // namespace

ExperimentRun::ExperimentRun(std::string name, std::string description, const BenchOptions& options)
    : name_(std::move(name)), description_(std::move(description)), options_(options) {
  std::cout << fmt::format("{}: {}\n", name_, description_) << std::flush;
  devices_ = devices_of(options_);
  for (const Device& device : devices_) std::cout << "  " << text_of(device) << std::flush;
  if (find("cuda") == nullptr && options_.device == "auto")
    note(HODGE_HAS_CUDA ? "no usable GPU here: the columns of CUDA are absent"
                        : "built without CUDA: its columns are absent");
  if (options_.quick) note("--quick: small sizes, whose times say little");
}

const Device* ExperimentRun::find(const std::string& name) const {
  for (const Device& device : devices_)
    if (device.name == name) return &device;
  return nullptr;
}

void ExperimentRun::attempt(const std::string& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const MemoryError& error) {
    note(fmt::format("{} is left out: {}", what, error.what()));
  } catch (const ConfigError& error) {
    note(fmt::format("{} is left out: {}", what, error.what()));
  } catch (const NumericalError& error) {
    note(fmt::format("{} failed: {}", what, error.what()));
  }
}

void ExperimentRun::yardstick(const std::string& name, const std::string& absence) {
  yardsticks_[name] = absence.empty() ? "measured" : "absent: " + absence;
  if (!absence.empty()) note(fmt::format("{} is absent: {}", name, absence));
}

void ExperimentRun::note(const std::string& text) {
  std::cout << "  note: " << text << std::endl;
  notes_.push_back(text);
}

void ExperimentRun::progress(const std::string& text) const {
  std::cout << "  " << text << std::endl;
}

std::string ExperimentRun::command() const {
  std::string command = "hodge bench " + name_;
  if (options_.quick) command += " --quick";
  if (options_.large) command += " --large";
  if (!options_.only.empty()) command += " --only " + options_.only;
  if (options_.device != "auto") command += " --device " + options_.device;
  return command;
}

bool ExperimentRun::is_empty() const {
  return std::ranges::all_of(tables_, [](const ResultTable& table) { return table.is_empty(); });
}

std::string ExperimentRun::text() const {
  std::string text;
  for (const ResultTable& results : tables_) {
    const sim::Table table = results.formatted();
    if (!results.is_empty()) text += fmt::format("\n{}\n{}", table.title(), table.text());
  }
  return text;
}

std::string ExperimentRun::markdown() const {
  std::string text = fmt::format("## {}\n\n{}\n\n`{}`, hodge {}, double precision\n\n", name_,
                                 description_, command(), version);
  for (const Device& device : devices_) text += "- " + text_of(device);
  for (const std::string& note : notes_) text += fmt::format("- {}\n", note);
  for (const ResultTable& table : tables_)
    if (!table.is_empty()) text += "\n" + table.formatted().markdown();
  return text;
}

Json ExperimentRun::json() const {
  Json devices = Json::array(), tables = Json::object();
  for (const Device& device : devices_)
    devices.push_back({{"name", device.name},
                       {"hardware", device.hardware},
                       {"copy_bytes_per_second", device.copy_bandwidth}});
  for (const ResultTable& table : tables_) tables[table.name()] = table.json();
  return {{"experiment", name_},   {"description", description_},
          {"command", command()},  {"version", version},
          {"precision", "double"}, {"quick", options_.quick},
          {"devices", devices},    {"yardsticks", yardsticks_},
          {"notes", notes_},       {"tables", tables},
          {"series", series_}};
}

void ExperimentRun::write(const std::filesystem::path& directory) const {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw IoError(fmt::format("making {} failed: {}", directory.string(), error.message()));
  write_file_atomically(directory / (name_ + ".json"), json().dump(1) + "\n");
  write_file_atomically(directory / (name_ + ".md"), markdown());
  for (const ResultTable& table : tables_)
    if (!table.is_empty())
      write_file_atomically(directory / fmt::format("{}_{}.csv", name_, table.name()),
                            table.formatted().csv());
}

}  // namespace hodge::tools::bench
