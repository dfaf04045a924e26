// SPDX-License-Identifier: Apache-2.0
// Collectives of work-groups: 131,072 work-items in flight, rounds of one call, each of which needs the result of the
// one before; nanoseconds of one call.
#include "sides.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>

namespace lanefold_gpu_benchmarks {
namespace {

constexpr std::size_t items = 131072;
constexpr std::array<std::size_t, 6> groups = {32, 64, 128, 256, 512, 1024};
/// On a CPU the results are what is looked at.
struct rounds {
  explicit rounds(const gpu::queue& q) : few(q.get_device().is_cpu() ? 1 : 100), many(31 * few) {}
  unsigned few, many;
};

const char* name_of(type t) {
  switch (t) {
  case type::int32: return "int32";
  case type::fp32: return "fp32";
  case type::int64: return "int64";
  case type::fp64: return "fp64";
  case type::fp32x4: return "fp32x4";
  }
  return "";
}
const char* opencl_of(type t) {
  switch (t) {
  case type::int32: return "int";
  case type::fp32: return "float";
  case type::int64: return "long";
  case type::fp64: return "double";
  case type::fp32x4: return "float4";
  }
  return "";
}
const char* name_of(collective c) {
  switch (c) {
  case collective::reduce: return "reduce";
  case collective::inclusive_scan: return "inclusive_scan";
  case collective::exclusive_scan: return "exclusive_scan";
  case collective::any_of: return "any_of";
  }
  return "";
}

/// Values of one type: `width` components of T for each work-item.
template <class T, std::size_t Width>
struct values {
  using component = T;
  static constexpr std::size_t width = Width;
};

template <class Visit>
auto visit_type(type t, Visit visit) {
  switch (t) {
  case type::int32: return visit(values<std::int32_t, 1>());
  case type::fp32: return visit(values<float, 1>());
  case type::int64: return visit(values<std::int64_t, 1>());
  case type::fp64: return visit(values<double, 1>());
  default: return visit(values<float, 4>());
  }
}

std::size_t bytes_of(type t) {
  return visit_type(t, [](auto v) { return sizeof(typename decltype(v)::component) * v.width; });
}

std::vector<std::byte> start_values(type t) {
  std::vector<std::byte> bytes(items * bytes_of(t));
  std::mt19937 random(7);
  visit_type(t, [&](auto v) {
    using T = typename decltype(v)::component;
    for (std::size_t i = 0; i < items * v.width; ++i) {
      const T x = std::is_integral_v<T> ? static_cast<T>(static_cast<int>(random() % 101) - 50)
                                        : static_cast<T>(random() % 1000) / 1000;
      std::memcpy(bytes.data() + i * sizeof(T), &x, sizeof(T));
    }
  });
  return bytes;
}

/// One component of one group, three rounds on the host.
template <class T>
std::vector<T> expected(collective what, const std::vector<T>& first) {
  using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  std::vector<T> x = first;
  for (int round = 0; round < 3; ++round) {
    U total = 0, before = 0;
    for (const T v : x)
      total += static_cast<U>(v);
    const bool any = std::any_of(x.begin(), x.end(), [](T v) { return v > 0; });
    for (std::size_t i = 0; i < x.size(); ++i) {
      const U including = before + static_cast<U>(x[i]);
      const U y = what == collective::reduce           ? total
                  : what == collective::inclusive_scan ? including
                  : what == collective::exclusive_scan ? before
                                                       : static_cast<U>(any);
      before = including;
      if constexpr (std::is_integral_v<T>)
        x[i] = static_cast<T>(y + static_cast<U>(first[i]));
      else
        x[i] = y / 1024 + first[i];
    }
  }
  return x;
}

bool close(double a, double b, double precision) { return std::abs(a - b) <= precision * (1 + std::abs(b)); }

/// Three rounds, the first and the last group: empty, or what is wrong.
std::string check(lanefold_cuda::work& w, type t, collective what, std::size_t group,
                  const std::vector<std::byte>& start) {
  std::vector<std::byte> result(start.size(), std::byte{0x55});
  w.run(3);
  w.fetch(result.data());
  return visit_type(t, [&](auto v) -> std::string {
    using T = typename decltype(v)::component;
    for (const std::size_t begin : {std::size_t{0}, items - group})
      for (std::size_t c = 0; c < v.width; ++c) {
        const auto at = [&](const std::vector<std::byte>& bytes, std::size_t i) {
          T x;
          std::memcpy(&x, bytes.data() + ((begin + i) * v.width + c) * sizeof(T), sizeof(T));
          return x;
        };
        std::vector<T> first(group);
        for (std::size_t i = 0; i < group; ++i)
          first[i] = at(start, i);
        const std::vector<T> wanted = expected(what, first);
        for (std::size_t i = 0; i < group; ++i) {
          const bool right = std::is_integral_v<T>
                                 ? at(result, i) == wanted[i]
                                 : close(static_cast<double>(at(result, i)), static_cast<double>(wanted[i]),
                                         sizeof(T) == 4 ? 1e-4 : 1e-12);
          if (!right)
            return "item " + std::to_string(i) + ": " + std::to_string(at(result, i)) + ", not " +
                   std::to_string(wanted[i]);
        }
      }
    return "";
  });
}

struct form {
  gpu::variant variant = gpu::variant::automatic;
  std::size_t totals = 0, raking = 0;
  bool known = true; // the kernel is built for the size
};

work_ptr ours(const gpu::queue& given, type t, collective what, std::size_t group, const form& f,
              const std::vector<std::byte>& start) {
  gpu::queue q = given;
  const std::string type_name = opencl_of(t);
  const bool real = t == type::fp32 || t == type::fp64 || t == type::fp32x4;
  const std::string scalar = t == type::fp64 ? "double" : "float";
  const std::string call = what == collective::any_of
                               ? "lf_any_of(x > 0, &s)"
                               : "lf_" + std::string(name_of(what)) + "_plus_" + type_name + "(x, &s)";
  const std::string next = real ? "fma(y, (" + type_name + ")((" + scalar + ")1 / 1024), first)" : "y + first";
  const std::string source = "kernel void repeat(global const " + type_name + "* start, global " + type_name +
                             "* values, uint rounds) {\n"
                             "  LANEFOLD_SCRATCH(s);\n"
                             "  const uint i = get_global_id(0);\n"
                             "  const " +
                             type_name +
                             " first = start[i];\n"
                             "  " +
                             type_name +
                             " x = first;\n"
                             "  for (uint r = 0; r < rounds; ++r) {\n"
                             "    const " +
                             type_name + " y = " + call +
                             ";\n"
                             "    x = " +
                             next +
                             ";\n"
                             "  }\n"
                             "  values[i] = x;\n"
                             "}\n";
  gpu::build_options options;
  options.variant = f.variant;
  options.totals_per_lane = f.totals;
  options.raking_sub_groups = f.raking;
  if (f.known)
    options.work_group = {group, 1, 1};
  const gpu::kernel k(source, "repeat", options);
  using element = unsigned char;
  const gpu::buffer<element> in(q, start.size()), out(q, start.size());
  q.copy(reinterpret_cast<const element*>(start.data()), in, start.size()).wait();
  q.build(k);
  const auto submit = [=](unsigned rounds) mutable {
    // Elements are bytes to the host: their type is the kernel's affair.
    const auto untyped = [](const gpu::buffer<element>& buffer) {
      lanefold::gpu::opencl::kernel_argument a = lanefold::gpu::opencl::argument_of(buffer);
      a.element_bytes = 0;
      return a;
    };
    const std::uint32_t number = rounds;
    const lanefold::gpu::opencl::kernel_argument list[] = {untyped(in), untyped(out),
                                                           lanefold::gpu::opencl::argument_of(number)};
    q.launch(k, lanefold::gpu::opencl::space_of(lanefold::nd_range<1>(items, group)), list, 3, {});
  };
  const auto fetch = [=](void* to) mutable { q.copy(out, static_cast<element*>(to), start.size()).wait(); };
  return std::make_unique<opencl_work>(q, submit, fetch);
}

struct candidate {
  std::string name;
  work_ptr work;
};

/// Those of CUB; none where CUDA is absent.
std::vector<candidate> theirs(type t, collective what, std::size_t group, const std::vector<std::byte>& start) {
  std::vector<candidate> all;
  if (!lanefold_cuda::absent().empty())
    return all;
  for (int a = 0; a < lanefold_cuda::algorithms(what); ++a)
    all.push_back({"cub" + std::to_string(a), lanefold_cuda::repeat(t, what, a, group, items, start.data())});
  return all;
}

/// Adds a candidate of ours unless it is impossible.
void add_ours(std::vector<candidate>& all, const gpu::queue& q, const std::string& name, type t, collective what,
              std::size_t group, const form& f, const std::vector<std::byte>& start) {
  try {
    all.push_back({name, ours(q, t, what, group, f, start)});
  } catch (const lanefold::exception& e) {
    if (e.code() != lanefold::errc::invalid)
      note(name + ": " + std::string(e.what()).substr(0, 2000));
  }
}

/// Nanoseconds of each; NaN for one whose result is wrong.
std::map<std::string, double> measure(const rounds& r, std::vector<candidate>& all, const std::string& what, type t,
                                      collective c, std::size_t group, const std::vector<std::byte>& start) {
  std::map<std::string, double> result;
  std::vector<lanefold_cuda::work*> works;
  std::vector<std::string> names;
  for (candidate& one : all) {
    if (const std::string wrong = check(*one.work, t, c, group, start); !wrong.empty()) {
      say_wrong(what + "/" + one.name, wrong);
      result[one.name] = NAN;
      continue;
    }
    works.push_back(one.work.get());
    names.push_back(one.name);
  }
  const std::vector<double> seconds = seconds_per_round(works, r.few, r.many);
  std::string line = what + ":";
  for (std::size_t i = 0; i < works.size(); ++i) {
    result[names[i]] = seconds[i] * 1e9;
    line += " " + names[i] + " " + std::to_string(static_cast<int>(std::lround(seconds[i] * 1e9)));
  }
  note(line);
  return result;
}

double best_of_cub(const std::map<std::string, double>& times) {
  double best = INFINITY;
  for (const auto& [name, time] : times)
    if (name.starts_with("cub") && time < best)
      best = time;
  return best;
}

constexpr std::array<type, 5> types = {type::int32, type::fp32, type::int64, type::fp64, type::fp32x4};

void measure_collective(const gpu::queue& q, collective what, std::vector<double>& to_tree) {
  std::vector<double> to_cub;
  for (const type t : types) {
    const std::vector<std::byte> start = start_values(t);
    for (const std::size_t group : groups) {
      const std::string name = std::string(name_of(what)) + "/" + name_of(t) + "/" + std::to_string(group);
      std::vector<candidate> all = theirs(t, what, group, start);
      add_ours(all, q, "ours", t, what, group, {}, start);
      add_ours(all, q, "local_tree", t, what, group, {gpu::variant::local_tree}, start);
      const auto times = measure(rounds(q), all, name, t, what, group, start);
      if (!times.contains("ours"))
        continue;
      to_tree.push_back(times.at("local_tree") / times.at("ours"));
      if (std::isinf(best_of_cub(times))) {
        say_skipped(name + "/cub", lanefold_cuda::absent());
        continue;
      }
      to_cub.push_back(times.at("ours") / best_of_cub(times));
      say(name + "/cub", to_cub.back());
    }
  }
  if (!to_cub.empty())
    say(std::string(name_of(what)) + "/median/cub", median(to_cub));
}

} // namespace

void measure_collectives(const gpu::queue& q) {
  std::vector<double> reductions, scans;
  measure_collective(q, collective::reduce, reductions);
  measure_collective(q, collective::inclusive_scan, scans);
  measure_collective(q, collective::exclusive_scan, scans);
  say("reduce/median/local_tree", median(reductions));
  say("scan/median/local_tree", median(scans));
  const std::vector<std::byte> start = start_values(type::int32);
  for (const std::size_t group : groups) {
    const std::string name = "any_of/" + std::to_string(group);
    std::vector<candidate> all = theirs(type::int32, collective::any_of, group, start);
    add_ours(all, q, "ours", type::int32, collective::any_of, group, {}, start);
    const auto times = measure(rounds(q), all, name, type::int32, collective::any_of, group, start);
    if (all.size() > 1)
      say(name + "/cuda", times.at("ours") / times.at("cub0"));
    else
      say_skipped(name + "/cuda", lanefold_cuda::absent());
  }
}

void measure_recorded_collectives(const gpu::queue& q) {
  std::vector<double> to_cub;
  for (const collective what : {collective::reduce, collective::inclusive_scan, collective::exclusive_scan})
    for (const type t : types) {
      const std::vector<std::byte> start = start_values(t);
      for (const std::size_t group : groups) {
        const std::string name =
            "recorded/" + std::string(name_of(what)) + "/" + name_of(t) + "/" + std::to_string(group);
        work_ptr recorded = recorded_collective(q, t, what, group, start);
        if (recorded == nullptr)
          continue;
        std::vector<candidate> all = theirs(t, what, group, start);
        all.push_back({"recorded", std::move(recorded)});
        const auto times = measure(rounds(q), all, name, t, what, group, start);
        if (std::isinf(best_of_cub(times))) {
          say_skipped(name + "/cub", lanefold_cuda::absent());
          continue;
        }
        to_cub.push_back(times.at("recorded") / best_of_cub(times));
        say(name + "/cub", to_cub.back());
      }
    }
  if (!to_cub.empty())
    say("recorded/collectives/median/cub", median(to_cub));
}

void explore_collectives(const gpu::queue& q) {
  for (const collective what : {collective::reduce, collective::inclusive_scan, collective::exclusive_scan})
    for (const type t : types) {
      const std::vector<std::byte> start = start_values(t);
      for (const std::size_t group : groups) {
        std::vector<candidate> all = theirs(t, what, group, start);
        add_ours(all, q, "ours", t, what, group, {}, start);
        add_ours(all, q, "local_tree", t, what, group, {gpu::variant::local_tree}, start);
        if (q.get_device().is_cpu())
          add_ours(all, q, "serial", t, what, group, {gpu::variant::serial}, start);
        for (const std::size_t totals : {1, 2, 3, 4, 8})
          if (totals == 1 || totals <= group / 32)
            add_ours(all, q, "totals" + std::to_string(totals), t, what, group, {gpu::variant::sub_group, totals, 0},
                     start);
        for (const std::size_t raking : {1, 2, 4, 8})
          if (raking < group / 32)
            add_ours(all, q, "raking" + std::to_string(raking), t, what, group, {gpu::variant::raking, 0, raking},
                     start);
        add_ours(all, q, "transposed", t, what, group, {gpu::variant::transposed}, start);
        if (group == 256 || q.get_device().is_cpu())
          add_ours(all, q, "vendor", t, what, group, {gpu::variant::vendor}, start);
        if (group == 256)
          add_ours(all, q, "unknown_size", t, what, group, {gpu::variant::automatic, 0, 0, false}, start);
        measure(rounds(q), all, std::string(name_of(what)) + "/" + name_of(t) + "/" + std::to_string(group), t, what,
                group, start);
      }
    }
}

} // namespace lanefold_gpu_benchmarks
