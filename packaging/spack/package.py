# SPDX-License-Identifier: Apache-2.0
# A package for a Spack repository of one's own; there is no release yet: spack dev-build in the working tree.
from spack.package import *


class Lanefold(CMakePackage):
    """SYCL-2020-style work-group kernels at SIMD speed with any C++20 compiler"""

    license("Apache-2.0")
    version("main", branch="main")

    variant("tbb", default=True, description="Threads of oneTBB")
    variant("gpu", default=False, description="The modules gpu and recorded: OpenCL devices")
    variant("fibers", default=False, description="The fiber engines of Boost")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("xsimd@8.1:")
    depends_on("intel-oneapi-tbb", when="+tbb")
    depends_on("boost+context+fiber", when="+fibers")
    depends_on("opencl-icd-loader", when="+gpu")
    depends_on("opencl-clhpp", when="+gpu")

    conflicts("%gcc@:11", msg="g++ 12 or later is needed")
    conflicts("%clang@:15", msg="clang 16 or later is needed")

    def cmake_args(self):
        off = ["TESTS", "EXAMPLES", "BENCHMARKS", "TOOLS"]
        return [self.define(f"LANEFOLD_BUILD_{part}", False) for part in off] + [
            self.define("LANEFOLD_INSTALL", True),
            self.define_from_variant("LANEFOLD_TBB", "tbb"),
            self.define_from_variant("LANEFOLD_GPU", "gpu"),
            self.define_from_variant("LANEFOLD_BOOST_CONTEXT", "fibers"),
            self.define_from_variant("LANEFOLD_BOOST_FIBER", "fibers"),
        ]
