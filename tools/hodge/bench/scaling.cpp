// Time steps of the 3D Taylor-Green vortex by the processes that were started (`mpirun -n 4 hodge
// bench scaling`), in five tables:
//
//   steps     weak and strong scaling: a step and its parts, messages, the share of the copy
//   messages  of process 0, by kind: how many, their bytes and time, and that of the model
//   links     what messages cost: measured between these processes, or stated
//   model     a step of 1, 2, 8, 64 and 512 processes (scaling_model.hpp)
//   limits    where the model's efficiency falls below one half, and where slabs end
//
// "Of the copy" is the time that the least bytes of a process (flow_steps.hpp) would take at the
// speed of a large copy, which all processes make at about the same time, over the time of a step.
// The time of messages is known where a process waits for them: on the CPU. There it holds the
// waiting for slower processes, too.
#include <algorithm>
#include <climits>
#include <map>
#include <string>
#include <utility>

#include "cases/registry.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"
#include "sim/app/simulation.hpp"
#include "sim/discrete/processes/part_of_box.hpp"
#include "tools/hodge/bench/link_costs.hpp"
#include "tools/hodge/bench/scaling_rows.hpp"

namespace hodge::tools::bench {
namespace {

// Collective.
template <class Space>
DeviceLinks links_between(linalg::Communicator& all) {
  DeviceLinks found{{stated_machine(), stated_network()}};
  if (all.size() == 1) return found;
  const LinkCosts measured = measured_costs<Space>(all);
  const auto machines = linalg::gather_one(all, linalg::machine_name());
  const auto here = static_cast<int>(std::ranges::count(machines, machines.front()));
  if (here == all.size()) {
    found.links.machine = measured;
    found.links.processes_of_machine = std::max(here, found.links.processes_of_machine);
    found.machine_is_measured = true;
  } else {
    found.links.network = measured;
    found.links.processes_of_machine = here;
    found.network_is_measured = true;
  }
  return found;
}

int processes_of(const sim::FlowLeader* leader) {
  return leader == nullptr ? 1 : leader->processes().size();
}

template <class Space>
MeasuredCase measure_case(const ExperimentRun& run, const Links& links, const ScalingCase& scaling,
                          sim::FlowLeader* leader) {
  const int processes = processes_of(leader);
  constexpr bool on_cpu = std::is_same_v<Space, linalg::Host>;
  MeasuredCase found{.scaling = scaling,
                     .device = Space::name,
                     .processes = processes,
                     .waits = on_cpu && processes > 1,
                     .most_slabs = most_processes};
  if (!scaling.weak) found.most_slabs = sim::most_slabs(scaling.points, sim::cut_unit(!on_cpu));
  if (processes > found.most_slabs)
    throw ConfigError(fmt::format("its axis z can be cut into {} slabs at most", found.most_slabs));
  found.steps = measure_steps(scaling.flow, run.device_of<Space>(), run.quick() ? 2 : 5,
                              run.quick() ? 3 : 20, Space::allocated_bytes, leader);
  const StepBytes& bytes = found.steps.bytes;
  found.share_of_copy =
      run.share_of_copy<Space>((bytes.assembly + bytes.transport + bytes.pressure) / processes,
                               found.steps.statistics.seconds.total);
  split(links, found);
  return found;
}

template <class Space>
std::vector<ScalingCase> cases_of(const ExperimentRun& run, int processes) {
  const bool on_cpu = std::is_same_v<Space, linalg::Host>;
  std::vector<int> weak{16}, strong{32};
  if (!run.quick()) {
    weak = on_cpu ? std::vector<int>{32} : std::vector<int>{256};
    strong = on_cpu ? std::vector<int>{64} : std::vector<int>{256, 512};
    if (on_cpu && run.options().large) weak = {32, 256}, strong = {64, 256, 512};
  }
  // The largest box by iterations takes as long as all other cases together.
  const int most_by_cg = on_cpu || run.options().large ? INT_MAX : 256;
  std::vector<ScalingCase> cases;
  for (const char* pressure : {"", "cg"})
    for (const char* scheme : {"rk3", "bdf2"}) {
      for (const int points : weak) cases.push_back(weak_case(scheme, pressure, points, processes));
      for (const int points : strong)
        if (pressure != std::string("cg") || points <= most_by_cg)
          cases.push_back(strong_case(scheme, pressure, points));
    }
  return cases;
}

// Seconds of a step whose cells cost next to nothing, by scheme and pressure.
using StartsOfSteps = std::map<std::pair<std::string, std::string>, double>;
template <class Space>
double start_of_step(const ExperimentRun& run, const Links& links, const ScalingCase& scaling,
                     sim::FlowLeader* leader, StartsOfSteps& known) {
  const auto [at, is_new] = known.try_emplace({scaling.flow.scheme, scaling.flow.pressure}, 0.0);
  if (is_new) {
    const ScalingCase small = weak_case(scaling.flow.scheme, scaling.flow.pressure,
                                        sim::layers_on_gpu, processes_of(leader));
    at->second = measure_case<Space>(run, links, small, leader).step.cell_seconds;
  }
  return at->second;
}

template <class Space>
void measure_on(ExperimentRun& run, const DeviceLinks& between, sim::FlowLeader* leader,
                ScalingTables tables) {
  const Links& links = between.links;
  const int processes = processes_of(leader);
  StartsOfSteps starts;
  for (const ScalingCase& scaling : cases_of<Space>(run, processes)) {
    if (!run.wants(scaling.text())) continue;
    run.progress(scaling.text() + ", " + Space::name);
    run.attempt(scaling.text(), [&] {
      MeasuredCase found = measure_case<Space>(run, links, scaling, leader);
      add_step(found, tables.steps);
      add_messages(found, tables.messages);
      found.step.start_seconds = std::min(
          found.step.cell_seconds, start_of_step<Space>(run, links, scaling, leader, starts));
      found.step.cell_seconds -= found.step.start_seconds;
      if (processes == 1) {
        const auto stated = stated_messages(scaling);
        if (!stated) return;
        found.step.messages = *stated;
      }
      add_model(found, links, tables.model);
      add_limits(found, links, tables.limits);
    });
  }
  if (!tables.steps.is_empty()) add_links(Space::name, between, tables.links);
}

// By process 0, which leads the others.
void measure_flows(ExperimentRun& run, const std::vector<DeviceLinks>& links,
                   sim::FlowLeader* leader) {
  const int processes = processes_of(leader);
  if (processes == 1)
    run.note(
        "one process sends no messages: their number and cost in the model are stated, those "
        "of GPUs on a machine with NVLink, and for direct solves of the pressure alone");
  ResultTable& steps =
      run.add_table("steps", fmt::format("Time steps without output by {} process{}", processes,
                                         processes == 1 ? "" : "es"));
  ResultTable& messages = run.add_table("messages", "Messages of process 0 in a step");
  ResultTable& model = run.add_table("model", "A step of other numbers of processes, by the model");
  ResultTable& limits = run.add_table("limits", "Where scaling ends, by the model");
  ResultTable& costs = run.add_table("links", "What messages cost");
  auto next = links.begin();
  run.on_each_device([&]<class Space>() {
    measure_on<Space>(run, *next++, leader, {steps, messages, model, limits, costs});
  });
}

void run_scaling(ExperimentRun& run) {
  linalg::Communicator& all = linalg::all_processes();
  std::vector<DeviceLinks> links;  // by device
  run.on_each_device([&]<class Space>() { links.push_back(links_between<Space>(all)); });
  if (all.size() == 1) return measure_flows(run, links, nullptr);
  sim::lead_or_follow(all, cases::known_cases(), [&](sim::FlowLeader& leader) {
    measure_flows(run, links, &leader);
    return 0;
  });
}

}  // namespace

extern const Experiment scaling{
    "scaling", "weak and strong scaling of time steps by several processes, and a model of it",
    run_scaling, true, compare_scaling};

}  // namespace hodge::tools::bench
