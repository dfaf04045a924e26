// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/algorithms.hpp>

#include "borrowed_workspace.hpp"
#include "device_blocks.hpp"
#include "identity.hpp"
#include "opencl_types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

constexpr std::size_t vector_bytes = 16; // of the widest load

// ---- kernels

/// Describes what a kernel of device/device_wide.cl is made from.
struct recipe {
  const char* block;
  const char* kernel;
  type_description type;
  std::vector<operator_description> own; // operators and predicates of the user's
  std::size_t work_group;
  std::map<std::string, std::string> values;

  /// Recipes with the same key make the same kernel.
  std::string key() const {
    std::string text = std::string(block) + '\0' + type.definition + '\0' + std::to_string(work_group);
    for (const operator_description& op : own)
      text += '\0' + op.definition + '\0' + op.identity + (op.commutative ? "c" : "");
    for (const auto& [name, value] : values)
      text += '\0' + name + '\0' + value;
    return text;
  }
};

std::string_view text_of_block(std::string_view name) {
  for (const device_block& block : device_blocks())
    if (block.names.front() == name)
      return block.text;
  throw exception(make_error_code(errc::runtime), "the device library has no block " + std::string(name));
}

/// Kept for the whole process: making one costs a build.
kernel kernel_for(const recipe& r) {
  static std::mutex mutex;
  static std::map<std::string, kernel>& kernels = *new std::map<std::string, kernel>(); // outlives static queues
  const std::lock_guard lock(mutex);
  const std::string key = r.key();
  if (const auto found = kernels.find(key); found != kernels.end())
    return found->second;
  build_options options;
  options.work_group = {r.work_group, 1, 1};
  if (!find_opencl_type(r.type.name))
    options.types.push_back(r.type);
  options.operators = r.own;
  return kernels.emplace(key, kernel(substitute(text_of_block(r.block), r.values), r.kernel, options)).first->second;
}

/// An argument by value, of a type that the host may know only by its size.
kernel_argument value_argument(const void* data, std::size_t bytes) {
  return {kernel_argument::kind::value, {}, bytes, data, bytes};
}

class launcher {
public:
  explicit launcher(queue& q) : m_queue(q) {}

  launcher& add(const kernel_argument& argument) {
    m_arguments.push_back(argument);
    return *this;
  }
  template <class T>
  launcher& value(const T& v) { // lives until `run`
    return add(argument_of(v));
  }
  event run(const kernel& k, std::size_t groups, std::size_t work_group, const std::vector<event>& dependencies) {
    const launch_space space{1, {groups * work_group, 1, 1}, {work_group, 1, 1}, {0, 0, 0}};
    return m_queue.launch(k, space, m_arguments.data(), m_arguments.size(), dependencies);
  }

private:
  queue& m_queue;
  std::vector<kernel_argument> m_arguments;
};

// ---- checks

void check_array(const device_array& array, std::size_t count, const char* what) {
  if (count > array.count)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(count) +
                                                        " elements in a buffer of " + std::to_string(array.count));
  if (array.argument.what == kernel_argument::kind::pointer && array.argument.data == nullptr && count != 0)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": null pointer");
}

void check_call(const algorithm_call& call, std::size_t results, const operation& op, const char* what) {
  check_array(call.in, call.count, what);
  check_array(call.out, results, what);
  if (!op.own.empty() && op.own.front().identity.empty())
    throw exception(make_error_code(errc::invalid),
                    std::string(what) + ": the operator '" + op.name + "' needs an identity");
}

// ---- shapes

std::size_t work_group_of(const device& on, const algorithm_tuning& tuning) {
  return std::min(tuning.work_group != 0 ? tuning.work_group : 256, on.max_work_group_size());
}

/// Says how many work-groups share an array, and how many elements each has.
struct shares {
  std::size_t groups;
  cl_ulong elements;
};

