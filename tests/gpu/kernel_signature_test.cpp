// SPDX-License-Identifier: Apache-2.0
// The parameters of kernels: what their text says, and what the device knows where that leaves it open.
#include "testing.hpp"

#include "kernel_signature.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

namespace {

using namespace gpu_testing;
using gpu::opencl::find_kernel;
using gpu::opencl::kernel_parameter;
using lanefold::errc;
using lanefold::nd_range;
namespace lf = lanefold;

bool is_certain(std::string_view source, const std::vector<std::string_view>& macros = {}) {
  const auto found = find_kernel(source, "f", macros);
  return found && found->is_certain;
}

TEST(gpu_kernel_signature, of_plain_text_is_certain) {
  EXPECT_TRUE(is_certain("kernel void f() {}"));
  EXPECT_TRUE(
      is_certain("#define TWICE(x) (x + x)\n#if 0\nkernel void g(int a);\n#endif\n"
                 "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(\n"
                 "    __global const float4* restrict x, unsigned int n, long m, local half* t) { x[TWICE(n)]; }"));
  EXPECT_TRUE(is_certain("kernel void f(global const body* x, struct body b, constant void* p, image2d_t i) {}"));
  const auto found = find_kernel("kernel void f(global const body* x, unsigned long int n) {}", "f");
  ASSERT_TRUE(found && found->parameters.size() == 2);
  EXPECT_EQ(found->parameters[0].type, "body");
  EXPECT_TRUE(found->parameters[0].is_const);
  EXPECT_EQ(found->parameters[1].type, "ulong");
  EXPECT_FALSE(find_kernel("kernel void g() {}", "f"));
}

TEST(gpu_kernel_signature, knows_the_plain_types_that_a_program_names) {
  EXPECT_TRUE(is_certain("typedef struct { int a; const int* b; } body;\nkernel void f(global body* x) {}"));
  EXPECT_TRUE(is_certain("typedef struct body { int a; } body;\nkernel void f(global body* x, body b) {}"));
  EXPECT_TRUE(is_certain("typedef struct body body; struct body { int a; };\nkernel void f(global body* x) {}"));
  EXPECT_TRUE(is_certain("typedef unsigned int word;\ntypedef word key;\nkernel void f(global key* x) {}"));
  EXPECT_TRUE(is_certain("kernel void f(global atomic_int* x, global uintptr_t* y) {}"));
  EXPECT_TRUE(is_certain("typedef const float cf;\nkernel void f(global const cf* x, local cf* y, constant cf* z) {}"));
  for (const char* const unknown :
       {"typedef const float cf;", "typedef float const cf;", "typedef const float cg; typedef cg cf;",
        "typedef const struct { int a; } cf;", "typedef struct { int a; } const cf;", "typedef struct body const cf;",
        "typedef float number, cf;", "typedef float cf __attribute__((aligned(16)));",
        "#ifdef A\ntypedef float cf;\n#else\ntypedef const float cf;\n#endif",
        "#define float const int\ntypedef float cf;", "typedef float* cf;", "typedef float cf[4];", "",
        "typedef const float cf;\nvoid g() { typedef float cf; }"})
    EXPECT_FALSE(is_certain(std::string(unknown) + "\nkernel void f(global cf* x) {}")) << unknown;
  for (const char* const name : {"atomic_weights", "image2d_weights"}) // like types of OpenCL C's own
    EXPECT_FALSE(
        is_certain(std::string("typedef const float ") + name + ";\nkernel void f(global " + name + "* x) {}"));
}

TEST(gpu_kernel_signature, finds_kernels_that_take_nothing) {
  using gpu::opencl::has_kernel_without_parameters;
  EXPECT_TRUE(has_kernel_without_parameters("kernel void g(int a) {}\nkernel void f() {}"));
  EXPECT_TRUE(has_kernel_without_parameters(
      "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void f(void) {}\nkernel void g(int a) {}"));
  EXPECT_FALSE(has_kernel_without_parameters("void g() {}\nkernel void f(int a) { g(); } // kernel void h() {}"));
  EXPECT_FALSE(has_kernel_without_parameters(""));
}

TEST(gpu_kernel_signature, is_not_certain_where_the_device_knows_more) {
  EXPECT_FALSE(is_certain("#ifdef A\nkernel void f(int a) {}\n#endif\n"));
  EXPECT_FALSE(is_certain("kernel void f(int a\n#ifdef B\n, int b\n#endif\n) {}\n"));
  EXPECT_FALSE(is_certain("kernel void f(int a); kernel void f(int a) {}"));
  EXPECT_FALSE(is_certain("kernel void f(SPACE float* x) {}"));
  EXPECT_FALSE(is_certain("kernel void f(floats x) {}"));
  EXPECT_FALSE(is_certain("#define number const float\nkernel void f(global number* x) {}"));
  EXPECT_FALSE(is_certain("kernel void f(global number* x) {}", {"number"}));
  EXPECT_FALSE(is_certain("kernel void f(global number(4)* x) {}", {"number(n)"}));
  for (const char* const unknown : {"#define KERNEL kernel void\nKERNEL f(int a) {}", "#include \"kernels.h\"\n"}) {
    const auto found = find_kernel(unknown, "f");
    ASSERT_TRUE(found) << unknown;
    EXPECT_FALSE(found->is_certain) << unknown;
  }
  EXPECT_TRUE(find_kernel("K(f) {}", "f", {"K(name)"}));
}

constexpr const char* body = " { x[get_global_id(0)] *= 2; }\n";

/// Doubles 64 numbers by the kernel f of the source, and checks them.
template <class... More>
void expect_doubled(const gpu::device& on, const std::string& source, const gpu::build_options& options,
                    const More&... more) {
  std::vector<float> numbers(64, 3.f);
  {
    lf::queue q(on);
    lf::buffer<float> b(numbers);
    std::string text;
    const auto run = [&] {
      q.launch(gpu::kernel(source, "f", options), nd_range<1>(64, 8), b, more...);
      q.wait_and_throw();
    };
    EXPECT_EQ(code_thrown_by(run, &text), errc::success) << on.get_platform_name() << "\n" << source << text;
  }
  EXPECT_EQ(numbers, std::vector<float>(64, 6.f)) << on.get_platform_name() << "\n" << source;
}

TEST(gpu_kernel_signature, is_that_of_the_device_where_the_preprocessor_decides) {
  LANEFOLD_NEED_OPENCL();
  const std::string sources[] = {
      std::string("#if 0\nkernel void f(int a, int b) {}\n#endif\nkernel void f(global float* x)") + body,
      std::string("#ifdef WIDE\nkernel void f(global double* x)\n#else\nkernel void f(global float* x)\n#endif\n") +
          body,
      std::string("kernel void f(global float* x\n#ifdef COUNTS\n, int n\n#endif\n)") + body,
      std::string("#define GLOBAL global\nkernel void f(GLOBAL float* x)") + body,
      std::string("#define ARRAY(T) global T*\nkernel void f(ARRAY(float) x)") + body,
      std::string("typedef global float* floats;\nkernel void f(floats x)") + body,
      std::string("#define KERNEL kernel void\nKERNEL f(global float* x)") + body,
      std::string("#define NAME(x) x\nkernel void NAME(f)(global float* x)") + body,
  };
  for (const gpu::device& device : gpu::devices()) {
    for (const std::string& source : sources) {
      expect_doubled(device, source, {});
      expect_doubled(device, source, {}); // the program comes from the cache
    }
    const std::string defined = std::string("kernel void f(global REAL* x, REAL s) { x[get_global_id(0)] *= s; }");
    gpu::build_options options;
    options.definitions["REAL"] = "float";
    expect_doubled(device, defined, options, 2.f);
    gpu::build_options by_option;
    by_option.compiler_options = "-DREAL=float";
    expect_doubled(device, defined, by_option, 2.f);
  }
}

TEST(gpu_kernel_signature, wrong_arguments_of_uncertain_kernels_are_refused) {
  LANEFOLD_NEED_OPENCL();
  const std::string source = std::string("#define GLOBAL global\nkernel void f(GLOBAL float* x, int n)") + body;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue q(device);
    lf::buffer<float> b{lf::range<1>(64)};
    const gpu::kernel k(source, "f");
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(64, 8), b); }, &text), errc::kernel_argument);
    EXPECT_NE(text.find("takes 2 arguments, 1 are given"), text.npos) << text;
    EXPECT_EQ(code_thrown_by(
                  [&] {
                    q.launch(k, nd_range<1>(64, 8), b, 1.);
                    q.wait_and_throw();
                  },
                  &text),
              errc::kernel_argument);
    EXPECT_NE(text.find("kernel 'f', argument 1"), text.npos) << text;
    const gpu::kernel absent("#define NOTHING\nkernel void g() {}\n", "f");
    EXPECT_EQ(code_thrown_by([&] { q.launch(absent, nd_range<1>(64, 8)); }, &text), errc::invalid);
    EXPECT_NE(text.find("has no kernel 'f'"), text.npos) << text;
  }
}

