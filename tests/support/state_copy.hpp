// A visitor that keeps the state of a flow on the host, and gives it back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/base/state_visitor.hpp"

namespace hodge::test {

class StateCopy final : public sim::StateVisitor {
 public:
  bool restoring = false;
  bool restores() const override { return restoring; }
  std::string subject(const std::string& name) const override { return name; }
  void visit_part(const std::string& name, sim::StatePart part) override {
    if (auto* const values = std::get_if<std::span<double>>(&part)) {
      std::vector<double> list(values->begin(), values->end());
      exchange(kept<std::vector<double>>(name), list);
      ASSERT_EQ(list.size(), values->size());
      std::copy(list.begin(), list.end(), values->begin());
      return;
    }
    std::visit(
        [&]<class Value>(Value where) {
          if constexpr (std::is_pointer_v<Value>)
            exchange(kept<std::remove_pointer_t<Value>>(name), *where);
        },
        part);
  }

 private:
  using Kept = std::variant<double, long, std::string, std::vector<double>>;

  template <class Value>
  Value& kept(const std::string& name) {
    if (!restoring) kept_[name] = Value();
    return std::get<Value>(kept_.at(name));
  }
  template <class Value>
  void exchange(Value& kept, Value& value) const {
    (restoring ? value : kept) = restoring ? kept : value;
  }
  std::map<std::string, Kept> kept_;
};

}  // namespace hodge::test
