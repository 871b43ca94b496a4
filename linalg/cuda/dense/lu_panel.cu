// Cuda space: launches the panel kernel of an LU factorisation.
#include "linalg/cuda/dense/lu_panel.cuh"

#include "linalg/cuda/dense/dense.hpp"

namespace hodge::linalg {

namespace cuda {

unsigned MessageBox::take_flags(unsigned count) {
  constexpr unsigned last = 0xfffffff0u;
  // After 4 thousand million columns the flags start again, in cleared words.
  if (next_flag > last - count) {
    check(cudaMemsetAsync(words, 0, capacity * sizeof(FlaggedWord), stream()), "clearing memory");
    next_flag = 1;
  }
  const unsigned first = next_flag;
  next_flag += count;
  return first;
}

MessageBox& message_box() {
  static MessageBox box = [] {
    MessageBox made;
    (void)context();
    const std::size_t bytes = MessageBox::capacity * sizeof(FlaggedWord);
    check(cudaMalloc(&made.words, bytes), "allocating memory for messages");
    check(cudaMemsetAsync(made.words, 0, bytes, stream()), "clearing memory");
    return made;
  }();
  return box;
}

namespace {

constexpr int panel_threads = 512;  // rows per block, a power of two >= 32

// The launch for panels of a given width: rows (threads) per block, and how many blocks can run at
// the same time, which they must.
struct PanelShape {
  int threads = 0;
  int most_blocks = 0;
};

template <class T, int Width>
PanelShape panel_shape(int threads) {
  const int processors =
      attribute(cudaDevAttrMultiProcessorCount, "asking for the number of multiprocessors");
  const int memory =
      attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, "asking for the shared memory");
  int per_processor = 0;
  while (threads > 32 && PanelMemory<T, Width>::bytes(threads) > static_cast<std::size_t>(memory)) {
    threads /= 2;
  }
  const int bytes = static_cast<int>(PanelMemory<T, Width>::bytes(threads));
  check(cudaFuncSetAttribute(lu_panel_kernel<T, Width>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             bytes),
        "reserving shared memory");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, lu_panel_kernel<T, Width>,
                                                      threads, static_cast<std::size_t>(bytes)),
        "asking for the occupancy");
  const int room = static_cast<int>(MessageBox::capacity / (2 * message_words<Width>));
  return {threads, std::min(processors * per_processor, room)};
}

// Returns false if the panel has more rows than blocks that run at the same time can hold.
template <class T, int Width>
bool launch_panel(const DenseView<T>& a, const RowExchange& exchange, int first_column,
                  LuStatus* status) {
  static const PanelShape shape =
      panel_shape<T, Width>(std::min(panel_threads, lu_panel_most_threads<Width>));
  const int blocks = (a.rows + shape.threads - 1) / shape.threads;
  if (blocks > shape.most_blocks) return false;
  const int threads = blocks > 1 ? shape.threads : (a.rows + 31) / 32 * 32;
  MessageBox& box = message_box();
  LuPanel<T> panel{
      a, exchange, status, first_column, box.words, box.take_flags(static_cast<unsigned>(a.cols))};
  void* arguments[] = {&panel};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&lu_panel_kernel<T, Width>),
                                    dim3(blocks), dim3(threads), arguments,
                                    PanelMemory<T, Width>::bytes(threads), stream()),
        "lu_panel_kernel");
  return true;
}

}  // namespace

template <class T>
void lu_panel(const DenseView<T>& a, const RowExchange& exchange, int first_column,
              LuStatus* status) {
  if (a.cols <= 16 && launch_panel<T, 16>(a, exchange, first_column, status)) return;
  if (launch_panel<T, 32>(a, exchange, first_column, status)) return;
  lu_panel_by_thrust(a, exchange, first_column, status);
}

template void lu_panel(const DenseView<double>&, const RowExchange&, int, LuStatus*);
template void lu_panel(const DenseView<float>&, const RowExchange&, int, LuStatus*);

}  // namespace cuda

}  // namespace hodge::linalg
