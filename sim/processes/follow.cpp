#include "sim/processes/follow.hpp"

#include <map>
#include <memory>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/flow/flow.hpp"
#include "sim/processes/flow_order.hpp"
#include "sim/processes/shared_state.hpp"

namespace hodge::sim {
namespace {

using Call = FlowOrder::Call;

class NoSink final : public ComparisonSink {
  void add(ComparedSystem) override {}
};

// The flow of a follower, and what hangs on it.
class Follower {
 public:
  Follower(linalg::Communicator& processes, const ReadFlowInput& read)
      : processes_(processes), read_(read) {}

  void do_as(const FlowOrder& order) {
    const linalg::SharingRows sums({.processes = &processes_});
    switch (order.call) {
      case Call::make:
        return make(order);
      case Call::release:
        return release();
      case Call::advance:
        return void(flow_->advance(order.number));
      case Call::set_time:
        return flow_->set_time(order.number);
      case Call::diagnostics:
        return void(flow_->diagnostics());
      case Call::compare_solvers:
        return flow_->compare_solvers(input_->settings, order.number > 0 ? &sink_ : nullptr);
      case Call::cell_arrays:
        return void(flow_->cell_arrays(order.names));
      case Call::fill:
        return fill(order.names);
      case Call::error_norms:
        return void(flow_->error_norms());
      case Call::quantities:
        return void(flow_->quantities());
      case Call::forces:
        return void(flow_->forces());
      case Call::make_sampler:
        samplers_[order.id] = flow_->make_sampler(order.points, order.names);
        return;
      case Call::sample:
        return sample(*samplers_.at(order.id));
      case Call::drop_sampler:
        samplers_.erase(order.id);
        return;
      case Call::save_state:
      case Call::restore_state:
        return visit_state(order.call == Call::restore_state);
      case Call::end:
        return;
    }
  }

 private:
  void make(const FlowOrder& order) {
    release();
    std::string error;
    try {
      input_ = read_(order.names.at(0), order.number > 0);
    } catch (const Error& of_reading) {
      error = of_reading.what();
    }
    throw_if_any_failed(processes_, error);
    flow_ = make_flow(input_->settings, input_->problem, processes_);
    input_->problem.stored_state.reset();
  }

  void release() {
    samplers_.clear();
    flow_.reset();
    input_.reset();
  }

  void fill(std::vector<std::string> names) {
    const std::string precision = names.back();
    names.pop_back();
    flow_->fill(frame_, names, precision);
  }

  void sample(const PointSampler& sampler) {
    sampled_.resize(sampler.points() * sampler.columns().size());
    sampler.sample(sampled_);
  }

  void visit_state(bool restores) {
    SharedState state(processes_, restores);
    flow_->visit_state(state);
  }

  linalg::Communicator& processes_;
  const ReadFlowInput& read_;
  NoSink sink_;
  std::optional<FlowInput> input_;
  std::unique_ptr<Flow> flow_;
  std::map<std::int64_t, std::unique_ptr<PointSampler>> samplers_;
  Frame frame_;  // its memory is kept
  std::vector<double> sampled_;
};

}  // namespace

void follow(linalg::Communicator& processes, const ReadFlowInput& read) {
  Follower follower(processes, read);
  for (FlowOrder order; (order = receive_order(processes)).call != Call::end;) {
    try {
      follower.do_as(order);
    } catch (...) {
      if (!is_met_alike(order.call)) throw;  // process 0 says what it was
    }
  }
}

}  // namespace hodge::sim
