// SPDX-License-Identifier: Apache-2.0
#include "guard_page.hpp"

#include "stack_pool.hpp"

#include <lanefold/execution/launch.hpp>

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
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
  static const bool wanted = [] {
    const char* text = std::getenv("LANEFOLD_STACK_MESSAGES");
    return text == nullptr || std::string_view(text) != "off";
  }();
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

void guard_watch::explain(const void* address, const void* stack_pointer) const {
  if (m_kernel == nullptr) {
    return;
  }
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto stack = reinterpret_cast<std::uintptr_t>(stack_pointer);
  const auto own_end = reinterpret_cast<std::uintptr_t>(m_own_bottom);
  const auto near_own_end = [own_end](std::uintptr_t where) {
    return where - (own_end - own_guard_bytes) < 2 * own_guard_bytes;
  };
  line message;
  message << "lanefold: stack overflow in kernel '" << m_kernel << "', group " << *m_position << " in walking order, ";
  const std::size_t number = m_stacks != nullptr ? m_stacks->find_guard(address) : 0;
  if (m_stacks != nullptr && number < m_stacks->size()) {
    const std::size_t kibibytes = m_stacks->bytes() / 1024;
    message << "unit " << number + 1 << " of " << std::size_t{m_units} << " (counted from 0): the " << kibibytes
            << " KiB of its stack are used up. The environment variable LANEFOLD_STACK_SIZE sets the size, for example "
               "LANEFOLD_STACK_SIZE="
            << 4 * kibibytes << "K.\n";
  } else if (m_own_bottom != nullptr && near_own_end(at) && (stack_pointer == nullptr || near_own_end(stack))) {
    message << "on the thread's own stack: its " << m_own_bytes / 1024
            << " KiB are used up. The system sets the size (ulimit -s), or whoever made the thread.\n";
  } else {
    return;
  }
  message.write();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
