// A checkpoint. The first byte of the input says what the rest is:
//
//   'f'   the whole file
//   'c'   what follows the seal, which is then right: the table of contents, its end at a line
//         "end", and the values; places in the table count from the end of the seal + 512
//   else  changes of a good checkpoint, all of whose checksums are right again. Each has a byte for
//         the part, one for what happens to it, and 8 for a value:
//           0 the number is the value   1 the list has so many values   2 the part is gone
//           3 it is of the next kind    4 a value of the list   5 the text is cut there
//
// What is read is the state of a small flow, which then takes a step.
#include <algorithm>
#include <cstring>
#include <variant>
#include <vector>

#include "cases/registry.hpp"
#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/app/output/time_average.hpp"
#include "sim/base/crc32.hpp"
#include "sim/flow/flow.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace hodge;

namespace {

constexpr const char* configuration = R"yaml(
case: custom
grid: {cells: [4, 5]}
fluid: {viscosity: 0.1}
boundaries: {y_upper: {kind: wall, velocity: [1, 0]}}
initial: {velocity: ["sin(3*y)", 0]}
scalars: {heat: {diffusivity: 0.1, initial: "x", source: "t"}}
time: {end: 1, step: {size: 0.01}}
solvers:
  pressure: {method: cg, preconditioner: {kind: jacobi}, guess: projected, guess_vectors: 3}
  transport: {refresh: auto, guess: projected, guess_vectors: 2, preconditioner: {kind: ssor_sai}}
  scalars: {refresh: never, guess: extrapolated, preconditioner: {kind: jacobi}}
output: {fields: [velocity, mean_velocity, heat]}
device: cpu
)yaml";

using Value = std::variant<double, long, std::string, std::vector<double>>;
struct Part {
  std::string name;
  Value value;
};

class Collector final : public sim::StateVisitor {
 public:
  bool restores() const override { return false; }
  void visit_part(const std::string& name, sim::StatePart part) override {
    std::visit([&](auto where) { parts.push_back({"state/" + name, value_of(where)}); }, part);
  }
  std::string subject(const std::string& name) const override { return name; }

  std::vector<Part> parts;

 private:
  template <class T>
  static Value value_of(T* where) {
    return *where;
  }
  static Value value_of(std::span<double> where) {
    return std::vector<double>(where.begin(), where.end());
  }
};

// The flow and what a run adds to its state.
struct Run {
  std::unique_ptr<sim::Flow> flow;
  sim::TimeAverage average{3};
  long last_frame_step = -1;

  void visit_state(sim::StateVisitor& visitor) {
    flow->visit_state(visitor);
    visitor.visit("last_frame_step", last_frame_step, {-1, flow->step()});
    average.visit_state(visitor, flow->time());
  }
};

Run make_run() {
  const std::vector<sim::CaseSchema> cases = cases::known_cases();
  const sim::Settings settings =
      sim::settings_from_yaml(sim::parse_yaml(configuration, "input"), "input", cases);
  Run run{sim::make_flow(settings, cases::make_problem(*cases::find_case("custom"), settings))};
  for (int step = 0; step < 4; ++step) (void)run.flow->advance(0.01);
  return run;
}

std::vector<Part> good_parts(Run& run) {
  Collector collector;
  run.visit_state(collector);
  std::vector<Part> parts{{"version", std::string("0")},
                          {"config", std::string("case: custom\n")},
                          {"step", 4L},
                          {"time", 0.04}};
  parts.insert(parts.end(), collector.parts.begin(), collector.parts.end());
  return parts;
}

void change(std::vector<Part>& parts, const std::uint8_t* data) {
  if (parts.empty()) return;
  Part& part = parts[data[0] % parts.size()];
  std::int64_t whole = 0;
  double real = 0;
  std::memcpy(&whole, data + 2, 8);
  std::memcpy(&real, data + 2, 8);
  auto* const list = std::get_if<std::vector<double>>(&part.value);
  auto* const text = std::get_if<std::string>(&part.value);
  switch (data[1] % 6) {
    case 0:
      if (auto* const number = std::get_if<double>(&part.value)) *number = real;
      if (auto* const number = std::get_if<long>(&part.value)) *number = whole;
      break;
    case 1:
      if (list != nullptr) list->resize(static_cast<std::uint64_t>(whole) % 5000, 1.0);
      break;
    case 2:
      parts.erase(parts.begin() + data[0] % static_cast<long>(parts.size()));
      break;
    case 3:
      if (list != nullptr)
        part.value = 1L;
      else if (text != nullptr)
        part.value = std::vector<double>(3);
      else
        part.value = std::string("text");
      break;
    case 4:
      if (list != nullptr && !list->empty()) (*list)[data[2] % list->size()] = real;
      break;
    default:
      if (text != nullptr) text->resize(std::min<std::size_t>(text->size(), data[2]));
  }
}

// As a file with a seal: the values, then the table.
std::string file_of(const std::vector<Part>& parts) {
  std::string values;
  std::vector<sim::CheckpointPart> table;
  const auto add = [&](const std::string& name, sim::PartKind kind, const void* from,
                       std::size_t bytes, std::size_t count) {
    const std::string_view text(static_cast<const char*>(from), bytes);
    table.push_back({name, kind, count, sim::seal_bytes + values.size(), sim::crc32(text)});
    values += text;
  };
  for (const Part& part : parts) {
    if (const auto* number = std::get_if<double>(&part.value))
      add(part.name, sim::PartKind::number, number, 8, 1);
    if (const auto* number = std::get_if<long>(&part.value))
      add(part.name, sim::PartKind::integer, number, 8, 1);
    if (const auto* text = std::get_if<std::string>(&part.value))
      add(part.name, sim::PartKind::text, text->c_str(), text->size() + 1, text->size() + 1);
    if (const auto* list = std::get_if<std::vector<double>>(&part.value))
      add(part.name, sim::PartKind::list, list->data(), 8 * list->size(), list->size());
  }
  const std::string contents = sim::contents_text(table);
  const sim::FilePart place{sim::seal_bytes + values.size(), contents.size()};
  values += contents;
  return sim::seal_text(sim::checkpoint_format, values, place) + values;
}

std::string sealed(std::string_view contents) {
  const std::size_t end = std::min(contents.find("\nend\n"), contents.size());
  return sim::seal_text(sim::checkpoint_format, contents, {sim::seal_bytes, end}) +
         std::string(contents);
}

std::string file_of(const std::vector<Part>& good, const std::uint8_t* data, std::size_t size) {
  const std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.starts_with('f')) return std::string(rest.substr(1));
  if (rest.starts_with('c')) return sealed(rest.substr(1));
  std::vector<Part> parts = good;
  for (std::size_t at = 1; at + 10 <= size; at += 10) change(parts, data + at);
  return file_of(parts);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Ends before the scalars of its thread.
  thread_local Run run = make_run();
  static const std::vector<Part> good = good_parts(run);
  const fuzz::MemoryFile file(file_of(good, data, size));
  fuzz::expect_errors_of_hodge([&] {
    sim::CheckpointReader reader(file.path());
    run.visit_state(reader);
    (void)run.flow->diagnostics();
    (void)run.flow->advance(0.01);
  });
  // The next input starts from the same state.
  static const fuzz::MemoryFile whole(file_of(good));
  sim::CheckpointReader reader(whole.path());
  run.visit_state(reader);
  return 0;
}
