#include "sim/processes/flow_order.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {
namespace {

// Of fixed size, before the lists.
struct Header {
  FlowOrder::Call call;
  std::int64_t flow;
  double number;
  std::int64_t id, text_bytes, points;
};

template <class T>
void broadcast(linalg::Communicator& processes, std::span<T> values) {
  if (values.empty()) return;
  const linalg::CountedMessages counted(linalg::MessageKind::decisions, values.size_bytes());
  processes.broadcast(std::as_writable_bytes(values), 0);
}

// Each name ends with a zero.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\0';
  return text;
}

std::vector<std::string> separated(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\0', begin);
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

std::vector<Point> points_of(const CellRange& cells) {
  std::vector<Point> points(2);
  std::ranges::copy(cells.lower, points[0].begin());
  std::ranges::copy(cells.upper, points[1].begin());
  return points;
}

CellRange range_of(const std::vector<Point>& points) {
  CellRange cells;
  for (std::size_t d = 0; d < 3; ++d) {
    cells.lower[d] = static_cast<int>(points.at(0)[d]);
    cells.upper[d] = static_cast<int>(points.at(1)[d]);
  }
  return cells;
}

void send(linalg::Communicator& processes, const FlowOrder& order) {
  std::string text = joined(order.names);
  std::vector<Point> points = order.points;
  Header header{order.call,
                order.flow,
                order.number,
                order.id,
                static_cast<std::int64_t>(text.size()),
                static_cast<std::int64_t>(points.size())};
  broadcast(processes, std::span(&header, 1));
  broadcast(processes, std::span(text));
  broadcast(processes, std::span(points));
}

FlowOrder receive_order(linalg::Communicator& processes) {
  Header header{};
  broadcast(processes, std::span(&header, 1));
  std::string text(static_cast<std::size_t>(header.text_bytes), '\0');
  broadcast(processes, std::span(text));
  FlowOrder order{header.call,     header.flow,
                  header.number,   header.id,
                  separated(text), std::vector<Point>(static_cast<std::size_t>(header.points))};
  broadcast(processes, std::span(order.points));
  return order;
}

int signal_of_any(linalg::Communicator& processes, int own) {
  double number = own;
  const linalg::CountedMessages counted(linalg::MessageKind::decisions, sizeof number);
  processes.maximum(std::span(&number, 1));
  return static_cast<int>(number);
}

void throw_if_any_failed(linalg::Communicator& processes, const std::string& own_error) {
  const std::vector<std::size_t> lengths = linalg::gather_one(processes, own_error.size());
  const std::string all = [&] {
    const std::vector<char> texts =
        linalg::gather_lists(processes, std::span<const char>(own_error));
    return std::string(texts.begin(), texts.end());
  }();
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    if (lengths[p] == 0) continue;
    const std::string text = all.substr(0, lengths[p]);  // those before it are empty
    throw ConfigError(p == 0 ? text : "rank " + std::to_string(p) + ": " + text);
  }
}

std::string other_here(const std::string& file) {
  return file + " is another file here than in process 0, expected the same contents";
}

bool is_met_alike(FlowOrder::Call call) {
  using Call = FlowOrder::Call;
  try {
    throw;
  } catch (const ConfigError&) {
    return call == Call::make || call == Call::make_sampler || call == Call::make_surface_sampler ||
           call == Call::cell_arrays;
  } catch (const NumericalError&) {
    return call == Call::make;
  } catch (const MemoryRefused&) {
    return call == Call::make;
  } catch (const IoError&) {
    return call == Call::restore_state || call == Call::save_state;
  } catch (...) {
    return false;
  }
}

}  // namespace hodge::sim
