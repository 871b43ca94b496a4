#include "sim/processes/leading_flow.hpp"

#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "sim/base/input_files.hpp"
#include "sim/processes/process_log.hpp"
#include "sim/processes/shared_pieces.hpp"
#include "sim/processes/shared_state.hpp"
#include "sim/processes/sharers.hpp"

namespace hodge::sim {
namespace {

using Call = FlowOrder::Call;

class LeadingSampler final : public PointSampler {
 public:
  LeadingSampler(FlowLeader& leader, linalg::Communicator& sharers, std::int64_t flow,
                 std::int64_t id, std::unique_ptr<PointSampler> own)
      : leader_(leader), sharers_(sharers), flow_(flow), id_(id), own_(std::move(own)) {}
  ~LeadingSampler() override {
    if (!leader_.has_lost_others()) leader_.together(order(Call::drop_sampler), [] {});
  }
  LeadingSampler(const LeadingSampler&) = delete;
  LeadingSampler& operator=(const LeadingSampler&) = delete;

  const std::vector<std::string>& columns() const override { return own_->columns(); }
  std::size_t points() const override { return own_->points(); }
  void sample(std::span<double> values) const override {
    leader_.together(order(Call::sample), [&] {
      const linalg::SharingRows sums({.processes = &sharers_});
      own_->sample(values);
    });
  }

 private:
  FlowOrder order(Call call) const { return {.call = call, .flow = flow_, .id = id_}; }

  FlowLeader& leader_;
  linalg::Communicator& sharers_;
  std::int64_t flow_, id_;
  std::unique_ptr<PointSampler> own_;
};

class LeadingFlow final : public Flow {
  template <class Action>
  decltype(auto) together(FlowOrder order, const Action& action) const {
    order.flow = number_;
    return leader_.together(order, [&]() -> decltype(auto) {
      const linalg::SharingRows sums({.processes = &sharers_->processes()});
      try {
        return action();
      } catch (const std::exception& error) {
        if (log_) log_->error(error.what());
        throw;
      }
    });
  }

 public:
  LeadingFlow(FlowLeader& leader, std::int64_t number, std::unique_ptr<Sharers> sharers,
              std::unique_ptr<Flow> own, std::unique_ptr<ProcessLog> log)
      : leader_(leader),
        number_(number),
        sharers_(std::move(sharers)),
        own_(std::move(own)),
        log_(std::move(log)) {}
  ~LeadingFlow() override {
    if (!leader_.has_lost_others()) together({.call = Call::release}, [] {});
  }
  LeadingFlow(const LeadingFlow&) = delete;
  LeadingFlow& operator=(const LeadingFlow&) = delete;

