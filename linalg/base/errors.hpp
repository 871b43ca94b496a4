// The few kinds of error that hodge throws, and the exit code that a program ends with for each.
//
// A message says what is wrong, the value, what was expected, and the fix. A numerical failure
// inside a solver is a SolveReport, never an exception; a program that decides to stop because of
// such a failure throws NumericalError.
#pragma once

#include <stdexcept>
#include <string>

namespace hodge {

class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// Wrong input of a user: a file, a key, a value, a command line.
struct ConfigError : Error {
  explicit ConfigError(const std::string& message) : Error(2, message) {}
};

// Sizes that do not fit together, or an index type that is too small: wrong use of the library.
struct ShapeError : Error {
  explicit ShapeError(const std::string& message) : Error(2, message) {}
};

// The computation failed: no convergence, blow-up, singular system.
struct NumericalError : Error {
  explicit NumericalError(const std::string& message) : Error(3, message) {}
};

// The machine failed: no such device, a failed kernel.
struct DeviceError : Error {
  explicit DeviceError(const std::string& message) : Error(4, message) {}
};

// Not enough memory on the host or the device.
struct MemoryError : Error {
  explicit MemoryError(const std::string& message) : Error(4, message) {}
};

// A file cannot be read or written.
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(4, message) {}
};

}  // namespace hodge
