// SPDX-License-Identifier: Apache-2.0
/// Declares what the executor knows of a kernel: a number of independent groups that it may run in any order on any
/// thread.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/fiber_engine.hpp>
#include <lanefold/fwd.hpp>
#include <lanefold/version.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class device_backend;
class device_launch;

/// Says why a kernel runs by the strategy that it has.
enum class strategy_reason : std::uint8_t {
  fixed,          ///< there is no choice
  asked,          ///< a launch property says it
  spelled,        ///< the kernel spells its item
  size_is_static, ///< the size of the groups is known at compile time
  width,          ///< the default for rows of that many work-items
  range           ///< the default for ranges
};

/// Describes an action to those who read LANEFOLD_EXPLAIN and LANEFOLD_TRACE.
struct launch_description {
  enum class action : std::uint8_t { kernel, copy, fill, host_task, graph, other };
  action what = action::kernel;
  strategy_reason why = strategy_reason::fixed;
  bool is_omp_simd = false;
  bool in_tiles = false;                                     ///< a range is walked in tiles, not row by row
  int dimensions = 0;                                        ///< of the index space; 0: it has none, or explains itself
  std::size_t extents[most_dimensions] = {1, 1, 1, 1, 1, 1}; ///< of the index space
  std::size_t local[most_dimensions] = {};                   ///< extents of a work-group; 0: a range has none
  std::size_t rows = 1;                                      ///< of the lane shape
  std::size_t columns = 0;                                   ///< 0: one work-item at a time
  std::size_t units = 1;                                     ///< of a work-group
  std::size_t masked_units = 0;                              ///< of these, those that are not full
  bool one_unit = false;                                     ///< known at compile time: barriers are gone
  std::size_t chunk = 0;                                     ///< of a kernel with reductions: groups that run together
};

/// Holds what a queue tells the function that turns a kernel into a launch.
struct launch_settings {
  fiber_engine engine = fiber_engine::automatic; ///< from the queue or the environment; a launch property overrides it
  std::size_t stack_bytes = 0;                   ///< usable stack of one suspended unit; 0: the engine's default
  bool lenient_barriers = false;                 ///< units that have ended count as having come to each barrier
  std::size_t local_bytes = 0;                   ///< local memory that the kernel's local accessors need, per group
  std::size_t local_alignment = 1;               ///< and its alignment
  std::size_t threads = 1;                       ///< threads that may run groups of one launch at the same time
  device_backend* device = nullptr;              ///< null: the CPU of this process
  strategy_reason why = strategy_reason::fixed;  ///< written by who chooses the strategy
  bool is_node = false;                          ///< the command becomes a node of a graph, which can be updated
  /// typeid(Name*) of `parallel_for<Name>`; null: the kernel is known by its own type. (A pointer, because kernel names
  /// are usually incomplete types.)
  const std::type_info* name = nullptr;
  [[no_unique_address]] checked_settings checks{}; ///< of checked builds
};

/// Returns the settings with which a command becomes a node of a graph.
inline launch_settings as_node(launch_settings like) noexcept {
  like.is_node = true;
  return like;
}

/// Something that a command group has made for its kernel, such as a stream.
class command_attachment {
public:
  command_attachment() = default;
  command_attachment(const command_attachment&) = delete;
  command_attachment& operator=(const command_attachment&) = delete;
  virtual ~command_attachment() = default;

  /// The kernel has run, or never will, and is gone; nobody knows yet that the command is complete.
  virtual void command_ends() noexcept = 0;
};

/// One kernel launch, split into `size()` independent work-groups (or rows of a range, or parts of work-groups),
/// numbered in walking order.
class launch {
public:
  launch(const launch&) = delete;
  launch& operator=(const launch&) = delete;
  virtual ~launch();

  /// Number of groups.
  std::size_t size() const noexcept { return m_size; }
  /// Neighbouring groups that should run on one thread, a row of a range for example: pieces that are larger than this
  /// begin at multiples of it. What a group costs decides how large pieces are, and one group may be a piece.
  std::size_t grain() const noexcept { return m_grain; }
  /// Asks that so many threads as `pieces` have something to do, of work-groups that are fewer: size() counts parts of
  /// groups from then on, if the launch can divide them. Where groups are not few for the threads, it does so only if
  /// work-items are known to be heavy. Called before a run. Throws std::bad_alloc.
  virtual void divide_groups(std::size_t pieces, bool few);
  /// Parts of a group that size() counts one by one.
  std::size_t parts() const noexcept { return m_parts; }
  /// Names the kernel in messages: by its name if it has one, else by the (demangled) type of the kernel. Made when
  /// first asked for; any thread may ask.
  const std::string& kernel_name() const;
  /// The type that kernel_name() is the readable name of.
  const std::type_info& kernel_type() const noexcept { return *m_kernel; }
  /// Local memory per group, in bytes.
  std::size_t local_bytes() const noexcept { return m_local_bytes; }
  fiber_engine engine() const noexcept { return m_engine; }
  /// Usable stack of a suspended unit, in bytes; 0: the default.
  std::size_t stack_bytes() const noexcept { return m_stack_bytes; }
  /// Units that have ended count as having come to each barrier.
  bool lenient_barriers() const noexcept { return m_lenient_barriers; }

  /// About what a call of run costs besides its groups, in nanoseconds: units that meet are given stacks. 0 until a
  /// thread has seen that they do.
  double start_nanoseconds() const noexcept { return m_start_nanoseconds.load(std::memory_order_relaxed); }
  void note_start(double nanoseconds) noexcept { m_start_nanoseconds.store(nanoseconds, std::memory_order_relaxed); }

