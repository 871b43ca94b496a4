#include "sim/processes/follow.hpp"

#include <map>
#include <memory>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "sim/base/input_files.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/flow/flow.hpp"
#include "sim/processes/flow_order.hpp"
#include "sim/processes/process_log.hpp"
#include "sim/processes/shared_pieces.hpp"
#include "sim/processes/shared_state.hpp"
#include "sim/processes/sharers.hpp"

namespace hodge::sim {
namespace {

using Call = FlowOrder::Call;

}  // namespace

class NoSink final : public ComparisonSink {
  void add(ComparedSystem) override {}
};

// The part of a flow that a follower has, and what hangs on it.
class OwnPart {
 public:
  // Of an order to make it. Collective.
  OwnPart(linalg::Communicator& processes, const ReadFlowInput& read, const FlowOrder& order)
      : read_(read) {
    std::string error;
    try {
      input_ = read(order.names.at(0), order.number > 0);
      const InputFiles of_leader = inputs_from_text(order.names.at(1));
      if (const auto file = changed_file(of_leader, input_->settings.inputs))
        error = other_here(*file);
    } catch (const Error& of_reading) {
      error = of_reading.what();
    }
    throw_if_any_failed(processes, error);
    sharers_.emplace(processes, input_->settings);
    if (!sharers_->has_part()) return;
    const linalg::SharingRows sums({.processes = &sharers_->processes()});
    flow_ = make_flow(input_->settings, input_->problem, sharers_->processes());
    input_->problem.stored_state.reset();
    if (input_->settings.parallel.log) log_.emplace(*sharers_, input_->settings, *flow_);
  }

  void do_as(const FlowOrder& order) {
    if (!sharers_->has_part()) return;
    const linalg::SharingRows sums({.processes = &sharers_->processes()});
    try {
      call(order);
    } catch (const std::exception& error) {
      if (log_) log_->error(error.what());
      throw;
    }
  }

 private:
  void call(const FlowOrder& order) {
    switch (order.call) {
      case Call::advance:
        return void(log_ ? log_->advance(*flow_, order.number) : flow_->advance(order.number));
      case Call::set_time:
        return flow_->set_time(order.number);
      case Call::change_formulas:
        return flow_->change_formulas(read_(order.names.at(0), false).problem, "");
      case Call::diagnostics:
        return void(flow_->diagnostics());
      case Call::compare_solvers:
        return compare_solvers(order.number);
      case Call::cell_arrays:
        return void(flow_->cell_arrays(order.names));
      case Call::fill:
        return fill(order.names, std::nullopt);
      case Call::fill_range:
        return fill(order.names, range_of(order.points));
      case Call::error_norms:
        return void(flow_->error_norms());
      case Call::quantities:
        return void(flow_->quantities());
      case Call::forces:
        return void(flow_->forces());
      case Call::layer_sums:
        return void(flow_->layer_sums());
      case Call::make_sampler:
        samplers_[order.id] = flow_->make_sampler(order.points, order.names);
        return;
      case Call::make_surface_sampler:
        samplers_[order.id] = flow_->make_surface_sampler(order.names);
        return;
      case Call::sample:
        return sample(*samplers_.at(order.id));
      case Call::drop_sampler:
        samplers_.erase(order.id);
        return;
      case Call::make_pieces:
        return make_pieces();
      case Call::write_pieces:
        return log_errors(
            write_piece(sharers_->processes(), *pieces_, *flow_, order.id, order.names));
      case Call::ask_for_pieces:
        return log_errors(
            ask_for_pieces(sharers_->processes(), *pieces_, static_cast<PieceRequest>(order.id)));
      case Call::drop_pieces:
        pieces_ = nullptr;
        return;
      case Call::save_state:
        return visit_state(false);
      case Call::restore_state:
        return visit_state(true);
      case Call::make:
      case Call::release:
      case Call::pause:
      case Call::end:
        return;  // of the follower
    }
  }

  void compare_solvers(double what) {
    if (input_->settings.compare) input_->settings.compare->by_default = what == 2;
    flow_->compare_solvers(input_->settings, what > 0 ? &sink_ : nullptr);
  }

  void fill(std::vector<std::string> names, const std::optional<CellRange>& cells) {
    const std::string precision = names.back();
    names.pop_back();
    if (cells) return flow_->fill_range(frame_, *cells, names, precision);
    flow_->fill(frame_, names, precision);
  }

  void make_pieces() {
    pieces_ =
        make_own_pieces(*sharers_, input_->settings, flow_->grid(), input_->make_piece_writer);
  }

  void log_errors(const PieceReport& report) {
    if (log_ && !report.error.empty()) log_->error(report.error);
  }

  void sample(const PointSampler& sampler) {
    sampled_.resize(sampler.points() * sampler.columns().size());
    sampler.sample(sampled_);
  }

  void visit_state(bool restores) {
    SharedState state(sharers_->processes(), restores);
    flow_->visit_state(state);
  }

  NoSink sink_;
  const ReadFlowInput& read_;
  std::optional<FlowInput> input_;
  std::optional<Sharers> sharers_;
  std::unique_ptr<Flow> flow_;  // null: no part
  std::optional<ProcessLog> log_;
  std::map<std::int64_t, std::unique_ptr<PointSampler>> samplers_;
  std::unique_ptr<PieceWriter> pieces_;  // null: frames are not written in pieces
  Frame frame_;                          // its memory is kept
  std::vector<double> sampled_;
};

class Follower::Parts {
 public:
  std::map<std::int64_t, std::unique_ptr<OwnPart>> of;  // by the numbers of their flows
};

Follower::Follower(linalg::Communicator& processes, ReadFlowInput read)
    : processes_(processes), read_(std::move(read)), parts_(std::make_unique<Parts>()) {}

Follower::~Follower() = default;

bool Follower::follow(const TakeSignal& take_signal) {
  const auto do_as = [&](const FlowOrder& order) {
    if (order.call == Call::make)
      parts_->of[order.flow] = std::make_unique<OwnPart>(processes_, read_, order);
    else if (order.call == Call::release)
      parts_->of.erase(order.flow);
    else
      parts_->of.at(order.flow)->do_as(order);
  };
  for (FlowOrder order; (order = receive_order(processes_)).call != Call::end;) {
    if (order.call == Call::pause) return true;
    if (order.call == Call::advance) (void)signal_of_any(processes_, take_signal());
    try {
      do_as(order);
    } catch (...) {
      if (!is_met_alike(order.call)) throw;  // process 0 says what it was
    }
  }
  return false;
}

void follow(linalg::Communicator& processes, const ReadFlowInput& read,
            const TakeSignal& take_signal) {
  Follower follower(processes, read);
  while (follower.follow(take_signal)) continue;
}

}  // namespace hodge::sim
