// parallel: how several processes share a run.
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"

namespace hodge::sim {

ValueReader parallel_section(ParallelSettings& parallel) {
  ValueReader map = map_of(
      {optional("log", yes_or_no(parallel.log),
                "each process writes log.rankN.txt: its device, its part, its steps, its errors")});
  map.read = [read = map.read](const ConfigValue& value) {
    if (value.has("processes"))
      value.refuse("processes",
                   " is no setting any more: each of the processes that are started has a slab of "
                   "whole layers across the last axis; leave the key out, and start as many "
                   "processes as are to share the box");
    read(value);
  };
  return with_example(map, "{log: true}");
}

}  // namespace hodge::sim
