// What process 0 asks the other processes to do with their parts of a flow: one order for each call
// of Flow (flow/flow.hpp), sent by broadcast. All processes then make the call together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "sim/base/point.hpp"
#include "sim/discrete/bodies/body_frames.hpp"

namespace hodge::sim {

struct FlowOrder {
  enum class Call : std::int64_t {
    end,    // no order follows
    pause,  // those that follow return to their callers, and come back for the next one
    // names: the configuration, and the files that it names (base/input_files.hpp); number > 0:
    // with the state that it begins with
    make,
    release,
    advance,  // number: dt
    set_time,
    change_formulas,  // names: the configuration
    diagnostics,
    compare_solvers,  // number 1: from now on; 2: those that can serve alone; 0: no more
    cell_arrays,      // names: of fields
    fill,             // names: of fields, and last the precision
    fill_range,       // the same, and points_of() the cells
    error_norms,
    quantities,
    forces,
    layer_sums,
    make_sampler,          // id; names: of fields; points
    make_surface_sampler,  // id; names: of sides and bodies
    sample,                // id
    drop_sampler,          // id
    make_pieces,
    write_pieces,    // id: the number of the frame; names: of fields, and last the precision
    ask_for_pieces,  // id: the request (shared_pieces.hpp)
    drop_pieces,
    save_state,
    restore_state
  };
  Call call = Call::end;
  std::int64_t flow = 0;  // its number: several may live at a time
  double number = 0;
  std::int64_t id = 0;
  std::vector<std::string> names{};
  std::vector<Point> points{};
};

// Cells are numbers that points hold exactly.
std::vector<Point> points_of(const CellRange& cells);
CellRange range_of(const std::vector<Point>& points);

// Collective: process 0 sends, the others receive.
void send(linalg::Communicator& processes, const FlowOrder& order);
FlowOrder receive_order(linalg::Communicator& processes);

// Collective, behind an order to advance: the number of a signal that a process received, the
// largest of several; 0: none.
int signal_of_any(linalg::Communicator& processes, int own);

// Collective: throws in all processes where one of them has an error; in process 0 its text stands
// behind `rank N:`, if it is another one's. Empty: none. Errors: ConfigError.
void throw_if_any_failed(linalg::Communicator& processes, const std::string& own_error);

// The error of a process where a file has other contents than in process 0.
std::string other_here(const std::string& file);

// Whether all processes meet the exception that is being handled, an error of this call, at the
// same place: they can go on together.
bool is_met_alike(FlowOrder::Call call);

}  // namespace hodge::sim
