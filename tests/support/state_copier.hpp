// A visitor of states (for_each_state) that writes all of one into maps, or reads it from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "linalg/vectors/vector.hpp"

namespace hodge::tests {

struct StateCopier {
  std::map<std::string, std::vector<double>> vectors;
  std::map<std::string, double> numbers;
  bool reads = false;

  template <class Space>
  void operator()(const std::string& name, linalg::Vector<Space>& v) {
    if (!reads) {
      vectors[name] = v.to_host();
      return;
    }
    const auto size = static_cast<int>(vectors.at(name).size());
    if (v.size() != size) v.resize(size);  // views have their size
    v.upload(vectors.at(name));
  }
  void operator()(const std::string& name, double& value, double = 0, double = 0) {
    reads ? void(value = numbers.at(name)) : void(numbers[name] = value);
  }
  void operator()(const std::string& name, long& value, long = 0, long = 0) {
    reads ? void(value = static_cast<long>(numbers.at(name)))
          : void(numbers[name] = static_cast<double>(value));
  }
};

}  // namespace hodge::tests
