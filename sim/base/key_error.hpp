// Wrong input that a key of the configuration is to blame for, found by code that does not know the
// file: who has the file adds the place of that key (app/config/places.hpp).
#pragma once

#include <string>
#include <utility>

#include "linalg/base/errors.hpp"

namespace hodge::sim {

struct KeyError : ConfigError {
  KeyError(std::string of, const std::string& message) : ConfigError(message), key(std::move(of)) {}
  std::string key;  // "boundaries.x_lower.velocity[0]"
};

}  // namespace hodge::sim
