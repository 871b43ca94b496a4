// Marks for functions that run on the host and on the device; empty unless nvcc compiles the file.
#pragma once

#ifdef __CUDACC__
#define HODGE_HD __host__ __device__
#define HODGE_LAMBDA __device__
#else
#define HODGE_HD
#define HODGE_LAMBDA
#endif

#ifndef HODGE_HAS_CUDA
#define HODGE_HAS_CUDA 0
#endif
