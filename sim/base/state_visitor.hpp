// Saving and restoring the state of an object: one function names the parts, and the visitor either
// reads or writes them.
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
#include <variant>
#include <vector>

namespace hodge::sim {

// Where the value of a part lies. A span is a list whose length is known beforehand: another one is
// an error.
using StatePart =
    std::variant<double*, long*, std::string*, std::vector<double>*, std::span<double>>;

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  // True: the visitor writes the parts; false: it reads them.
  virtual bool restores() const = 0;
  virtual void visit_part(const std::string& name, StatePart part) = 0;

  // A double, long, int, bool, string or list of doubles.
  template <class Value>
  void visit(const std::string& name, Value& value) {
    if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, int>) {
      long number = value;
      visit_part(name, &number);
      value = static_cast<Value>(number);
    } else {
      visit_part(name, &value);
    }
  }
  void visit_fixed(const std::string& name, std::span<double> values) { visit_part(name, values); }
};

// Puts NAME/ before the names of the parts.
class StateGroup final : public StateVisitor {
 public:
  StateGroup(StateVisitor& whole, const std::string& name) : whole_(whole), prefix_(name + "/") {}

  bool restores() const override { return whole_.restores(); }
  void visit_part(const std::string& name, StatePart part) override {
    whole_.visit_part(prefix_ + name, part);
  }

 private:
  StateVisitor& whole_;
  std::string prefix_;
};

// Values in the memory of a space (a vector or a buffer): one copy of them on the host at a time.
template <class Values>
void visit_values(StateVisitor& visitor, const std::string& name, Values& values) {
  std::vector<double> host(static_cast<std::size_t>(values.size()));
  if (!visitor.restores()) values.download(host);
  visitor.visit_fixed(name, host);
  if (visitor.restores()) values.upload(host);
}

// What a solver keeps for its next solves, from an object with for_each_state(visit) of linalg or
// of time/starting_guess.hpp. `settings` describes the solver: the state of another solver is
// ignored, because a restart may change the solvers.
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