shares shares_of(const device& on, std::size_t count, std::size_t work_group) {
  const std::size_t tiles = (count + work_group - 1) / work_group;
  const std::size_t groups = std::clamp<std::size_t>(tiles, 1, on.max_compute_units() * 8);
  return {groups, (tiles + groups - 1) / groups * work_group};
}

bool has_single_pass(const device& on) { return on.library_target().flavour == flavour::nv; }

/// Says how an array is read by loads of 16 bytes.
struct vector_form {
  std::size_t width = 1; // elements of a load
  std::string type;      // OpenCL C's
};

vector_form vectors_of(const algorithm_call& call, const operation& op) {
  const std::optional<opencl_type> type = find_opencl_type(call.type.name);
  const auto aligned = [](const device_array& a) {
    return a.argument.what != kernel_argument::kind::pointer ||
           reinterpret_cast<std::uintptr_t>(a.argument.data) % vector_bytes == 0;
  };
  // Booleans of vectors are not those of scalars.
  const bool wide = type && type->width == 1 && type->component_bytes >= 4 && op.own.empty() &&
                    !op.name.starts_with("logical") && aligned(call.in) && aligned(call.out);
  const std::size_t width = wide ? vector_bytes / type->component_bytes : 1;
  return {width, call.type.name + (width > 1 ? std::to_string(width) : "")};
}

std::string component(std::size_t i, std::size_t width) { return width == 1 ? "" : ".s" + std::to_string(i); }

recipe recipe_for(const char* block, const char* kernel, const algorithm_call& call, const operation& op,
                  std::size_t work_group) {
  recipe r{block, kernel, call.type, op.own, work_group, {}};
  r.values = {{"T", call.type.name}, {"op", op.name}};
  r.values["identity"] = identity_text(op.own.empty() ? nullptr : &op.own.front(), op.name, call.type.name);
  return r;
}

// ---- reductions

/// partials[g] = the reduction of share g.
event reduce_shares(queue& q, const algorithm_call& call, const operation& op, const shares& s, std::size_t work_group,
                    const kernel_argument& partials, const std::vector<event>& dependencies) {
  const cl_ulong count = call.count;
  const kernel k = kernel_for(recipe_for("kernel_partials", "partials", call, op, work_group));
  return launcher(q)
      .add(call.in.argument)
      .value(count)
      .value(s.elements)
      .add(partials)
      .run(k, s.groups, work_group, dependencies);
}

event reduce_twice(queue& q, const algorithm_call& call, const operation& op, std::size_t work_group) {
  const shares s = shares_of(q.get_device(), call.count, work_group);
  borrowed_workspace w(q, workspace::use::values, s.groups * call.type.bytes);
  const event first = reduce_shares(q, call, op, s, work_group, w.argument(), w.behind(call.dependencies));
  const algorithm_call rest{call.type, s.groups, {w.argument(), s.groups}, call.out, call.dependencies};
  w->last = reduce_shares(q, rest, op, {1, s.groups}, work_group, call.out.argument, {first});
  return w->last;
}

/// The components of a vector `v`, reduced.
std::string folded(const std::string& op, const std::string& type, std::size_t width, const std::string& v) {
  std::string text = v + component(0, width);
  for (std::size_t i = 1; i < width; ++i)
    text = "lf_op_" + op + "_" + type + "(" + text + ", " + v + component(i, width) + ")";
  return text;
}

event reduce_once(queue& q, const algorithm_call& call, const operation& op, std::size_t work_group) {
  const vector_form form = vectors_of(call, op);
  recipe r = recipe_for("kernel_reduce_once", "reduce_once", call, op, work_group);
  r.values["V"] = form.type;
  r.values["width"] = std::to_string(form.width);
  r.values["V_identity"] = form.width == 1 ? r.values["identity"] : "(" + form.type + ")" + r.values["identity"];
  r.values["fold"] = folded(op.name, call.type.name, form.width, "sum");
  const std::size_t most = q.get_device().max_compute_units() * 8;
  const std::size_t groups = std::clamp<std::size_t>(call.count / form.width / work_group, 1, most);
  borrowed_workspace w(q, workspace::use::counted, 256 + groups * call.type.bytes);
  const cl_ulong vectors = call.count / form.width;
  const cl_uint rests = static_cast<cl_uint>(call.count % form.width);
  w->last = launcher(q)
                .add(call.in.argument)
                .value(vectors)
                .value(rests)
                .add(call.out.argument)
                .add(w.argument())
                .run(kernel_for(r), groups, work_group, w.behind(call.dependencies));
  return w->last;
}