  StepReport advance(double dt) override {
    return together({.call = Call::advance, .number = dt},
                    [&] { return log_ ? log_->advance(*own_, dt) : own_->advance(dt); });
  }
  double time() const override { return own_->time(); }
  long step() const override { return own_->step(); }
  void set_time(double t) override {
    together({.call = Call::set_time, .number = t}, [&] { own_->set_time(t); });
  }
  Diagnostics diagnostics() const override {
    return together({.call = Call::diagnostics}, [&] { return own_->diagnostics(); });
  }
  std::vector<std::string> systems() const override { return own_->systems(); }
  std::vector<CellArray> cell_arrays(const std::vector<std::string>& names) const override {
    return together({.call = Call::cell_arrays, .names = names},
                    [&] { return own_->cell_arrays(names); });
  }
  void fill(Frame& frame, const std::vector<std::string>& names,
            const std::string& precision) const override {
    FlowOrder order{.call = Call::fill, .names = names};
    order.names.push_back(precision);
    together(order, [&] { own_->fill(frame, names, precision); });
  }
  void fill_range(Frame& frame, const CellRange& cells, const std::vector<std::string>& names,
                  const std::string& precision) const override {
    FlowOrder order{.call = Call::fill_range, .names = names, .points = points_of(cells)};
    order.names.push_back(precision);
    together(order, [&] { own_->fill_range(frame, cells, names, precision); });
  }
  std::vector<FieldInMemory> fields_in_memory() const override { return own_->fields_in_memory(); }
  void keep_places(bool wanted) override { own_->keep_places(wanted); }
  void change_formulas(const Problem& problem, const std::string& config) override {
    together({.call = Call::change_formulas, .names = {config}},
             [&] { own_->change_formulas(problem, config); });
  }
  std::unique_ptr<FramePieces> make_pieces(const Settings& settings,
                                           const MakePieceWriter& make) override {
    if (sharers_->count() == 1) return nullptr;
    return together({.call = Call::make_pieces}, [&]() -> std::unique_ptr<FramePieces> {
      return std::make_unique<LeadingPieces>(leader_, *sharers_, number_, *own_,
                                             make_own_pieces(*sharers_, settings, grid(), make));
    });
  }
  std::optional<ErrorNorms> error_norms() const override {
    return together({.call = Call::error_norms}, [&] { return own_->error_norms(); });
  }
  std::vector<Quantity> quantities() const override {
    return together({.call = Call::quantities}, [&] { return own_->quantities(); });
  }
  std::optional<LayerSums> layer_sums() const override {
    return together({.call = Call::layer_sums}, [&] { return own_->layer_sums(); });
  }
  std::unique_ptr<PointSampler> make_sampler(
      const std::vector<Point>& points, const std::vector<std::string>& fields) const override {
    const std::int64_t id = samplers_++;
    return together({.call = Call::make_sampler, .id = id, .names = fields, .points = points}, [&] {
      return std::make_unique<LeadingSampler>(leader_, sharers_->processes(), number_, id,
                                              own_->make_sampler(points, fields));
    });
  }
  std::unique_ptr<PointSampler> make_surface_sampler(
      const std::vector<std::string>& names) const override {
    const std::int64_t id = samplers_++;
    return together({.call = Call::make_surface_sampler, .id = id, .names = names}, [&] {
      return std::make_unique<LeadingSampler>(leader_, sharers_->processes(), number_, id,
                                              own_->make_surface_sampler(names));
    });
  }
  std::vector<FacedSurface> surfaces(const std::vector<std::string>& names) const override {
    return own_->surfaces(names);
  }
  void compare_solvers(const Settings& settings, ComparisonSink* sink) override {
    const bool by_default = settings.compare && settings.compare->by_default;
    const double what = sink == nullptr ? 0 : by_default ? 2 : 1;
    together({.call = Call::compare_solvers, .number = what},
             [&] { own_->compare_solvers(settings, sink); });
  }
  std::vector<BodyForce> forces() const override {
    return together({.call = Call::forces}, [&] { return own_->forces(); });
  }
  const std::vector<BodyFrame>& body_frames() const override { return own_->body_frames(); }
  void visit_state(StateVisitor& visitor) override {
    const Call call = visitor.restores() ? Call::restore_state : Call::save_state;
    together({.call = call}, [&] {
      SharedState shared(sharers_->processes(), visitor);
      own_->visit_state(shared);
    });
  }
  const Grid& grid() const override { return own_->grid(); }
  std::string device_name() const override {
    const int all = leader_.processes().size(), count = sharers_->count();
    const std::string idle =
        count < all ? " (" + std::to_string(all - count) + " without a part)" : "";
    return own_->device_name() + ", " + std::to_string(all) + " processes" + idle;
  }

 private:
  FlowLeader& leader_;
  std::int64_t number_;
  std::unique_ptr<Sharers> sharers_;
  std::unique_ptr<Flow> own_;
  std::unique_ptr<ProcessLog> log_;  // null: none is asked for
  mutable std::int64_t samplers_ = 0;
};

}  // namespace

FlowLeader::~FlowLeader() {
  if (!lost_) send(processes_, {.call = Call::end});
}

void FlowLeader::pause() {
  if (!lost_) send(processes_, {.call = Call::pause});
}

void FlowLeader::begin(const FlowOrder& order) {
  if (lost_) throw DeviceError("the other processes were lost by an earlier error");
  send(processes_, order);
  if (order.call != Call::advance) return;
  if (const int number = signal_of_any(processes_, 0); number > 0) on_signal_(number);
}

std::unique_ptr<Flow> make_leading_flow(FlowLeader& leader, const Settings& settings,
                                        const Problem& problem, const std::string& config) {
  const double has_state = problem.stored_state != nullptr ? 1.0 : 0.0;
  const std::int64_t flow = leader.next_flow();
  const FlowOrder order{.call = Call::make,
                        .flow = flow,
                        .number = has_state,
                        .names = {config, inputs_text(settings.inputs)}};
  return leader.together(order, [&]() -> std::unique_ptr<Flow> {
    throw_if_any_failed(leader.processes(), "");
    auto sharers = std::make_unique<Sharers>(leader.processes(), settings);
    const linalg::SharingRows sums({.processes = &sharers->processes()});
    auto own = make_flow(settings, problem, sharers->processes());
    std::unique_ptr<ProcessLog> log;
    if (settings.parallel.log) log = std::make_unique<ProcessLog>(*sharers, settings, *own);
    return std::make_unique<LeadingFlow>(leader, flow, std::move(sharers), std::move(own),
                                         std::move(log));
  });
}

}  // namespace hodge::sim
