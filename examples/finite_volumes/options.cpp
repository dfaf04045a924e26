// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>

namespace finite_volumes {

const char* const usage = R"(lanefold_euler: Euler's equations by finite volumes on patches.

  lanefold_euler [OPTION VALUE]...   simulates
  lanefold_euler verify              checks the program against exact solutions and against itself
  lanefold_euler --help              prints this

  --problem explosion | sod      a box with hot gas in the middle; Sod's tube             (explosion)
  --dim 2 | 3                    dimensions                                              (2)
  --patch P                      cells along the edge of a patch, 2 to 32, 8 in 3-D       (8)
  --patches N                    patches along an edge                                   (16)
  --kernel patch_wise | batched | graph | scoped                                         (patch_wise)
  --layout soa | aos             the order of values within a patch                      (soa)
  --memory resident              patches stay where they are stepped                     (resident)
         | managed | copies      or are brought there and back for each step: to memory
         | usm                   of the device that is recycled, or allocated each time;
                                 to shared memory
  --end TIME, --cfl C            the end; the length of steps, at most 1                  (0.2, 0.8)
  --device cpu | opencl          where it runs; opencl: the first GPU, or what
                                 LANEFOLD_GPU_DEVICE names; several ranks of a host have
                                 such devices in turns                                   (cpu)
  --threads N                    of the queue                                            (all)
  --every N                      steps between pictures, checkpoints, lines of progress;
                                 an odd number counts as the next one                    (100)
  --pictures PREFIX              writes PREFIX0000.vtk, … for ParaView; a restart goes on
                                 with the number of the checkpoint's state
  --checkpoint FILE              writes it every so often, and at the end
  --restart FILE                 goes on from a checkpoint
)";

namespace {

template <class T>
T number(std::string_view option, std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least) || !(value <= most)) {
    throw bad_option(std::string(option) + " " + std::string(text) + ": a number from " + std::to_string(least) +
                     " to " + std::to_string(most) + " is wanted");
  }
  return value;
}

std::string file_name(std::string_view option, std::string_view text) {
  if (text.empty()) {
    throw bad_option(std::string(option) + ": the name of a file, or how names begin, is wanted, and is empty");
  }
  return std::string(text);
}

template <class E, std::size_t N>
E one_of(std::string_view option, std::string_view text, const char* const (&names)[N]) {
  std::string all;
  for (std::size_t i = 0; i < N; ++i) {
    if (text == names[i]) {
      return static_cast<E>(i);
    }
    all += (i != 0 ? ", " : "") + std::string(names[i]);
  }
  throw bad_option(std::string(option) + " " + std::string(text) + ": one of these is wanted: " + all);
}

} // namespace

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "verify") {
      o.verify = true;
      continue;
    }
    if (option == "--help") {
      o.help = true;
      return o;
    }
    if (i + 1 == argc) {
      throw bad_option(std::string(option) + ": there is no such option, or its value is missing");
    }
    const std::string_view text = argv[++i];
    if (option == "--problem") {
      constexpr const char* names[] = {"sod", "explosion"};
      o.what = one_of<problem>(option, text, names);
    } else if (option == "--dim") {
      o.dimensions = number(option, text, 2, 3);
    } else if (option == "--patch") {
      o.p = number<std::size_t>(option, text, 2, 32);
    } else if (option == "--patches") {
      o.patches = number<std::size_t>(option, text, 1, 4096);
    } else if (option == "--kernel") {
      o.how = one_of<realisation>(option, text, realisation_names);
    } else if (option == "--layout") {
      constexpr const char* names[] = {"soa", "aos"};
      o.values = one_of<layout>(option, text, names);
    } else if (option == "--memory") {
      o.memory = one_of<memory_way>(option, text, memory_way_names);
    } else if (option == "--end") {
      o.end = number(option, text, 0.0, 1e6);
    } else if (option == "--cfl") {
      o.cfl = number(option, text, 1e-6, 1.0);
    } else if (option == "--device") {
      constexpr const char* names[] = {"cpu", "opencl"};
      o.on_device = one_of<int>(option, text, names) == 1;
    } else if (option == "--threads") {
      o.threads = number<std::size_t>(option, text, 1, 1024);
    } else if (option == "--every") {
      o.every = number<std::size_t>(option, text, 2, 1000000);
    } else if (option == "--pictures") {
      o.pictures = file_name(option, text);
    } else if (option == "--checkpoint") {
      o.checkpoint = file_name(option, text);
    } else if (option == "--restart") {
      o.restart = file_name(option, text);
    } else {
      throw bad_option(std::string(option) + ": there is no such option");
    }
  }
  if (o.on_device && o.threads != 0) {
    throw bad_option("--threads: --device opencl has the threads of its device");
  }
  if (o.memory != memory_way::resident && o.how == realisation::graph) {
    throw bad_option("--memory: --kernel graph keeps its patches, so only resident will do");
  }
  if (o.dimensions == 3 && o.p > 8) {
    throw bad_option("--patch " + std::to_string(o.p) +
                     ": in three dimensions at most 8, because a work-group has (P+2)^3 "
                     "work-items, and at most 1024");
  }
  if (o.dimensions == 2 && o.p > 30) {
    throw bad_option("--patch " + std::to_string(o.p) +
                     ": in two dimensions at most 30, because a work-group has (P+2)^2 "
                     "work-items, and at most 1024");
  }
  double cells = 1;
  for (int d = 0; d < (o.what == problem::sod ? 1 : o.dimensions); ++d) {
    cells *= static_cast<double>(o.patches) * static_cast<double>(o.p);
  }
  if (cells > 1e9) {
    throw bad_option("--patches " + std::to_string(o.patches) + ": that is more than 1,000,000,000 cells");
  }
  return o;
}

} // namespace finite_volumes
