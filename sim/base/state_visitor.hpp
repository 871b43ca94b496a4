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

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/number_text.hpp"

namespace hodge::sim {

// Where the value of a part lies. A span is a list whose length is known beforehand: another one is
// an error. A visitor that restores refuses a list with a value beyond largest_stored, or with NaN.
using StatePart =
    std::variant<double*, long*, std::string*, std::vector<double>*, std::span<double>>;

// Beyond this no double of a state is one that a flow was computed with: squares of fields, which
// are kept as sums over time, stay below.
inline constexpr double largest_stored = 1e200;

// The values that a number may have when it is read: a file may say anything. NaN is none of them.
template <class Value>
struct Allowed {
  Value least = std::numeric_limits<Value>::lowest();
  Value most = std::numeric_limits<Value>::max();
};
template <>
struct Allowed<double> {
  double least = -largest_stored, most = largest_stored;
};
// Numbers of steps and the like, which are counted further.
inline constexpr long most_counted = 1'000'000'000'000'000;

// The size of the last of so many steps, at the time after it: 0 before the first.
inline Allowed<double> last_step_before(double time, long steps) {
  constexpr double rounding = 1e-9, least = std::numeric_limits<double>::min();
  return steps == 0 ? Allowed<double>{0, 0} : Allowed<double>{least, time * (1 + rounding)};
}

// Where the values of a part lie in a longer list that processes share: values[0] is number `first`
// of the list, which has `total` values. Neighbours may have some of the values, too; those that
// this process answers for begin at values[own_first], and are own_count.
struct StatePiece {
  std::size_t first = 0, total = 0, own_first = 0, own_count = 0;
};

// A list that is visited range after range, so that nobody has all of it in memory. The ranges
// follow one another from the first value to the last. Where they are read, neighbours may have
// some of the values both, and `filled` is called behind each range.
struct RangedList {
  struct Range {
    std::size_t first = 0, count = 0;
    std::size_t end() const { return first + count; }
  };
  std::size_t total = 0;
  std::vector<Range> ranges{};
  std::function<std::span<double>(std::size_t range)> values{};
  std::function<void(std::size_t range)> filled = [](std::size_t) {};
};

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  // True: the visitor writes the parts; false: it reads them.
  virtual bool restores() const = 0;
  virtual void visit_part(const std::string& name, StatePart part) = 0;
  // Parts that are pieces of longer lists. All processes that share a list visit it, also those
  // without any of its values; one process has the whole list.
  virtual void visit_piece(const std::string& name, std::span<double> values, const StatePiece&) {
    visit_part(name, values);
  }
  // A list whose length is known beforehand.
  virtual void visit_ranges(const std::string& name, const RangedList& list) {
    std::vector<double> whole(list.total);
    const auto part = [&whole](const RangedList::Range& range) {
      return std::span(whole).subspan(range.first, range.count);
    };
    for (std::size_t r = 0; !restores() && r < list.ranges.size(); ++r)
      std::ranges::copy(list.values(r), part(list.ranges[r]).begin());
    visit_fixed(name, whole);
    for (std::size_t r = 0; restores() && r < list.ranges.size(); ++r) {
      std::ranges::copy(part(list.ranges[r]), list.values(r).begin());
      list.filled(r);
    }
  }
  // A value of each row, or of each entry of a row: the list has those of process 0, then those of
  // process 1, ... Values that are there tell the length; otherwise process 0 gets the whole list.
  virtual void visit_rows(const std::string& name, std::vector<double>& values) {
    if (restores() && !values.empty()) return visit_fixed(name, values);
    visit(name, values);
  }
  // The subject of a sentence about a part: "the checkpoint PATH cannot be read: NAME".
  virtual std::string subject(const std::string& name) const = 0;
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    throw IoError(subject(name) + " " + what);
  }

  // A double, long, int, bool, string or list of doubles. A number outside of `allowed` is refused
  // when it is read.
  template <class Value>
  void visit(const std::string& name, Value& value,
             std::type_identity_t<Allowed<Value>> allowed) requires std::is_arithmetic_v<Value> {
    using Stored = std::conditional_t<std::is_floating_point_v<Value>, double, long>;
    auto number = static_cast<Stored>(value);
    visit_part(name, &number);
    if (!restores()) return;
    const auto least = static_cast<Stored>(allowed.least);
    const auto most = static_cast<Stored>(allowed.most);
    if (!(number >= least && number <= most))
      refuse(name, "is " + text(number) + ", expected " + text(least) + " to " + text(most));
    value = static_cast<Value>(number);
  }
  template <class Value>
  void visit(const std::string& name, Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      visit(name, value, Allowed<Value>{});
    } else {
      visit_part(name, &value);
    }
  }
  void visit_fixed(const std::string& name, std::span<double> values) { visit_part(name, values); }

 private:
  static std::string text(long number) { return std::to_string(number); }
  static std::string text(double number) { return linalg::number_text(number); }
};

