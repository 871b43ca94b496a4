// Frames of velocity and pressure, from the memory of the device until they are durable: computed
// and converted where the fields are, copied, packed on some threads, written, synchronised. By
// precision and threads, on a Taylor-Green vortex in 3D that has taken two steps.
//
// Beside it: the same bytes written and synchronised as they are.
#include <filesystem>

#include "linalg/base/timing.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/frame_threads.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/median.hpp"
#include "tools/hodge/bench/flow_steps.hpp"

namespace hodge::tools::bench {
namespace {

namespace fs = std::filesystem;

// A folder for the files of this experiment, removed with them.
class Scratch {
 public:
  explicit Scratch(const fs::path& in)
      : path_(temporary_path((in.empty() ? fs::path(".") : in) / "hodge_bench_output")) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) throw IoError(fmt::format("making {} failed: {}", path_.string(), error.message()));
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

template <class Work>
double median_of(int repeats, Work work) {
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) {
    const linalg::Clock clock;
    work();
    samples.push_back(clock.seconds());
  }
  return sim::median(samples);
}

struct FrameTimes {
  double fill = 0, write = 0, plain = 0;  // seconds
  double bytes = 0, file_bytes = 0;       // of the values, of the file
};

FrameTimes measure(const sim::Flow& flow, const std::string& precision, int threads, int repeats,
                   const Scratch& scratch) {
  const fs::path file = scratch / "frame.vti", plain = scratch / "plain";
  sim::Frame frame;
  const auto fill = [&] { flow.fill(frame, {"velocity", "pressure"}, precision); };
  fill();  // allocates
  FrameTimes times;
  times.fill = median_of(repeats, fill);
  times.write = median_of(repeats, [&] { sim::write_frame(file, flow.grid(), frame, threads); });
  std::string bytes;
  for (const sim::FrameArray& array : frame.arrays) bytes += array.bytes();
  times.plain = median_of(repeats, [&] { write_file_atomically(plain, bytes); });
  times.bytes = static_cast<double>(bytes.size());
  times.file_bytes = static_cast<double>(bytes_of_file(file));
  return times;
}

std::vector<Cell> row(const std::string& grid, const char* device, const std::string& precision,
                      int threads, const FrameTimes& times) {
  const double seconds = times.fill + times.write;
  return {key("grid", grid),
          key("device", device),
          key("precision", precision),
          key("threads", threads),
          timing("seconds_a_frame", "s / frame", seconds, "{:.3f}"),
          timing("fill_seconds", "to the host, s", times.fill, "{:.3f}"),
          timing("write_seconds", "packed and written, s", times.write, "{:.3f}"),
          cell("megabytes", "MB of values", 1e-6 * times.bytes, "{:.1f}"),
          cell("file_megabytes", "MB of the file", 1e-6 * times.file_bytes, "{:.1f}"),
          cell("file_share", "file / values", times.file_bytes / times.bytes, "{:.3f}"),
          cell("megabytes_per_second", "MB/s of values", 1e-6 * times.bytes / seconds, "{:.0f}"),
          cell("plain_seconds", "plain write, s", times.plain, "{:.3f}"),
          cell("over_plain", "over plain", seconds / times.plain, "{:.2f}")};
}

std::vector<int> thread_counts(bool device_is_host) {
  const int all = sim::frame_threads(device_is_host);
  return all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
}

void run_output(ExperimentRun& run) {
  const Scratch scratch(run.options().output);
  ResultTable& table = run.add_table("frames", "Frames of velocity and pressure");
  for (const int n : run.sizes<int>({8}, {64, 128, 256})) {
    const FlowCase flow_case{"taylor_green_3d", "rk3", {n, n, n}, n > 128};
    run.on_each_device(flow_case.text(), flow_case.large, [&]<class Space>() {
      const auto flow = moving_flow(flow_case, run.device_of<Space>(), 2);
      for (const char* precision : {"single", "double"})
        for (const int threads : thread_counts(std::is_same_v<Space, linalg::Host>))
          table.add(row(flow_case.grid(), Space::name, precision, threads,
                        measure(*flow, precision, threads, run.quick() ? 1 : 5, scratch)));
    });
  }
}

}  // namespace

extern const Experiment output{
    "output", "frames from the device to the disk, by precision and threads", run_output};

}  // namespace hodge::tools::bench
