// SPDX-License-Identifier: Apache-2.0
/// Objects of which each thread has its own, also while the program ends.
#pragma once

#include <lanefold/version.hpp>

#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The T of each thread: made when the thread first asks for it, destroyed when the thread ends. The main thread runs
/// exit handlers and the destructors of static objects behind that, in which a program may launch kernels still. Who
/// asks so late gets another one, which nobody destroys.
///
/// It lies on the heap: a shared library that is loaded while the program runs has room for some hundred bytes of
/// threads.
template <class T>
class object_of_thread {
public:
  object_of_thread() = delete;

  static T& get() { return s_object != nullptr ? *s_object : make(); }

private:
  struct owner {
    ~owner() {
      s_is_over = true;
      delete s_object;
      s_object = nullptr;
    }
  };

  static T& make() {
    if (!s_is_over) {
      static thread_local const owner destroys;
      (void)&destroys;
    }
    s_object = std::make_unique<T>().release();
    return *s_object;
  }

  static inline constinit thread_local T* s_object = nullptr;
  static inline constinit thread_local bool s_is_over = false;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