// ---- scans

event scan_thrice(queue& q, const algorithm_call& call, const operation& op, const void* init, bool exclusive,
                  std::size_t work_group) {
  const shares s = shares_of(q.get_device(), call.count, work_group);
  borrowed_workspace w(q, workspace::use::values, s.groups * call.type.bytes);
  const event first = reduce_shares(q, call, op, s, work_group, w.argument(), w.behind(call.dependencies));
  const cl_ulong groups = s.groups, count = call.count;
  const cl_uint has_init = init != nullptr;
  const std::vector<std::byte> nothing(call.type.bytes);
  const event second = launcher(q)
                           .add(w.argument())
                           .value(groups)
                           .add(value_argument(init != nullptr ? init : nothing.data(), call.type.bytes))
                           .value(has_init)
                           .run(kernel_for(recipe_for("kernel_scan_partials", "scan_partials", call, op, work_group)),
                                1, work_group, {first});
  recipe r = recipe_for("kernel_scan_shares", "scan_shares", call, op, work_group);
  r.values["scan"] = exclusive ? "exclusive" : "inclusive";
  w->last = launcher(q)
                .add(call.in.argument)
                .value(count)
                .value(s.elements)
                .add(w.argument())
                .add(call.out.argument)
                .run(kernel_for(r), s.groups, work_group, {second});
  return w->last;
}

/// One statement for each component of the last, partial tile.
std::string for_rest(std::size_t width, const char* left, const char* right, bool load) {
  std::string text;
  for (std::size_t i = 0; i < width; ++i) {
    const std::string at = "first + k * rows + " + std::to_string(i);
    const std::string memory = std::string(load ? left : right) + "[" + at + "]";
    const std::string value = "x[k]" + component(i, width);
    text += "if (" + at + " < count) " + (load ? value + " = " + memory : memory + " = " + value) + ";\n      ";
  }
  return text;
}

event scan_once(queue& q, const algorithm_call& call, const operation& op, const void* init, bool exclusive,
                std::size_t work_group) {
  const vector_form form = vectors_of(call, op);
  const std::size_t vectors = call.tuning.vectors != 0 ? call.tuning.vectors : 12;
  const std::string width = std::to_string(form.width);
  const bool wide = form.width > 1;
  recipe r = recipe_for("kernel_scan_once", "scan_once", call, op, work_group);
  r.values["V"] = form.type;
  r.values["width"] = width;
  r.values["vectors"] = std::to_string(vectors);
  r.values["V_identity"] = wide ? "(" + form.type + ")" + r.values["identity"] : r.values["identity"];
  r.values["V_start"] = wide ? "(" + form.type + ")(start)" : "start";
  r.values["run"] = wide ? "x[k] = lf_run_" + op.name + "_" + form.type + "(x[k]);" : "";
  r.values["last"] = "x[k]" + component(form.width - 1, form.width);
  r.values["shift"] = !exclusive ? "" : wide ? "x[k] = lf_shift_" + form.type + "(start, x[k]);" : "x[k] = start;";
  r.values["load_rest"] = for_rest(form.width, "in", "", true);
  r.values["store_rest"] = for_rest(form.width, "", "out", false);
  const std::size_t tile = work_group * vectors * form.width, tiles = (call.count + tile - 1) / tile;
  borrowed_workspace w(q, workspace::use::states, tiles * ((call.type.bytes + 3) / 4) * sizeof(cl_ulong));
  constexpr cl_uint last_epoch = (1u << 30) - 1;
  if (w->epoch == last_epoch)
    throw exception(make_error_code(errc::runtime), "gpu: a queue has scanned 2^30 times; make a new one");
  const cl_uint epoch = ++w->epoch, has_init = init != nullptr;
  const cl_ulong count = call.count;
  const std::vector<std::byte> nothing(call.type.bytes);
  w->last = launcher(q)
                .add(call.in.argument)
                .value(count)
                .add(call.out.argument)
                .add(value_argument(init != nullptr ? init : nothing.data(), call.type.bytes))
                .value(has_init)
                .add(w.argument())
                .value(epoch)
                .run(kernel_for(r), tiles, work_group, w.behind(call.dependencies));
  return w->last;
}

