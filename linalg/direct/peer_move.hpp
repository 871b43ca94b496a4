// A move of the values of a box (box_move.hpp) between GPUs of one machine that reach each other's
// memory: one kernel on each GPU reads its own array and writes every strip to where it belongs, in
// its own array or in that of another process. Its last block waits for the other processes.
//
// In pieces, copy engines write to other processes beside the transforms of other pieces.
//
// Nothing is packed, and no messages are sent. Set-up: each process opens the arrays of the others
// (cuda/peer_memory/peer_memory.hpp) and is told where its strips belong in them.
#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "linalg/direct/box_pass.hpp"
#include "linalg/direct/strips.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

// The processes, the pieces of a BoxMove, and its arrays (BoxPass::fix_arrays).
template <class Value>
struct FixedMove {
  Communicator& processes;
  std::span<const MovedStrips> pieces;
  std::span<Value> in, out;
  ArrayUse use;
};

template <class Value>
std::unique_ptr<MovePass<Value>> peer_move_of_gpus(const FixedMove<Value>& move);

// Null on the Host and, on all processes alike, where they cannot write to each other's arrays.
// Collective.
template <class Space, class Value>
std::unique_ptr<MovePass<Value>> peer_move(const FixedMove<Value>& move) {
  if constexpr (std::is_same_v<Space, Host>)
    return nullptr;
  else
    return peer_move_of_gpus(move);
}

}  // namespace hodge::linalg
