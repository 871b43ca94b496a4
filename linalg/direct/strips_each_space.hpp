// The body of strips.hpp.
#pragma once

#include <algorithm>
#include <type_traits>

#include "linalg/base/complex.hpp"
#include "linalg/base/macros.hpp"
#include "linalg/direct/strips.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

// A CPU copies whole strips; on a GPU one launch copies the strips of all pairs.
template <class Space, class Value>
void copy_strips(const StripPairs<Space>& pairs, bool back, const Value* in, Value* out) {
  const StripPair* const table = pairs.data();
  if constexpr (std::is_same_v<Space, Host>) {
    for (int p = 0; p < pairs.size(); ++p) {
      const StripPair pair = table[p];
      const StripPair::Place from = back ? pair.other : pair.one, to = back ? pair.one : pair.other;
      [[maybe_unused]] const bool parallel =
          1LL * pair.length * pair.count > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
      for (int i = 0; i < pair.count; ++i)
        std::copy_n(in + from.begin(i), pair.length, out + to.begin(i));
    }
  } else {
    const int most = pairs.most();
    const Box<2> box{{{0, 0}}, {{pairs.longest(), most * pairs.size()}}};
    for_each<Space>(box, [=] HODGE_LAMBDA(const Index<2>& c) {
      const StripPair& pair = table[c[1] / most];
      const int strip = c[1] % most;
      if (c[0] >= pair.length || strip >= pair.count) return;
      const StripPair::Place from = back ? pair.other : pair.one, to = back ? pair.one : pair.other;
      out[to.begin(strip) + c[0]] = in[from.begin(strip) + c[0]];
    });
  }
}

#define HODGE_COPY_STRIPS(Value) \
  template void copy_strips(const StripPairs<ThisSpace>&, bool, const Value*, Value*);
HODGE_COPY_STRIPS(double)
HODGE_COPY_STRIPS(float)
HODGE_COPY_STRIPS(Complex<double>)
HODGE_COPY_STRIPS(Complex<float>)

}  // namespace hodge::linalg
