# SPDX-License-Identifier: MIT
"""hodge by Spack, from the checkout that this file lies in:

    spack repo add tools/packaging/spack_repo/hodge
    spack install hodge +mpi +cuda cuda_arch=90
"""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Hodge(CMakePackage, CudaPackage):
    """Incompressible flow on 2D and 3D Cartesian grids, on CPUs and on GPUs, from one YAML file a run."""

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("MIT", checked_by="hodge")

    version("main", branch="main")  # CMakeLists.txt has the number

    variant("mpi", default=False, description="Several processes, started by mpirun")
    variant("blas", default=True, description="Dense products on the CPU by OpenBLAS")
    variant("fftw", default=True, description="Direct solves on the CPU by FFTW, opened at run time")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("googletest@1.12:+gmock", type="test")

    depends_on("cli11@2.3:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("fmt@9:")
    depends_on("hdf5@1.10:")
    depends_on("muparser@2.3:")
    depends_on("vtk@9.1:")
    depends_on("yaml-cpp@0.7:")
    depends_on("zlib-api")

    depends_on("openblas threads=openmp", when="+blas")
    depends_on("fftw@3", when="+fftw", type="run")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")
    depends_on("thrust@1.17:", when="~cuda", type="build")

    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU: cuda_arch=80 (A100), cuda_arch=90 (H100, H200)")
    conflicts("%gcc@:11")
    conflicts("%clang@:13")

    generator("ninja")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("HODGE_CUDA", "cuda"),
            self.define_from_variant("HODGE_MPI", "mpi"),
            self.define_from_variant("HODGE_BLAS", "blas"),
            self.define("HODGE_BUILD_TESTS", self.run_tests),
            self.define("HODGE_UNITY_BUILD", True),
            self.define("HODGE_PACKAGES_DIR", "/nonexistent"),  # every library is Spack's
        ]
        if spec.satisfies("+blas"):
            args.append(self.define("HODGE_BLAS_LIBRARY", spec["openblas"].libs[0]))
        if spec.satisfies("+cuda"):
            args.append(self.define("HODGE_CUDA_ARCHITECTURES", spec.variants["cuda_arch"].value))
        else:
            args.append(self.define("CMAKE_INCLUDE_PATH", spec["thrust"].prefix))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+fftw"):
            env.prepend_path("LD_LIBRARY_PATH", self.spec["fftw"].prefix.lib)
