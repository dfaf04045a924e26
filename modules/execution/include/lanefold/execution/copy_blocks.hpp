// SPDX-License-Identifier: Apache-2.0
/// Copies of many blocks of memory as one command: patches, particles or rows that lie scattered over the heap, to one
/// array and back.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/simd/isa.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// One block that is copied. Blocks of one command must not overlap where they are written, nor `from` and `to` of any.
struct block_copy {
  const void* from;
  void* to;
  std::size_t bytes;
};

// Lists are parameters of the templates: else each program would compile std::vector<block_copy>.

/// Returns the copies of blocks of `count` elements, one behind the other, to `to`.
template <class T, class List = std::vector<block_copy>>
[[nodiscard]] List gather_blocks(std::span<T* const> from, std::size_t count, std::remove_const_t<T>* to) {
  List copies;
  copies.reserve(from.size());
  for (const T* block : from) {
    copies.push_back({block, to, count * sizeof(T)});
    to += count;
  }
  return copies;
}
/// Returns the copies of `count` elements each, one block behind the other, from `from`.
template <class T, class List = std::vector<block_copy>>
[[nodiscard]] List scatter_blocks(const T* from, std::size_t count, std::span<T* const> to) {
  List copies;
  copies.reserve(to.size());
  for (T* block : to) {
    copies.push_back({from, block, count * sizeof(T)});
    from += count;
  }
  return copies;
}

/// Makes the copies the action of a command group; they begin in any order, on all threads where there is enough to
/// copy. The list is kept until the command is complete, and may be used by several. Queues of the CPU only. Errors:
/// errc::invalid for a list that is null, or a null pointer where there are bytes to copy; errc::kernel_not_supported
/// on other devices.
///
/// The template parameters keep apart what source files with other instructions or surfaces compile.
template <class Isa = native_isa, unsigned PlainSize = detail::plain_sub_group_size,
          std::same_as<block_copy> Copy = block_copy>
void copy_blocks(handler& h, std::shared_ptr<const std::vector<Copy>> blocks) {
  if (!blocks) {
    throw exception(make_error_code(errc::invalid), "copy_blocks: the list of blocks is null");
  }
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    const Copy& each = (*blocks)[i];
    if (each.bytes != 0 && (each.from == nullptr || each.to == nullptr)) {
      throw exception(make_error_code(errc::invalid),
                      "copy_blocks: block " + std::to_string(i) + " has a null pointer");
    }
  }
  const std::size_t count = blocks->size();
  h.parallel_for<block_copy>(range<1>(count), [copies = std::move(blocks)](const id<1>& i) {
    const Copy& each = (*copies)[i[0]];
    if (each.bytes != 0) { // pointers to nothing may be null
      std::memcpy(each.to, each.from, each.bytes);
    }
  });
}
template <class Isa = native_isa, unsigned PlainSize = detail::plain_sub_group_size,
          std::same_as<block_copy> Copy = block_copy>
void copy_blocks(handler& h, std::vector<Copy> blocks) {
  copy_blocks<Isa, PlainSize>(h, std::make_shared<const std::vector<Copy>>(std::move(blocks)));
}
/// Submits the copies as a command behind `after`. Errors: as above.
template <class Isa = native_isa, unsigned PlainSize = detail::plain_sub_group_size, class Blocks>
event copy_blocks(queue& q, Blocks blocks, const std::vector<event>& after = {}) {
  return q.submit([&](handler& h) {
    h.depends_on(after);
    copy_blocks<Isa, PlainSize>(h, std::move(blocks));
  });
}

LANEFOLD_END_NAMESPACE
