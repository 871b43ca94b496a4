#include "sim/processes/shared_pieces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "linalg/processes/lists.hpp"
#include "linalg/processes/shared_rows.hpp"

namespace hodge::sim {
namespace {

using Call = FlowOrder::Call;

// The first error by rank; that of another process than process 0 stands behind `rank N:`.
std::string first_error(linalg::Communicator& processes, const std::string& own) {
  const std::vector<std::size_t> lengths = linalg::gather_one(processes, own.size());
  const auto failed = std::ranges::find_if(lengths, [](std::size_t length) { return length > 0; });
  if (failed == lengths.end()) return "";
  const std::vector<char> texts = linalg::gather_lists(processes, std::span<const char>(own));
  const std::string text(texts.data(), *failed);  // those before it are empty
  const auto rank = failed - lengths.begin();
  return rank == 0 ? text : "rank " + std::to_string(rank) + ": " + text;
}

// What all report once each has done the action with its writer.
PieceReport report_of(linalg::Communicator& processes, const PieceWriter& own,
                      const std::function<void()>& action) {
  std::string error;
  try {
    action();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  PieceReport report;
  report.error = first_error(processes, error);
  report.landed = std::ranges::min(linalg::gather_one(processes, own.landed()));
  return report;
}

}  // namespace

std::unique_ptr<PieceWriter> make_own_pieces(Sharers& sharers, const Settings& settings,
                                             const Grid& grid, const MakePieceWriter& make) {
  const int rank = sharers.processes().rank();
  return make(settings, grid, {rank, sharers.slabs().first(rank), sharers.slabs().last(rank)});
}

PieceReport write_piece(linalg::Communicator& sharers, PieceWriter& own, const Flow& part,
                        long number, std::vector<std::string> names) {
  Frame frame;
  PieceReport report = report_of(sharers, own, [&] { frame = own.blank(); });
  if (!report.error.empty()) return report;
  const std::string precision = names.back();
  names.pop_back();
  part.fill_part(frame, names, precision);
  report.arrays.assign(frame.arrays.begin(), frame.arrays.end());
  own.submit(number, std::move(frame));
  return report;
}

PieceReport ask_for_pieces(linalg::Communicator& sharers, PieceWriter& own, PieceRequest request) {
  return report_of(sharers, own, [&] {
    if (request == PieceRequest::check) own.check();
    if (request == PieceRequest::finish) own.finish();
    if (request == PieceRequest::try_again) own.try_again();
  });
}

LeadingPieces::LeadingPieces(FlowLeader& leader, Sharers& sharers, std::int64_t flow,
                             const Flow& part, std::unique_ptr<PieceWriter> own)
    : leader_(leader), sharers_(sharers), flow_(flow), part_(part), own_(std::move(own)) {}

LeadingPieces::~LeadingPieces() {
  if (!leader_.has_lost_others())
    leader_.together({.call = Call::drop_pieces, .flow = flow_}, [] {});
}

PieceReport LeadingPieces::write(long number, const std::vector<std::string>& names,
                                 const std::string& precision) {
  FlowOrder order{.call = Call::write_pieces, .flow = flow_, .id = number, .names = names};
  order.names.push_back(precision);
  return leader_.together(order, [&] {
    const linalg::SharingRows sums({.processes = &sharers_.processes()});
    return write_piece(sharers_.processes(), *own_, part_, number, order.names);
  });
}

PieceReport LeadingPieces::ask(PieceRequest request) {
  const FlowOrder order{
      .call = Call::ask_for_pieces, .flow = flow_, .id = static_cast<std::int64_t>(request)};
  return leader_.together(order,
                          [&] { return ask_for_pieces(sharers_.processes(), *own_, request); });
}

}  // namespace hodge::sim
