// SPDX-License-Identifier: Apache-2.0
/// A module for Python: a kernel over NumPy's arrays, without a copy.
#include <lanefold/lanefold.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <stdexcept>

namespace lf = lanefold;
namespace py = pybind11;

namespace {

using array = py::array_t<float, py::array::c_style>;

/// y = a * x + y, in place.
void saxpy(float a, const array& x, array& y) {
  if (x.size() != y.size()) {
    throw std::invalid_argument("saxpy: x and y have different sizes");
  }
  const auto n = static_cast<std::size_t>(x.size());
  const lf::view<const float> from(x.data(), n);
  const lf::view<float> to(y.mutable_data(), n); // throws for an array that must not be written
  const py::gil_scoped_release others_may_run;
  static lf::queue q;
  q.parallel_for(lf::range<1>(n), [=](auto i) { to[i] = a * from[i] + to[i]; }).wait();
}

} // namespace

PYBIND11_MODULE(lanefold_saxpy, module) {
  module.def("saxpy", &saxpy, py::arg("a"), py::arg("x").noconvert(), py::arg("y").noconvert());
}