// ---- conditions

operator_description as_operator(const predicate& condition) {
  return {condition.name, condition.definition, false, ""};
}

/// Copies bytes to the host, behind an event.
template <class T>
T fetch(queue& q, const cl::Buffer& from, const event& behind) {
  T value;
  behind.wait();
  check(clEnqueueReadBuffer(q.state().handle(), from(), CL_TRUE, 0, sizeof(T), &value, 0, nullptr, nullptr),
        "reading a result");
  return value;
}

#if defined(LANEFOLD_CHECKED)
/// Waits for the offsets, and reads them.
std::vector<cl_uint> offsets_on_host(queue& q, const device_array& offsets, std::size_t count,
                                     const std::vector<event>& dependencies) {
  std::vector<cl_uint> values(count);
  const kernel_argument& given = offsets.argument;
  const std::size_t bytes = count * sizeof(cl_uint);
  const event read = given.what == kernel_argument::kind::pointer
                         ? q.memcpy(values.data(), given.data, bytes, dependencies)
                         : q.read(*given.memory, 0, values.data(), bytes, dependencies);
  read.wait();
  return values;
}
#endif

/// In checked builds, which wait for the offsets: throws errc::invalid if one is less than the one before, or if the
/// last is more than there are elements.
void check_offsets([[maybe_unused]] queue& q, [[maybe_unused]] const device_array& offsets,
                   [[maybe_unused]] std::size_t segments, [[maybe_unused]] std::size_t elements,
                   [[maybe_unused]] const std::vector<event>& dependencies) {
#if defined(LANEFOLD_CHECKED)
  const std::vector<cl_uint> values = offsets_on_host(q, offsets, segments + 1, dependencies);
  const auto refuse = [&](std::size_t i, const std::string& what) {
    throw exception(make_error_code(errc::invalid),
                    "segmented_reduce: offset " + std::to_string(i) + " is " + std::to_string(values[i]) + ", " + what);
  };
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] < values[i - 1])
      refuse(i, "less than the one before, " + std::to_string(values[i - 1]));
  if (values.back() > elements)
    refuse(segments, "and there are " + std::to_string(elements) + " elements");
#endif
}

} // namespace

event reduce(queue& q, const algorithm_call& given, const operation& op) {
  check_call(given, 1, op, "reduce");
  algorithm_call call = given;
  if (call.count == 0) { // drivers refuse a null pointer, though nothing is read
    call.in = call.out;
  }
  const std::size_t work_group = work_group_of(q.get_device(), call.tuning);
  const bool reordered = op.own.empty() || op.own.front().commutative;
  return has_single_pass(q.get_device()) && reordered ? reduce_once(q, call, op, work_group)
                                                      : reduce_twice(q, call, op, work_group);
}

event scan(queue& q, const algorithm_call& call, const operation& op, const void* init, bool exclusive) {
  check_call(call, call.count, op, exclusive ? "exclusive_scan" : "inclusive_scan");
  if (call.count == 0) {
    return q.ext_oneapi_submit_barrier(call.dependencies);
  }
  const std::size_t work_group = work_group_of(q.get_device(), call.tuning);
  const bool once = has_single_pass(q.get_device()) && call.type.bytes <= vector_bytes;
  return once ? scan_once(q, call, op, init, exclusive, work_group)
              : scan_thrice(q, call, op, init, exclusive, work_group);
}

