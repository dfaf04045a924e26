# SPDX-License-Identifier: Apache-2.0
"""Every performance claim of Lanefold, in one table. `scripts/targets [AREA…]` measures it.

A target's `name` is what the program of its area prints; the bound holds for the median within one run. Ratios of speed
are (ours / theirs) and should be large, ratios of time are (ours / theirs) and should be small. What is compared:

    intel        Intel's OpenCL CPU runtime (scripts/opencl-cpu-runtime installs it)
    by_hand      loops by hand with xsimd batches on OpenMP threads, the fastest of several forms
    boost_fiber  one Boost.Fiber for each work-item
    baseline     of values: that, and sequential algorithms in heap scratch; joint: the sequential loop
    omp_simd     the loop that the compiler vectorises (`omp simd`)
    load         a loop that loads every element and does nothing with it
    std          the algorithm of the C++ standard library
    read         a vectorised loop that sums, as fast as memory can be read
    openblas     OpenBLAS as packaged, one thread
    std_reduce   std::reduce with std::execution::par_unseq
    cub          the fastest algorithm of CUB, built by nvcc; reductions with the result in every work-item
    cuda         the same kernel in CUDA
    local_tree   one element of local memory for each work-item
    openmp       of first_kernels: the loops on OpenMP threads that an expert writes (first_kernels/openmp.cpp)
    work_items   the same kernel, one work-item at a time

Of the area `sycl`, by_hand is a loop on OpenMP threads that the compiler vectorises (by_hand.cpp), and the programs are
plain SYCL 2020.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    area: str
    name: str
    what: str  # `scripts/targets --list` prints it
    relation: str  # ">=" or "<="
    bound: float
    threads: int = 2
    unit: str = ""
    # Says where the value comes from: "program" (the program of the area), "compile_time:NAME" (seconds to compile
    # compile_time/NAME.cpp), "compile_memory:NAME" (MiB), "checked:NAME" (what the program of the area takes for NAME in a
    # checked build, divided by what it takes for the other name behind a blank in another build), or "test:FILE", which is 1 when the tests of tests/<area>/FILE_test.cpp pass, else 0.
    source: str = "program"


# The program of each area, a CMake target of benchmarks/.
PROGRAMS = {
    "checked": "lanefold_targets_checked",
    "execution": "lanefold_targets_execution",
    "finite_volumes": "lanefold_targets_finite_volumes",
    "ranks": "lanefold_targets_ranks",
    "first_kernels": "lanefold_targets_first_kernels",
    "group_algorithms": "lanefold_targets_group_algorithms",
    "scoped": "lanefold_targets_scoped",
    "sycl": "lanefold_targets_sycl",
    "gpu": "lanefold_targets_gpu",
}


def _execution(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("execution", name, what, relation, bound, **more)


def _finite_volumes(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("finite_volumes", name, what, relation, bound, **more)


def _first_kernels(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("first_kernels", name, what, relation, bound, **more)


def _group_algorithms(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("group_algorithms", name, what, relation, bound, **more)


def _scoped(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("scoped", name, what, relation, bound, **more)


def _sycl(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("sycl", name, what, relation, bound, **more)


def _gpu(name: str, relation: str, bound: float, what: str, **more) -> Target:
    return Target("gpu", name, what, relation, bound, threads=1, **more)


def _checked(kernel: str, what: str) -> list:
    return [Target("checked", f"{kernel}/{form}", f"{what}, {text}, in a checked build: processor time against `scalar` in "
                   "another one", "<=", 20, threads=1, source=f"checked:{kernel}/{form} {kernel}/scalar")
            for form, text in (("scalar", "one work-item at a time"), ("lanes", "16 lanes"))]


GROUPS = (32, 64, 128, 256, 512, 1024)

TARGETS = [
    *_checked("reduction", "tree reduction of 2^18 floats, groups of 256"),
    *_checked("transposition", "transposition by tiles of 16 x 16, 512 x 512 floats"),
    *_checked("product", "matrix product by tiles of 16 x 16, n = 128"),
    _execution("barrier/native/boost_fiber", ">=", 15,
               "barrier, work-item kernel, groups of 256: how much cheaper `native` is than `boost_fiber`"),
    _execution("barrier/shift/256/by_hand", ">=", 0.8,
               "barrier with a local-memory shift, groups of 256: speed against the shift by hand, without barriers"),
    *(_execution(f"barrier/shift/{group}/intel", "<=", 0.6,
                 f"barrier with a local-memory shift, groups of {group}, best lane shape: time against Intel's OpenCL")
      for group in (256, 1024)),
    *(_execution(f"triad/{place}/{model}", ">=", bound, threads=2 if place == "memory" else 1,
                 what=f"triad over nd_range from {place}, {text}: speed against a plain vectorised loop")
      for place in ("l1", "l2", "memory")
      for model, text, bound in (("lanes", "lane-generic", 0.95), ("work_item", "work-item kernel", 0.90))),
    *(_execution(f"rows/{width}/one_row", "<=", bound, threads=1,
                 what=f"kernel over a 2-D range with rows of {width} floats: time against one row of all of them")
      for width, bound in ((8, 7), (16, 4), (32, 1.5))),
    *(_execution(f"rows/{width}/work_item/one_row", "<=", bound, threads=1,
                 what=f"kernel of work-items over a 2-D range with rows of {width} floats: time against one row of all")
      for width, bound in ((4, 12), (8, 6), (16, 3.5), (32, 2))),
    *(_execution(f"columns/{n}{form}/rows", "<=", 25,
                 what=f"kernel of work-items over a 2-D range, {n} x {n} floats, {text}: time against one along rows")
      for n in (1000, 1024)
      for form, text in (("", "along columns in memory"), ("/transposition", "a transposition"))),
    *(_execution(f"rows/{space}_4d/3d", "<=", 1.25, threads=1,
                 what=f"{space} of four dimensions, rows of 32 floats: time against three dimensions")
      for space in ("range", "nd_range")),
    *(_execution(f"int_ids/{space}/size_t", ">=", 0.9, threads=1,
                 what=f"triad in a work-item kernel over {text} with `int i = id`: speed against `size_t i = id`")
      for space, text in (("range", "range<1>"), ("range_2d", "range<2>"), ("nd_range", "nd_range<1>"),
                          ("nd_range_3d", "nd_range<3>, id from the group's"),
                          ("guarded", "nd_range<1>, i and i + n behind `if (i < n)`"))),
    *(_execution(f"vectors/{which}/arrays", ">=", bound, threads=1,
                 what=f"sums over the elements of {text} `view<float4>` in lanes: speed against four arrays of float")
      for which, text, bound in (("contiguous", "a", 0.6), ("gathered", "an indexed", 1.5))),
    *(_execution(f"small_reals/{kernel}/{kind}/fp32", ">=", bound, threads=1,
                 what=f"{text} of {kind} in lanes: speed against float")
      # Each operation rounds: a multiplication and an addition take four conversions, float one instruction.
      for kernel, text, bounds in (("scaled", "x / 4 + 3 / 2", (0.35, 0.18)),
                                   ("polynomial", "polynomial of degree 9", (0.05, 0.03)))
      for kind, bound in zip(("half", "bfloat16"), bounds)),
    *(_execution(f"division/{kind}/{form}/plain", ">=", bound, threads=1,
                 what=f"x / {text} of {kind} in lanes: speed against a plain loop")
      # Compilers do not vectorise divisions by numbers that they do not know.
      for form, text, bounds in (("constant", "7", (0.65, 0.8)), ("uniform", "d", (6, 6)))
      for kind, bound in zip(("int32", "uint8"), bounds)),
    _execution("reduction/lanes/boost_fiber", ">=", 25,
               "tree reduction of 2^25 doubles, groups of 256, lane-generic: speed against a fiber per work-item"),
    _execution("reduction/native/boost_fiber", ">=", 8,
               "the same as work-item kernel on `native`: speed against a fiber per work-item"),
    _execution("reduction/lanes/intel", "<=", 0.55,
               "the same, lane-generic: time against Intel's OpenCL"),
    *(target
      for n in (256, 1024, 1040)
      for target in (
          _execution(f"matmul/{n}/by_hand", ">=", 0.9,
                     f"matrix product, fp64, 16x16 tiles with barriers, n = {n}: speed against the loops by hand"),
          _execution(f"matmul/{n}/intel", "<=", 1.0, "the same: time against Intel's OpenCL"))),
    *(target
      for kind in ("fp32", "fp64")
      for target in (
          _execution(f"nbody/{kind}/by_hand", ">=", 0.9,
                     f"n-body, 16,384 bodies, {kind}, with barriers: speed against xsimd batches by hand"),
          _execution(f"nbody/{kind}/intel", "<=", 1.0, "the same: time against Intel's OpenCL"))),
    _execution("mandelbrot/by_hand", ">=", 0.9,
               "Mandelbrot, 2048², fp32, divergent while_: speed against xsimd batches by hand"),
    _execution("mandelbrot/scalar", ">=", 6,
               "the same: speed against the scalar strategy, on AVX-512"),
    _execution("launch/microseconds", "<=", 5, unit="us",
               what="submit and wait, empty kernel of 1024 groups of 256, warm in-order queue"),
    _execution("launch/intel", "<=", 0.3, "the same: time against Intel's OpenCL"),
    *(_execution(f"graph/{name}", "<=", 1.15,
                 f"command graph of 10,000 nodes of 1 us, {text}, replayed: time against a loop on OpenMP threads")
      for name, text in (("independent", "without edges"), ("layers", "each behind three of the layer before"),
                         ("chains", "two chains"))),
    *(_execution(f"scaling/{program}", ">=", 1.85, f"{program}: speed of two threads against one")
      for program in ("matmul/1024", "matmul/1040", "nbody/fp32", "nbody/fp64")),
    *(_execution(f"shares/{items}/{form}/{count}/openmp", ">=", 0.95,
                 f"{count} heavy items, {text}, {what}: speed against the OpenMP loop, static or dynamic")
      for items, text in (("even", "as costly as each other"), ("rising", "ever more costly"))
      for form, what in (("range", "kernel over range<1>"), ("range_2d", "range<2>"), ("range_3d", "range<3>"),
                         ("nd_range", "nd_range<1>"), ("nd_range_3d", "nd_range<3>, groups of four"),
                         ("reduction", "reduction over range<1>"))
      for count in (64, 1024, 8192, 65536)),
    *(_execution(f"shares/{items}/groups_of_256/{count}/openmp", ">=", 0.9,
                 f"{count} heavy items, {text}, in work-groups of 256: speed against the OpenMP loop, static or dynamic")
      for items, text in (("even", "as costly as each other"), ("rising", "ever more costly"))
      for count in (1024, 8192)),
    *(_execution(f"shares/vectorised/{form}/{count}/openmp", ">=", 0.9,
                 f"{count} items of 4,096 steps each, vectorised, kernel over {what}: speed against the OpenMP loop with simd")
      for form, what in (("range", "range<1>"), ("range_2d", "range<2>, rows of 32")) for count in (1024, 8192, 65536)),
    *(_execution(f"shares/short/range/{microseconds}/openmp", ">=", bound,
                 f"a launch that gives each thread {microseconds} us to do: speed against the OpenMP loop")
      for microseconds, bound in ((1, 0.5), (5, 0.6), (20, 0.85), (100, 0.95))),
    _execution("memory/unit", "<=", 8, unit="KiB",
               what="resident memory of a kernel with barriers, groups of 1024 work-items, for each unit and thread"),
    _execution("masks/triad", ">=", 1, source="test:disassembly", threads=1,
               what="hot loop of a lane-generic triad, full sub-groups: no blend, mask register or call"),
    _execution("compile_time", "<=", 2.0, unit="s", source="compile_time:one_kernel", threads=1,
               what="compiling a one-kernel program with the umbrella header, g++ -O2"),
    _execution("compile_time/unoptimised", "<=", 30, unit="s", source="compile_time:unoptimised", threads=1,
               what="compiling five kernels of simd<256>, g++ -O0"),
    # For SSE2, whose 256 doubles are 128 registers, 1,377; AVX2 827, AVX-512 527 (g++ 12.2). Five kernels once took 8 GB.
    _execution("compile_memory/unoptimised", "<=", 1024, unit="MiB", source="compile_memory:unoptimised", threads=1,
               what="the same: memory of the compiler"),
    *(target
      for d, counts in ((2, (64, 1024, 4096)), (3, (64, 1024)))
      for p in (4, 6, 8)
      for count in counts
      for target in (
          *(_finite_volumes(f"{d}d/soa/p{p}/T{count}/{how}/openmp", ">=", 1.0,
                            f"step of {count} patches of {p}^{d} cells, {how}: speed against loops on OpenMP threads")
            for how in ("patch_wise", "scoped")),
          _finite_volumes(f"{d}d/soa/p{p}/T{count}/graph/patch_wise", "<=", 1.1,
                          "the same, a replayed graph of scoped kernels: time against patch-wise"))),
    *(_finite_volumes(f"scattered/{d}d/p6/T1024/contiguous", "<=", 1.2,
                      f"1,024 patches of 6^{d} cells, scattered over the heap, to one array and back: time against one block")
      for d in (2, 3)),
    *(_finite_volumes(f"memory/{place}/{d}d/p6/T{count}/{way}/copies", "<=", 1.2 if count == 64 else 1.0,
                      f"patch-wise step of {count} patches of 6^{d} cells, scattered over the heap, by {text}, on {where}: "
                      "time against memory that is allocated for each step")
      for place, where in (("cpu", "the CPU"), ("opencl", "an OpenCL device"))
      for d in (2, 3) for count in (64, 1024)
      for way, text in (("managed", "memory of a pool"), ("usm", "shared memory"))),
    *(Target("ranks", f"{d}d/{how}/one_rank", f"simulation of {text} for each rank, a core each, {how}: weak scaling",
             ">=", 0.9)
      for d, text in ((2, "48^2 patches of 8^2 cells"), (3, "10^3 patches of 8^3 cells"))
      for how in ("patch_wise", "scoped", "graph")),
    *(Target("ranks", f"{d}d/device/{how}/one_rank",
             f"simulation of {text} for each rank, an OpenCL device each, {how}: weak scaling", ">=", 0.9)
      for d, text in ((2, "384^2 patches of 8^2 cells"), (3, "24^3 patches of 8^3 cells"))
      for how in ("patch_wise", "scoped", "graph")),
    *(target
      for program, text in (
          ("stencil", "five-point stencil, 512², 20 steps"),
          ("compaction", "compaction of 2^20 floats by scans of groups"),
          ("histogram", "histogram of 2^22 bytes with local atomics"),
          ("sparse", "sparse matrix times vector, 32,768 rows, a sub-group a row"),
          ("sort", "bitonic sort of 256 times 1,024 floats in local memory"),
          ("cholesky", "Cholesky factors of 16,384 matrices of 8x8"),
          ("fft", "Fourier transforms of 256 times 1,024 points in local memory"),
          ("flux", "Rusanov's fluxes between 2^18 cells"),
          ("monte_carlo", "Monte Carlo by Philox, 8,192 work-items, 128 points each"),
          ("black_scholes", "Black and Scholes' prices of 2^17 options"))
      for target in (
          _first_kernels(f"{program}/openmp", ">=", 1.0,
                         f"{text}, lane-generic as first written: speed against the OpenMP loop of an expert"),
          _first_kernels(f"{program}/work_items", ">=", 1.0, "the same: speed against one work-item at a time"))),
    # Half of the loop's speed is what can be had by hand with such tiles (docs/decisions/037).
    _first_kernels("stencil_tiles/openmp", ">=", 0.2,
                   "the stencil in tiles of 16x16 in local memory: speed against the same loop"),
    _first_kernels("stencil_tiles/work_items", ">=", 1.0, "the same: speed against one work-item at a time"),
    _first_kernels("lattice/openmp", ">=", 0.9,
                   "a fluid on a periodic lattice, 512², nine directions: speed against the loop"),
    _first_kernels("lattice/work_items", ">=", 1.0, "the same: speed against one work-item at a time"),
    # The loop ends before the border, the kernel asks for each sub-group (docs/decisions/071).
    _first_kernels("volume/openmp", ">=", 0.6,
                   "a stencil of seven points in a volume of 128³ doubles, with a condition at its border: speed against the loop"),
    _first_kernels("volume/work_items", ">=", 1.0, "the same: speed against one work-item at a time"),
    # The loop loads and stores each register once for all colours (docs/decisions/082).
    _first_kernels("pixels/openmp", ">=", 0.4,
                   "an image of 512² pixels of three floats is toned: speed against the loop"),
    _first_kernels("pixels/work_items", ">=", 1.0, "the same: speed against one work-item at a time"),
    _first_kernels("red_black/openmp", ">=", 0.85,
                   "Gauss and Seidel's iteration over 512² cells in two colours, in place: speed against the loop"),
    _first_kernels("red_black/work_items", ">=", 1.0, "the same: speed against one work-item at a time"),
    _first_kernels("geometric_mean/openmp", ">=", 2.5,
                   "these fifteen: geometric mean of the speeds against OpenMP"),
    *(_group_algorithms(f"joint_reduce/{kind}/{peer}", ">=", bound, threads=1,
                        what=f"joint_reduce, plus, 204,800 {kind}, explicit SIMD: speed against {text}")
      for kind, bounds in (("fp32", (1.0, 7, 0.9)), ("fp64", (1.0, 3.5, 0.9)), ("int32", (1.0, 1, 0.9)),
                           ("int64", (1.0, 1, 0.9)))
      for (peer, text), bound in zip((("omp_simd", "`omp simd`"), ("baseline", "the sequential loop"),
                                      ("load", "loads alone")), bounds)),
    *(_group_algorithms(f"joint_{scan}_scan/{kind}/{count}/baseline", ">=", 2.5, threads=1,
                        what=f"joint_{scan}_scan, plus, {count} {kind}: speed against the sequential loop")
      for kind in ("int32", "fp32") for count in (4096, 51200, 204800) for scan in ("inclusive", "exclusive")),
    *(_group_algorithms(f"joint_any_of/{kind}/std", ">=", 4, threads=1,
                        what=f"joint_any_of, 204,800 {kind}, no match: speed against std::any_of")
      for kind in ("int32", "fp32")),
    *(_group_algorithms(f"reduce/work_item/{kind}/baseline", ">=", 15,
                        f"reduce_over_group, work-item kernel, {kind}, groups of 256: speed against the baseline")
      for kind in ("int32", "int64", "fp32", "fp64", "fp32x4")),
    *(_group_algorithms(f"{function}/lanes/{kind}/baseline", ">=", 100,
                        f"{function}_over_group, lane-generic, {kind}, groups of 256: speed against the baseline")
      for function in ("reduce", "inclusive_scan") for kind in ("int32", "fp32")),
    *(_group_algorithms(f"{function}/{kind}/{group}/intel", "<=", bound,
                        f"{function}_over_group, {kind}, groups of {group}, best lane shape: time against Intel's OpenCL")
      for function, bound in (("reduce", 1.0), ("inclusive_scan", 0.4))
      for kind in ("int32", "fp32") for group in (256, 1024)),
    *(_group_algorithms(f"sub_group/{function}/{kind}/intel", "<=", bound,
                        f"{function} among 16 work-items (a sub-group, or a chunk of one of 64), {kind}: time against "
                        "Intel's OpenCL sub-groups of 16")
      for function, bound in (("reduce", 1.0), ("scan", 0.6), ("xor", 0.5)) for kind in ("int32", "fp32")),
    *(_group_algorithms(f"sub_group/{function}/work_item", "<=", bound, unit="ns", threads=1,
                        what=f"{function} of a sub-group in a work-item kernel, int32: nanoseconds for each work-item")
      for function, bound in (("reduce", 15), ("xor", 15))),
    _group_algorithms("registers_only", ">=", 1, source="test:disassembly", threads=1,
                      what="hot loops of lane-generic shuffles, reductions, scans of sub-groups: no load, store or call"),
    _group_algorithms("sort/int32/std", ">=", 2,
                      "sort_over_group, groups of 256 int32: speed against std::sort of each group"),
    *(target
      for program, text in (("reduction", "tree reduction"), ("segmented_reduction", "segmented reduction"))
      for exponent, ndrange in ((22, 0.25), (25, 0.5))
      for target in (
          _scoped(f"{program}/2^{exponent}/read", ">=", 0.85,
                  f"{text} of 2^{exponent} doubles, scoped simd: speed against a vectorised loop that sums"),
          _scoped(f"{program}/2^{exponent}/ndrange", ">=", ndrange,
                  "the same, ndrange simd, a barrier at every level: speed against scoped simd"),
          _scoped(f"{program}/2^{exponent}/intel", "<=", 0.35, "the same, best model: time against Intel's OpenCL"))),
    *(_scoped(f"dgemm/1024/omp_simd/{compiler}", ">=", 1.05,
              f"dgemm 1024, tiles of 16x16, scoped simd: speed against scoped omp_simd, both compiled with {compiler}")
      for compiler in ("gcc", "clang")),
    _scoped("dgemm/1024/openblas", ">=", 1.0, threads=1,
            what="dgemm 1024, scoped, blocked for registers: speed against OpenBLAS as packaged, one thread each"),
    *(_scoped(f"dgemm/{n}/ndrange", ">=", 0.85,
              f"dgemm {n}, tiles of 16x16, ndrange simd: speed against scoped simd") for n in (1024, 1040)),
    _scoped("dgemm/1024/intel", "<=", 1.0, "dgemm 1024, tiles of 16x16, best model: time against Intel's OpenCL"),
    _scoped("dgemm/1024/register_blocked/intel", "<=", 0.6,
            "dgemm 1024, scoped, blocked for registers: time against Intel's OpenCL with tiles"),
    *(target
      for kind in ("fp32", "fp64")
      for target in (
          *(_scoped(f"nbody/{kind}/{model}/by_hand", ">=", 0.9,
                    f"n-body, 16,384 bodies, {kind}, {model} simd: speed against xsimd batches by hand")
            for model in ("scoped", "ndrange")),
          _scoped(f"nbody/{kind}/intel", "<=", 1.0, "the same, best model: time against Intel's OpenCL"))),
    _scoped("nbody/fp32/scalar", ">=", 5, "n-body, fp32, scoped simd: speed against scoped scalar"),
    *(_scoped(f"{program}/hierarchical/{strategy}", relation, bound,
              f"{program}, hierarchical, {strategy}: speed against scoped, {strategy}; within 10 % both ways")
      for program in ("reduction/2^25", "segmented_reduction/2^25", "dgemm/1024", "nbody/fp32", "nbody/fp64")
      for strategy in ("scalar", "omp_simd", "simd")
      for relation, bound in ((">=", 0.9), ("<=", 1.1))),
    _sycl("submission/dependent", "<=", 1, unit="us",
          what="100,000 dependent commands through accessors of one buffer: time of one, less that of a call through the "
               "thread pool"),
    _sycl("submission/memory", "<=", 2, unit="MiB",
          what="the same ten times: how much resident memory grows after the first time"),
    _sycl("independent/in_order", ">=", 1.7,
          "10,000 independent kernels of one group of 64, about 10 us each: out-of-order queue against in-order queue"),
    _sycl("buffers/round_trip", "<=", 10, unit="us",
          what="a buffer over 1 KiB of host memory, one kernel, written back"),
    *(_sycl(f"reduction/{kind}/{form}/by_hand", ">=", 0.9,
            f"reduction with plus over 2^25 {kind}, kernel over {form}: speed against a loop that reads")
      for kind in ("fp32", "fp64") for form in ("range", "nd_range")),
    _sycl("reduction/some/by_hand", ">=", 0.9,
          "reduction with plus over those of 2^18 floats a thread that are above 1/2, kernel over range: speed against the OpenMP loop with simd"),
    _sycl("histogram/by_hand", ">=", 0.5,
          "histogram of 2^26 bytes, local atomics in groups of 256, 1 KiB a work-item: speed against a private histogram for "
          "each thread"),
    _sycl("stencil/by_hand", ">=", 0.9,
          "2-D stencil, 4096², 100 steps, kernel over range through accessors: speed against the OpenMP loop"),
    *(_sycl(f"{name}/by_hand", ">=", 0.9, f"{what}, kernel over range through accessors: speed against the OpenMP loop with simd")
      for name, what in (("arithmetic/fp32", "1,024 dependent operations for each of 65,536 floats"),
                         ("arithmetic/fp64", "the same of doubles"), ("column_sums", "product of matrix and vector, 2048²"))),
    *(_sycl(f"hierarchical/{name}/by_hand", ">=", 0.9, f"{what}, hierarchical kernel in groups of 256: speed against the OpenMP loop with simd")
      for name, what in (("arithmetic/fp32", "1,024 dependent operations for each of 65,536 floats"),
                         ("pairs", "each of 8,192 floats and all others, tiles in local memory, sums in private memory"))),
    *(_sycl(f"functions/{kind}/{name}/by_hand", ">=", bound,
            f"{what} of each of 2^19 numbers, {kind}, kernel over nd_range with a guard: speed against the OpenMP loop with "
            "simd, -ffast-math and libmvec" + (", which is less exact than SYCL allows" if name == "log" else ""))
      for kind, name, bound, what in (
          ("fp32", "sqrt", 0.6, "square root"), ("fp32", "exp", 0.8, "exponential"), ("fp32", "log", 0.25, "logarithm"),
          ("fp32", "pow", 0.9, "power"), ("fp32", "sincos", 0.85, "sine times cosine"), ("fp64", "exp", 0.8, "exponential"),
          ("fp64", "pow", 0.9, "power"))),
    _sycl("calls/by_value/by_reference", "<=", 1.3, threads=1,
          what="65,536 work-items that hand their nd_item to a function of another source file, by value: time against by reference"),
    _sycl("compile_time", "<=", 1.5, unit="s", source="compile_time:sycl_kernel", threads=1,
          what="compiling a one-kernel program with <sycl/sycl.hpp>, g++ -O2"),
    *(_gpu(f"{what}/{kind}/{group}/cub", "<=", bound, f"{what} of {kind}, work-groups of {group}: time against CUB")
      for what, bound in (("reduce", 1.0), ("inclusive_scan", 1.05), ("exclusive_scan", 1.05))
      for kind in ("int32", "fp32", "int64", "fp64", "fp32x4") for group in GROUPS),
    *(_gpu(f"{what}/median/cub", "<=", 0.85, f"{what}, median over types and work-group sizes: time against CUB")
      for what in ("reduce", "inclusive_scan", "exclusive_scan")),
    *(_gpu(f"any_of/{group}/cuda", "<=", 1.0,
           f"any_of, work-groups of {group}: time against __syncthreads_or, the same instruction")
      for group in GROUPS),
    _gpu("reduce/median/local_tree", ">=", 2.1, "reduce, median: speed against the tree in local memory"),
    _gpu("scan/median/local_tree", ">=", 2, "scans, median: speed against scans in local memory"),
    *(_gpu(f"{name}/{kind}/{peer}", ">=", 0.98, f"{name}, 2^28 {kind}: speed against {text}")
      for kind in ("int32", "fp32")
      for name, peer, text in (("device_reduce", "cub", "CUB"), ("device_reduce", "copy", "the bandwidth of a copy"),
                               ("device_scan", "cub", "CUB"))),
    *(target
      for n in (1024, 2048, 4096)
      for target in (
          _gpu(f"dgemm/{n}/cuda", ">=", 1.0, f"matrix product, fp64, 16x16 tiles, n = {n}: speed against CUDA"),
          _gpu(f"dgemm/{n}/registers", ">=", 3, "4x4 elements a work-item in registers: speed against the tiles"))),
    _gpu("launch/opencl", "<=", 1.1, "launch and finish of an empty kernel: time against plain OpenCL"),
    _gpu("launch/queue", "<=", 1.1, "the same with lanefold::queue, in order"),
    _gpu("launch/chain", "<=", 1.15, "100 launches one behind the other and a wait: time against plain OpenCL"),
    _gpu("launch/graph", "<=", 1.15, "the same 100 launches as a graph that was recorded once: time against plain OpenCL"),
    _gpu("launch/usm", "<=", 1.0, "100 launches of a recorded kernel with five pointers to USM: time against plain OpenCL and SVM"),
    *(_gpu(f"recorded/{program}/{peer}", ">=", bound, f"recorded {program.replace('/', ', ')}: speed against {text}")
      for program in ("dgemm/1024", "dgemm/2048", "dgemm/4096", "nbody/65536", "reduction", "segmented_reduction")
      for peer, bound, text in (("hand", 0.97, "OpenCL C by hand"), ("cuda", 0.95, "CUDA, CUB"))),
    _gpu("recorded/dgemm/256/hand", ">=", 0.97, "recorded dgemm, 256, launches included: speed against OpenCL C by hand"),
    *(_gpu(f"recorded/launch/{name}", "<=", 1, unit="us",
           what=f"launch of a recorded kernel that is in memory, {text}: the submitting thread, beyond launch(gpu::kernel)")
      for name, text in (("one_line", "one line"), ("one_loop", "tiled matrix product"),
                         ("nested_loops", "nested loops with barriers"))),
    *(_gpu(f"recorded/{what}/{kind}/{group}/cub", "<=", 1.0,
           f"recorded {what} of {kind}, work-groups of {group}: time against CUB")
      for what in ("reduce", "inclusive_scan", "exclusive_scan") for kind in ("int32", "fp32", "int64", "fp64")
      for group in GROUPS),
    *(_gpu(f"recorded/{what}/{kind}/{group}/cub", "<=", 1.0, f"recorded {text} of {kind}, work-groups of {group}: time against CUB")
      for what, text, sizes in (("sort", "sort_over_group", (64, 256, 1024)), ("reduce_chunk", "reduction of chunks of 8", (256,)),
                                ("scan_chunk", "inclusive scan of chunks of 8", (256,)))
      for kind in ("uint32", "uint64") for group in sizes),
    # Two-dimensional patches and few of them take less time than a launch, which CUDA has for less.
    *(_gpu(f"finite_volumes/{d}d/soa/p{p}/T{count}/cuda", ">=", 0.95,
           f"step of {count} patches of {p}^{d} cells, patch-wise, recorded: speed against CUDA by hand")
      for d in (2, 3) for p in (4, 6, 8) for count in (64, 1024, 4096)),
    _gpu("recorded/collectives/median/cub", "<=", 0.85, "recorded group algorithms, median: time against CUB"),
    _gpu("cache/second_process_ms", "<=", 20, unit="ms", what="a second process: until its program is ready"),
]
