// SPDX-License-Identifier: Apache-2.0
#include "guard_page.hpp"

#include "stack_pool.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/launch.hpp>

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

constexpr std::size_t signal_stack_bytes = 64 * 1024;
/// An access at most this far from the end of a thread's own stack counts as running out of it.
constexpr std::size_t own_guard_bytes = 64 * 1024;
/// A stack pointer at most this far below it, too.
constexpr std::size_t largest_own_frame = std::size_t{64} << 20;
/// KiB: beyond it, what lies below a stack says nothing of the frames that it needs.
constexpr std::size_t largest_need = std::size_t{64} << 10;
constexpr std::size_t no_stack = static_cast<std::size_t>(-1);

// Initial-exec: read in a signal handler, where nothing may be allocated.
__attribute__((tls_model("initial-exec"))) thread_local const guard_watch* watch_of_thread = nullptr;

/// A line of text without allocation.
class line {
public:
  line& operator<<(std::string_view text) {
    for (char c : text) {
      if (m_size < sizeof(m_text)) {
        m_text[m_size++] = c;
      }
    }
    return *this;
  }
  line& operator<<(std::size_t number) {
    char digits[20];
    std::size_t first = sizeof(digits);
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << std::string_view(digits + first, sizeof(digits) - first);
  }
  void write() const {
    std::size_t written = 0;
    while (written < m_size) {
      const ssize_t step = ::write(STDERR_FILENO, m_text + written, m_size - written);
      if (step <= 0) {
        return;
      }
      written += static_cast<std::size_t>(step);
    }
  }

private:
  char m_text[1024];
  std::size_t m_size = 0;
};

struct sigaction previous_segv;
struct sigaction previous_bus;

const void* stack_pointer_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
#else
  return nullptr;
#endif
}

// Gives the signal to whoever had it before.
void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = signal == SIGSEGV ? previous_segv : previous_bus;
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    // The instruction faults again when this returns; a signal that somebody sent must be sent again.
    sigaction(signal, &previous, nullptr);
    if (info->si_code <= 0) {
      raise(signal);
    }
  }
}

void handle_fault(int signal, siginfo_t* info, void* context) {
  if (watch_of_thread != nullptr && info->si_code > 0) {
    watch_of_thread->explain(info->si_addr, stack_pointer_of(context));
  }
  pass_on(signal, info, context);
}

bool messages_wanted() {
  static const bool wanted = value_of(environment_variables::stack_messages).value_or(0) == 0;
  return wanted;
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = &handle_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
  });
}

/// Says whether `address` is where frames above `stack_pointer` are, or what is pushed next.
bool in_frames(const void* address, const void* stack_pointer) {
  constexpr std::size_t red_zone = 256;
  return reinterpret_cast<std::uintptr_t>(address) - (reinterpret_cast<std::uintptr_t>(stack_pointer) - red_zone) <
         largest_own_frame;
}

/// The readable name of a kernel, which stays for the rest of the program.
const char* lasting_name(const launch& of) {
  static auto& mutex = *new std::mutex;
  static auto& names = *new std::map<std::type_index, std::string>;
  const std::lock_guard held(mutex);
  const auto [place, is_new] = names.try_emplace(of.kernel_type());
  if (is_new) {
    place->second = of.kernel_name();
  }
  return place->second.c_str();
}

} // namespace

guard_watch::guard_watch() {
  if (!messages_wanted()) {
    return;
  }
#if defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* bottom = nullptr;
    pthread_attr_getstack(&attributes, &bottom, &m_own_bytes);
    pthread_attr_destroy(&attributes);
    m_own_bottom = static_cast<const std::byte*>(bottom);
  }
#endif
  stack_t present;
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0) {
    void* memory =
        mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      m_signal_stack = static_cast<std::byte*>(memory);
      stack_t own{};
      own.ss_sp = m_signal_stack;
      own.ss_size = signal_stack_bytes;
      sigaltstack(&own, nullptr);
    }
  }
  watch_of_thread = this;
  install_handler();
}

guard_watch::~guard_watch() {
  watch_of_thread = nullptr;
  if (m_signal_stack != nullptr) {
    stack_t present;
    if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == m_signal_stack) {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }
    munmap(m_signal_stack, signal_stack_bytes);
  }
}

void guard_watch::begin(const launch& current, const std::size_t& position, unsigned units) {
  if (m_type != &current.kernel_type()) {
    m_name = lasting_name(current);
    m_type = &current.kernel_type();
  }
  m_position = &position;
  m_units = units;
  m_kernel = m_name;
}

void guard_watch::end() { m_kernel = nullptr; }

std::size_t guard_watch::overflown(const void* address, const void* stack_pointer) const {
  if (m_stacks == nullptr) {
    return no_stack;
  }
  const std::size_t guarded = m_stacks->find_guard(address);
  if (guarded < m_stacks->size()) {
    return guarded;
  }
  if (in_own_stack(stack_pointer) || !in_frames(address, stack_pointer)) {
    return no_stack;
  }
  const std::size_t left = std::min(m_stacks->find_guard(stack_pointer), m_stacks->find_below(stack_pointer));
  return left < m_stacks->size() ? left : no_stack;
}

bool guard_watch::in_own_stack(const void* address) const {
  return m_own_bottom != nullptr &&
         reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(m_own_bottom) < m_own_bytes;
}

// A stack pointer near the end, or below it: then the frame that is there is larger than the end's guard.
bool guard_watch::left_own_stack(const void* address, const void* stack_pointer) const {
  if (m_own_bottom == nullptr) {
    return false;
  }
  const auto end = reinterpret_cast<std::uintptr_t>(m_own_bottom);
  const auto near_end = [end](const void* where) {
    return reinterpret_cast<std::uintptr_t>(where) - (end - own_guard_bytes) < 2 * own_guard_bytes;
  };
  if (stack_pointer == nullptr) {
    return near_end(address);
  }
  const bool below = end - reinterpret_cast<std::uintptr_t>(stack_pointer) < largest_own_frame &&
                     in_frames(address, stack_pointer) &&
                     (m_stacks == nullptr || m_stacks->find(stack_pointer) == m_stacks->size());
  return below || (near_end(address) && near_end(stack_pointer));
}

void guard_watch::explain(const void* address, const void* stack_pointer) const {
  if (m_kernel == nullptr) {
    return;
  }
  line message;
  message << "lanefold: stack overflow in kernel '" << m_kernel << "', group " << *m_position << " in walking order, ";
  const std::byte* const lowest =
      static_cast<const std::byte*>(stack_pointer != nullptr ? std::min(address, stack_pointer) : address);
  const std::size_t number = overflown(address, stack_pointer);
  if (number != no_stack) {
    const std::size_t kibibytes = m_stacks->bytes() / 1024;
    const auto reached = static_cast<std::size_t>(m_stacks->end(number) - lowest) / 1024;
    message << "unit " << number + 1 << " of " << std::size_t{m_units} << " (counted from 0): the " << kibibytes
            << " KiB of its stack are used up";
    std::size_t enough = 4 * kibibytes;
    if (reached > kibibytes + 64 && reached < largest_need) {
      message << ", its frames take at least " << reached;
      while (enough < 2 * reached) {
        enough *= 2;
      }
    }
    message << ". The environment variable LANEFOLD_STACK_SIZE sets the size, for example LANEFOLD_STACK_SIZE="
            << enough << "K.\n";
  } else if (left_own_stack(address, stack_pointer)) {
    message << "on the thread's own stack: its " << m_own_bytes / 1024
            << " KiB are used up. The system sets the size (ulimit -s), or whoever made the thread.\n";
  } else {
    return;
  }
  message.write();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