event segmented_reduce(queue& q, const algorithm_call& call, const device_array& offsets, std::size_t segments,
                       const operation& op) {
  check_call(call, segments, op, "segmented_reduce");
  check_array(offsets, segments + 1, "segmented_reduce, offsets");
  check_offsets(q, offsets, segments, call.count, call.dependencies);
  const std::size_t work_group = work_group_of(q.get_device(), call.tuning);
  const auto number = static_cast<cl_uint>(segments);
  const auto count = static_cast<cl_uint>(std::min<std::size_t>(call.count, std::numeric_limits<cl_uint>::max()));
  const bool commutative = op.own.empty() || op.own.front().commutative;
  const bool shorts = commutative && segments != 0 && call.count / segments < 4 * work_group;
  recipe r = shorts ? recipe_for("kernel_reduce_short_segments", "reduce_short_segments", call, op, work_group)
                    : recipe_for("kernel_reduce_segments", "reduce_segments", call, op, work_group);
  const std::size_t lanes = sub_group_size(q.get_device().library_target(), {});
  const std::size_t sub_groups = shorts && lanes != 0 ? std::max<std::size_t>(work_group / lanes, 1) : 1;
  r.values["segments_of_group"] = std::to_string(sub_groups);
  const std::size_t groups = (segments + sub_groups - 1) / sub_groups;
  return launcher(q)
      .add(call.in.argument)
      .value(count)
      .add(offsets.argument)
      .value(number)
      .add(call.out.argument)
      .run(kernel_for(r), groups, work_group, call.dependencies);
}

std::uint64_t count_if(queue& q, const algorithm_call& call, const predicate& condition) {
  check_array(call.in, call.count, "count_if");
  const std::size_t work_group = work_group_of(q.get_device(), call.tuning);
  const shares s = shares_of(q.get_device(), call.count, work_group);
  borrowed_workspace w(q, workspace::use::values, (s.groups + 1) * sizeof(cl_ulong));
  const cl_ulong count = call.count;
  const operation op(as_operator(condition));
  recipe r{"kernel_count_if", "count_if", call.type, op.own, work_group, {{"T", call.type.name}, {"op", op.name}}};
  const event counted = launcher(q)
                            .add(call.in.argument)
                            .value(count)
                            .value(s.elements)
                            .add(w.argument())
                            .run(kernel_for(r), s.groups, work_group, w.behind(call.dependencies));
  const algorithm_call rest{
      {"ulong", "", sizeof(cl_ulong)}, s.groups, {w.argument(), s.groups}, {w.argument(), 1}, call.dependencies};
  w->last = reduce_shares(q, rest, plus, {1, s.groups}, work_group, w.argument(), {counted});
  return fetch<cl_ulong>(q, w->memory, w->last);
}

bool any_of(queue& q, const algorithm_call& call, const predicate& condition, bool negated) {
  check_array(call.in, call.count, "any_of");
  const std::size_t work_group = work_group_of(q.get_device(), call.tuning);
  const shares s = shares_of(q.get_device(), call.count, work_group);
  const buffer<cl_uint> found(q.get_device(), 1);
  const operation op(as_operator(condition));
  recipe r{"kernel_any_of", "any_of", call.type, op.own, work_group, {{"T", call.type.name}, {"op", op.name}}};
  r.values["found"] = negated ? "!lf_joint_all_of" : "lf_joint_any_of";
  std::vector<event> before = call.dependencies;
  before.push_back(q.fill(found, cl_uint{0}));
  const cl_ulong count = call.count;
  const event looked = launcher(q)
                           .add(call.in.argument)
                           .value(count)
                           .value(s.elements)
                           .value(found)
                           .run(kernel_for(r), s.groups, work_group, before);
  return fetch<cl_uint>(q, found.memory()->handle, looked) != 0;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