// Puts NAME/ before the names of the parts.
class StateGroup final : public StateVisitor {
 public:
  StateGroup(StateVisitor& whole, const std::string& name) : whole_(whole), prefix_(name + "/") {}

  bool restores() const override { return whole_.restores(); }
  void visit_part(const std::string& name, StatePart part) override {
    whole_.visit_part(prefix_ + name, part);
  }
  void visit_piece(const std::string& name, std::span<double> values,
                   const StatePiece& piece) override {
    whole_.visit_piece(prefix_ + name, values, piece);
  }
  void visit_ranges(const std::string& name, const RangedList& list) override {
    whole_.visit_ranges(prefix_ + name, list);
  }
  void visit_rows(const std::string& name, std::vector<double>& values) override {
    whole_.visit_rows(prefix_ + name, values);
  }
  std::string subject(const std::string& name) const override {
    return whole_.subject(prefix_ + name);
  }

 private:
  StateVisitor& whole_;
  std::string prefix_;
};

// Values in the memory of a space (a vector or a buffer): one copy of them on the host at a time.
template <class Values, class Visit>
void visit_on_host(const StateVisitor& visitor, Values& values, Visit visit) {
  std::vector<double> host(static_cast<std::size_t>(values.size()));
  if (!visitor.restores()) values.download(host);
  visit(std::span<double>(host));
  if (visitor.restores()) values.upload(host);
}

// Values that all processes have alike.
template <class Values>
void visit_values(StateVisitor& visitor, const std::string& name, Values& values) {
  visit_on_host(visitor, values, [&](std::span<double> host) { visitor.visit_fixed(name, host); });
}

// What a solver keeps for its next solves, from an object with for_each_state(visit) of linalg or
// of time/starting_guess.hpp. `settings` describes the solver: the state of another solver is
// ignored, because a restart may change the solvers. visit(name, number, least, most) bounds a
// number; a vector that has a length keeps it. Its values are those of rows.
template <class Solver>
void visit_solver(StateVisitor& visitor, const std::string& name, std::string settings,
                  Solver& solver) {
  const std::string present = settings;
  StateGroup group(visitor, name);
  group.visit("settings", settings);
  if (settings != present) return;
  solver.for_each_state([&group]<class Value, class... Bounds>(const std::string& part,
                                                               Value& value, Bounds... bounds) {
    if constexpr (std::is_arithmetic_v<Value>) {
      group.visit(part, value, Allowed<Value>{bounds...});
    } else {
      std::vector<double> host(static_cast<std::size_t>(value.size()));
      if (!group.restores()) value.download(host);
      group.visit_rows(part, host);
      if (!group.restores()) return;
      if (host.size() > std::numeric_limits<int>::max())
        group.refuse(part, "has " + std::to_string(host.size()) + " values, too many");
      if (value.size() == 0) value.resize(static_cast<int>(host.size()));
      value.upload(host);
    }
  });
}

}  // namespace hodge::sim