struct two_numbers {
  int a, b;
};
struct three_numbers {
  int a, b, c;
};

TEST(gpu_kernel_signature, values_of_another_size_are_refused) {
  LANEFOLD_NEED_OPENCL();
  const std::string sources[] = {
      std::string("typedef struct { int a, b; } pair;\nkernel void f(global float* x, pair p)") + body,
      std::string("struct pair { int a, b; };\nkernel void f(global float* x, const struct pair p)") + body,
      std::string("typedef struct { int a, b; } pair;\n#define PAIR pair\nkernel void f(global float* x, PAIR p)") +
          body,
  };
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    for (const std::string& source : sources) {
      expect_doubled(device, source, {}, two_numbers{1, 2});
      lf::queue q(device);
      lf::buffer<float> b{lf::range<1>(64)};
      std::string text;
      const auto expect_refused = [&](const auto& value) {
        EXPECT_EQ(code_thrown_by(
                      [&] {
                        q.launch(gpu::kernel(source, "f"), nd_range<1>(64, 8), b, value);
                        q.wait_and_throw();
                      },
                      &text),
                  errc::kernel_argument)
            << source;
        EXPECT_NE(text.find("kernel 'f', argument 1"), text.npos) << text;
      };
      expect_refused(three_numbers{1, 2, 3});
      expect_refused(1);
    }
    const std::string of_number = std::string("typedef float real;\nkernel void f(global real* x, real p)") + body;
    expect_doubled(device, of_number, {}, 1.f);
  }
}

