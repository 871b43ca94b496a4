// The spaces and value types that templates of linalg are compiled for.
#pragma once

#include "linalg/space/space.hpp"

#if HODGE_HAS_CUDA
#define HODGE_FOR_EACH_SPACE(X) X(Host) X(Cuda)
#define HODGE_FOR_EACH_SPACE_AND_VALUE(X) \
  X(Host, double) X(Host, float) X(Cuda, double) X(Cuda, float)
#else
#define HODGE_FOR_EACH_SPACE(X) X(Host)
#define HODGE_FOR_EACH_SPACE_AND_VALUE(X) X(Host, double) X(Host, float)
#endif
