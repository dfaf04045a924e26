// SPDX-License-Identifier: Apache-2.0
#include "known_kernels.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/launch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// All that the printed text depends on.
struct recording {
  std::vector<recorded_node> nodes;
  std::vector<recorded_array> arrays;
  std::vector<recorded_private_array> private_arrays;
  std::vector<std::string> texts;
  std::vector<recorded_type> uniforms;
  std::vector<recorded_operator> operators;
  recorded_header header;
  std::size_t sub_group_size;

  [[nodiscard]] bool is(const recorder& what, const recorded_header& its_header, std::size_t its_size) const {
    if (nodes != what.nodes() || arrays != what.arrays() || private_arrays != what.private_arrays() ||
        texts != what.texts() || !(header == its_header) || sub_group_size != its_size ||
        operators != what.operators() || uniforms.size() != what.uniforms().size()) {
      return false;
    }
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
      if (uniforms[i] != what.uniforms()[i].type) {
        return false;
      }
    }
    return true;
  }
};

struct known {
  recording what;
  std::vector<const std::type_info*> types; ///< of the kernels in C++ that were recorded and checked
  gpu::kernel kernel;
};
using known_recordings = std::unordered_multimap<std::uint64_t, known>;

bool is_among(const std::vector<const std::type_info*>& types, const std::type_info& type) {
  return std::any_of(types.begin(), types.end(), [&](const std::type_info* each) { return *each == type; });
}

/// Is true if the two differ in captured numbers alone.
bool differs_in_literals(const std::vector<recorded_node>& a, const std::vector<recorded_node>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](recorded_node x, const recorded_node& y) {
    if (x.op == recorded_op::literal && y.op == recorded_op::literal) {
      x.detail = y.detail;
    }
    return x == y;
  });
}

/// With LANEFOLD_EXPLAIN=1: says that a kernel is built again for other numbers, and how often that has happened.
void explain(const known_recordings& all, const recorder& what, const recorded_header& header,
             std::size_t sub_group_size, const std::type_info& type) {
  if (value_of(environment_variables::explain).value_or(0) == 0) {
    return;
  }
  const auto times = std::count_if(all.begin(), all.end(), [&](const auto& entry) {
    const recording& other = entry.second.what;
    return is_among(entry.second.types, type) && other.header == header && other.sub_group_size == sub_group_size &&
           differs_in_literals(other.nodes, what.nodes());
  });
  if (times != 0) {
    std::fprintf(stderr,
                 "lanefold: the recorded kernel '%s' is built again for other captured numbers, time %ld; "
                 "lf::uniform<T> makes numbers arguments\n",
                 header.name.c_str(), static_cast<long>(times));
  }
}

std::uint64_t hash_of(const recorder& what, const recorded_header& header) {
  std::uint64_t hash = std::hash<std::string>()(header.name);
  const auto add = [&hash](std::uint64_t x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15U + (hash >> 29); };
  for (const recorded_node& n : what.nodes()) {
    add((static_cast<std::uint64_t>(n.op) << 8 | static_cast<std::uint64_t>(n.type)) + n.detail);
    add(static_cast<std::uint64_t>(n.a) << 32 | n.b);
  }
  for (const std::size_t extent : header.local) {
    add(extent);
  }
  return hash;
}

constinit std::mutex guard;
constinit std::atomic<std::uint64_t> generation{0};

/// Never destroyed: kernels may run when the program ends.
known_recordings& all_known() {
  static auto& all = *new known_recordings();
  return all;
}

/// Under the guard: the same recording, null if there is none.
known* find(std::uint64_t hash, const recorder& what, const recorded_header& header, std::size_t sub_group_size) {
  const auto [first, last] = all_known().equal_range(hash);
  const auto found =
      std::find_if(first, last, [&](const auto& entry) { return entry.second.what.is(what, header, sub_group_size); });
  return found == last ? nullptr : &found->second;
}

} // namespace

std::uint64_t generation_of_known_kernels() { return generation.load(); }

std::optional<gpu::kernel> find_known_kernel(const recorder& what, const recorded_header& header,
                                             std::size_t sub_group_size, const std::type_info& type) {
  const std::uint64_t hash = hash_of(what, header);
  const std::lock_guard lock(guard);
  const known* const found = find(hash, what, header, sub_group_size);
  return found != nullptr && is_among(found->types, type) ? std::optional(found->kernel) : std::nullopt;
}

gpu::kernel known_kernel(const recorder& what, const recorded_header& header, std::size_t sub_group_size,
                         const std::type_info& type, const std::type_info& title) {
  constexpr std::size_t most = 1024;
  const std::uint64_t hash = hash_of(what, header);
  const std::lock_guard lock(guard);
  if (known* const found = find(hash, what, header, sub_group_size)) {
    if (!is_among(found->types, type)) {
      found->types.push_back(&type);
    }
    return found->kernel;
  }
  known_recordings& all = all_known();
  explain(all, what, header, sub_group_size, type);
  gpu::build_options options;
  options.work_group = {header.local[0], header.local[1], header.local[2]};
  options.sub_group_size = sub_group_size;
  options.least_sub_group_size = header.least_sub_group_size;
  options.title = type_name(title);
  for (const recorded_operator& op : what.operators()) {
    options.operators.push_back({op.name, op.definition, op.commutative, op.identity});
  }
  const gpu::kernel made(print_recorded(what, header), header.name, options);
  if (all.size() == most) {
    all.clear();
    generation.fetch_add(1);
  }
  recording key{what.nodes(),     what.arrays(), what.private_arrays(), what.texts(), {},
                what.operators(), header,        sub_group_size};
  for (const recorded_uniform& u : what.uniforms()) {
    key.uniforms.push_back(u.type);
  }
  all.emplace(hash, known{std::move(key), {&type}, made});
  return made;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