  const checked_settings& checks() const noexcept { return m_checks; }
#if defined(LANEFOLD_CHECKED)
  /// A T that all of its groups share, on any thread; made by the first that asks. One type for each launch.
  template <class T>
  T& shared_by_groups() const {
    const std::lock_guard lock(m_shares);
    if (!m_shared) {
      m_shared = std::make_shared<T>();
    }
    return *static_cast<T*>(m_shared.get());
  }
#endif

  /// Runs groups [first, last) on the calling thread; several threads run disjoint ranges at the same time.
  /// Throws what a kernel threw, already wrapped with kernel and group id (see kernel_error).
  virtual void run(std::size_t first, std::size_t last) = 0;
  /// Rewinds launches of this one's class and runs all of their groups, one launch after the other, on the calling
  /// thread. For graphs, whose neighbouring nodes often differ in their captures only. Throws what a kernel threw; the
  /// launches behind that one have not run.
  virtual void run_each(std::span<launch* const> those);
  /// Says in messages where the group at a position of the walking order lies: "work-group (3, 0)".
  virtual std::string place(std::size_t position) const;
  /// Says where the group lies, and names its unit that failed.
  virtual std::string place(std::size_t position, unsigned unit) const;

  /// Describes it to people.
  virtual launch_description describe() const;
  /// Makes ready for another run of all groups, if there was one; no group runs. Graphs run their launches many times.
  virtual void rewind();
  /// Returns whether all of it takes less than to hand it to another thread, whatever else happens: a small copy. Who
  /// submits it runs it, if it waits for nothing.
  bool is_brief() const noexcept { return m_is_brief; }
  /// Returns the nanoseconds that all groups take, if the launch knows better than what launches of its class have
  /// taken before; infinity: it takes long, for all that is known. 0: it does not know. The groups of one that knows
  /// are a team: each does what is left to do.
  virtual float known_nanoseconds() const noexcept;

  /// Itself, if it is for a device that is not the CPU.
  virtual device_launch* on_device() noexcept;

  /// Asks the memory for what a run reads first: the launch, with a kernel of some hundred bytes. To wait for it took
  /// 10 ns of a node of 200.
  void ask_ahead() const noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < 6; ++i) {
      __builtin_prefetch(reinterpret_cast<const char*>(this) + i * line);
    }
  }

  /// Things of the command that end with it.
  void attach(shared_part<const std::vector<std::shared_ptr<command_attachment>>> things) noexcept;
  bool has_attachments() const noexcept;

protected:
  /// `kernel` is the type of the kernel, used as its name unless settings.name says another.
  launch(std::size_t size, std::size_t grain, std::size_t local_bytes, fiber_engine engine,
         const std::type_info& kernel, const std::type_info* name = nullptr) noexcept;
  launch(std::size_t size, std::size_t grain, const launch_settings& settings, const std::type_info& kernel) noexcept;
  [[nodiscard]] strategy_reason why() const noexcept { return m_why; }
  /// Called once, by divide_groups.
  void divided_into(std::size_t parts) noexcept {
    m_size *= parts;
    m_grain = parts;
    m_parts = parts;
  }

  void be_brief() noexcept { m_is_brief = true; }

  /// run_each of a class that is final: without virtual calls. Launches lie anywhere: each is asked for while the two
  /// before it run.
  template <class Launch>
  static void run_each_as(std::span<launch* const> those) {
    for (std::size_t i = 0; i < those.size(); ++i) {
      if (i + 2 < those.size()) {
        those[i + 2]->ask_ahead();
      }
      Launch& one = static_cast<Launch&>(*those[i]);
      one.rewind();
      one.run(0, one.size());
    }
  }

  /// Named by a text.
  launch(std::size_t size, std::size_t grain, const launch_settings& settings, const std::string& name);

private:
  std::size_t m_size;
  std::size_t m_grain;
  std::size_t m_parts = 1;
  std::size_t m_local_bytes;
  fiber_engine m_engine;
  strategy_reason m_why = strategy_reason::fixed;
  bool m_lenient_barriers = false;
  bool m_is_brief = false;
  std::size_t m_stack_bytes = 0;
  std::atomic<double> m_start_nanoseconds{0};
  const std::type_info* m_kernel;
  mutable std::once_flag m_named;
  mutable std::string m_name;
  shared_part<const std::vector<std::shared_ptr<command_attachment>>> m_attachments; ///< null: none
  [[no_unique_address]] checked_settings m_checks;
#if defined(LANEFOLD_CHECKED)
  mutable std::mutex m_shares; // of the next one
  mutable std::shared_ptr<void> m_shared;
#endif
};

/// Makes a launch. (std::make_unique would be compiled with another kind of pointer, and its conversion, for each
/// kernel.)
template <class Launch, class... Arguments>
std::unique_ptr<launch> new_launch(Arguments&&... arguments) {
  return std::unique_ptr<launch>(new Launch(static_cast<Arguments&&>(arguments)...));
}

/// The kernel that the program has written: what names a kernel without a name. Wrappers specialise it.
template <class Kernel>
struct unwrapped_kernel {
  using type = Kernel;
};
template <class Kernel>
const std::type_info& kernel_type() noexcept {
  return typeid(typename unwrapped_kernel<Kernel>::type);
}

/// The readable name of a type; the trailing `*` of a kernel name's pointer is dropped.
std::string type_name(const std::type_info& type);

/// Called in a catch block: throws an exception whose message says "kernel 'name', <place>: <what was thrown>", with
/// the error code of what was thrown if that is a lanefold::exception (errc::kernel otherwise), and with what was
/// thrown nested in it (std::rethrow_if_nested gets it back). `place` is for example "work-group (3, 0)"; it may be
/// empty.
[[noreturn]] void kernel_error(const std::string& kernel, const std::string& place);

} // namespace detail
LANEFOLD_END_NAMESPACE
