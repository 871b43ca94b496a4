// What goes into a checkpoint and comes out of one: an object with a state shows its parts to a
// visitor, each with a name, in one function for both directions.
//
//   void visit_state(StateVisitor& visitor) {
//     visitor.visit("time", time_);
//     visit_values(visitor, "pressure", pressure_.values());
//   }
//
// Names are paths of letters, digits, `_` and `/`. Errors: IoError and ConfigError of the visitor.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::sim {

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  // Whether the parts get their values from the visitor; otherwise it takes them.
  virtual bool restores() const = 0;
  virtual void visit(const std::string& name, double& value) = 0;
  virtual void visit(const std::string& name, long& value) = 0;
  virtual void visit(const std::string& name, std::string& text) = 0;
  virtual void visit(const std::string& name, std::vector<double>& values) = 0;
  // The same for a list whose length is known beforehand: another one is an error.
  virtual void visit_fixed(const std::string& name, std::span<double> values) = 0;

  void visit(const std::string& name, bool& value) {
    long number = value ? 1 : 0;
    visit(name, number);
    value = number != 0;
  }
  void visit(const std::string& name, int& value) {
    long number = value;
    visit(name, number);
    value = static_cast<int>(number);
  }
};

// The parts of an object below a name of its own.
class StateGroup final : public StateVisitor {
 public:
  StateGroup(StateVisitor& whole, const std::string& name) : whole_(whole), prefix_(name + "/") {}

  bool restores() const override { return whole_.restores(); }
  void visit(const std::string& name, double& value) override {
    whole_.visit(prefix_ + name, value);
  }
  void visit(const std::string& name, long& value) override { whole_.visit(prefix_ + name, value); }
  void visit(const std::string& name, std::string& text) override {
    whole_.visit(prefix_ + name, text);
  }
  void visit(const std::string& name, std::vector<double>& values) override {
    whole_.visit(prefix_ + name, values);
  }
  void visit_fixed(const std::string& name, std::span<double> values) override {
    whole_.visit_fixed(prefix_ + name, values);
  }
  using StateVisitor::visit;

 private:
  StateVisitor& whole_;
  std::string prefix_;
};

namespace detail {

template <class Values>
void visit_on_device(StateVisitor& visitor, const std::string& name, Values& values) {
  std::vector<double> host(static_cast<std::size_t>(values.size()));
  if (!visitor.restores()) values.download(host);
  visitor.visit_fixed(name, host);
  if (visitor.restores()) values.upload(host);
}

}  // namespace detail

// Values in the memory of a space: one copy of them on the host at a time.
template <class Space>
void visit_values(StateVisitor& visitor, const std::string& name, linalg::Vector<Space>& values) {
  detail::visit_on_device(visitor, name, values);
}
template <class Space>
void visit_values(StateVisitor& visitor, const std::string& name,
                  linalg::Buffer<double, Space>& values) {
  detail::visit_on_device(visitor, name, values);
}

// What a solver leaves to its next solves, from an object with for_each_state(visit) of linalg or
// of time/starting_guess.hpp. `settings` says what the solver is: a state of another one is left
// alone, for a restart may change the solvers.
template <class Solver>
void visit_solver(StateVisitor& visitor, const std::string& name, std::string settings,
                  Solver& solver) {
  const std::string present = settings;
  StateGroup group(visitor, name);
  group.visit("settings", settings);
  if (settings != present) return;
  solver.for_each_state([&group]<class Value>(const std::string& part, Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      group.visit(part, value);
    } else {
      std::vector<double> host(static_cast<std::size_t>(value.size()));
      if (!group.restores()) value.download(host);
      group.visit(part, host);
      if (!group.restores()) return;
      if (host.size() != static_cast<std::size_t>(value.size()))
        value.resize(static_cast<int>(host.size()));
      value.upload(host);
    }
  });
}

}  // namespace hodge::sim
