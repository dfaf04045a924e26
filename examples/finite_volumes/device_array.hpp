// SPDX-License-Identifier: Apache-2.0
/// Memory of a device.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace finite_volumes {

namespace lf = lanefold;

/// Memory of a queue's device, which ends with this. The queue is in order.
template <class T>
class device_array {
public:
  /// Throws std::runtime_error where the device has no memory for it.
  device_array(lf::queue& q, std::size_t count)
      : m_queue(q), m_count(count), m_data(count == 0 ? nullptr : lf::malloc_device<T>(count, q)) {
    if (m_data == nullptr && count != 0) {
      throw std::runtime_error("'" + q.get_device().template get_info<lf::info::device::name>() +
                               "' has no memory for " + std::to_string(count * sizeof(T)) +
                               " bytes more: take fewer patches, or more ranks with a device each");
    }
  }
  device_array(lf::queue& q, std::span<const T> values) : device_array(q, values.size()) { write(values); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { lf::free(m_data, m_queue); }

  // These wait.
  void write(std::span<const T> values) { submit_write(values, {}).wait_and_throw(); }
  void read(std::span<T> values) { submit_read(values).wait_and_throw(); }
  // These do not; the values stay where they are until the command has ended. It comes after other ones.
  lf::event submit_write(std::span<const T> values, const std::vector<lf::event>& after) {
    return m_queue.memcpy(m_data, values.data(), values.size_bytes(), after);
  }
  lf::event submit_read(std::span<T> values) { return m_queue.memcpy(values.data(), m_data, values.size_bytes()); }

  [[nodiscard]] lf::view<T> all() const { return {m_data, m_count}; }

private:
  lf::queue m_queue;
  std::size_t m_count;
  T* m_data;
};

} // namespace finite_volumes
