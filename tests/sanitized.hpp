// SPDX-License-Identifier: Apache-2.0
/// LANEFOLD_TEST_SANITIZED is defined where the address or the thread sanitizer instruments the tests: code has other
/// instructions then, and freed memory is kept for a while.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LANEFOLD_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LANEFOLD_TEST_SANITIZED 1
#endif
#endif