/// The kernel adds 1 to what its first argument gives.
void expect_first_is_read(const gpu::device& device, const std::string& source) {
  std::vector<int> out(64);
  {
    lf::queue q(device);
    lf::buffer<int> x{lf::range<1>(64)}, y(out);
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 4); });
    q.submit([&](lf::handler& h) {
      h.launch(gpu::kernel(source, "f"), nd_range<1>(64, 8), lf::accessor(x, h, lf::read_only),
               lf::accessor(y, h, lf::write_only));
    });
    q.wait_and_throw();
  }
  EXPECT_EQ(out, std::vector<int>(64, 5)) << device.get_platform_name() << "\n" << source;
}

TEST(gpu_kernel_signature, of_uncertain_kernels_says_what_is_written) {
  LANEFOLD_NEED_OPENCL();
  const std::string rest = " {\n  y[get_global_id(0)] = x[get_global_id(0)] + 1;\n}\n";
  const std::string beginnings[] = {
      "#define GLOBAL global\nkernel void f(GLOBAL const int* x, GLOBAL int* y)",
      "typedef const int cf;\nkernel void f(global cf* x, global int* y)",
      "typedef int const cf;\ntypedef cf number;\nkernel void f(global number* x, global int* y)",
      "typedef global const int* cf;\nkernel void f(cf x, global int* y)",
      "kernel void nothing() {}\ntypedef const int cf;\nkernel void f(global cf* x, global int* y)",
  };
  for (const gpu::device& device : gpu::devices())
    for (const std::string& beginning : beginnings)
      expect_first_is_read(device, beginning + rest);
}

} // namespace
