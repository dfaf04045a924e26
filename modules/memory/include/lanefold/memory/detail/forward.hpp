// SPDX-License-Identifier: Apache-2.0
/// Declares what accessors of buffers mention.
#pragma once

#include <lanefold/memory/address_space.hpp>

LANEFOLD_BEGIN_NAMESPACE

template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr;
template <class T, int D = 1>
class local_accessor;
template <class T, access::address_space Space = access::address_space::global_space>
class atomic;
LANEFOLD_END_NAMESPACE
