// SPDX-License-Identifier: Apache-2.0
/// Complex numbers for kernels against std::complex.
#include <lanefold/memory/complex.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <sstream>
#include <type_traits>

namespace {

namespace lf = lanefold;
namespace ext = lf::ext::oneapi::experimental;

template <class T>
class complex_numbers : public testing::Test {
public:
  using as_std = std::complex<std::conditional_t<std::is_same_v<T, lf::half>, float, T>>;
  static constexpr double error = std::is_same_v<T, lf::half> ? 0.01 : 1e-6;

  static void expect_near(const as_std& expected, const ext::complex<T>& found) {
    EXPECT_NEAR(expected.real(), static_cast<double>(found.real()), error * std::abs(expected));
    EXPECT_NEAR(expected.imag(), static_cast<double>(found.imag()), error * std::abs(expected));
  }
};
using types = testing::Types<lf::half, float, double>;
TYPED_TEST_SUITE(complex_numbers, types);

static_assert(std::is_trivially_copyable_v<ext::complex<float>> && sizeof(ext::complex<lf::half>) == 4);
static_assert(ext::is_gencomplex_v<ext::complex<double>> && !ext::is_gencomplex_v<std::complex<double>>);
static_assert(ext::complex<float>(1.f, 2.f) == ext::complex<float>(1.f, 2.f) && ext::complex<float>(3.f) == 3.f);

TYPED_TEST(complex_numbers, arithmetic) {
  using T = TypeParam;
  using reference = typename TestFixture::as_std;
  const ext::complex<T> a(T(1.5f), T(-2.f));
  const ext::complex<T> b(T(0.5f), T(3.f));
  const reference ra(1.5f, -2.f);
  const reference rb(0.5f, 3.f);
  this->expect_near(ra + rb, a + b);
  this->expect_near(ra - rb, a - b);
  this->expect_near(ra * rb, a * b);
  this->expect_near(ra / rb, a / b);
  this->expect_near(reference(2) * ra, T(2.f) * a);
  this->expect_near(ra / reference(2), a / T(2.f));
  this->expect_near(-ra, -a);
  ext::complex<T> c = a;
  c *= b;
  c += ext::complex<float>(1.f, 1.f);
  c -= T(2.f);
  this->expect_near(ra * rb + reference(-1, 1), c);
  c = T(4.f);
  EXPECT_TRUE(c == ext::complex<T>(T(4.f), T(0.f)));
  EXPECT_EQ(std::complex<float>(a), std::complex<float>(1.5f, -2.f));
}

TYPED_TEST(complex_numbers, functions) {
  using T = TypeParam;
  using reference = typename TestFixture::as_std;
  const ext::complex<T> z(T(0.75f), T(-0.5f));
  const reference r(0.75f, -0.5f);
  this->expect_near(std::exp(r), exp(z));
  this->expect_near(std::log(r), log(z));
  this->expect_near(std::sqrt(r), sqrt(z));
  this->expect_near(std::tanh(r), tanh(z));
  this->expect_near(std::acos(r), acos(z));
  this->expect_near(std::conj(r), conj(z));
  this->expect_near(std::pow(r, r), pow(z, z));
  this->expect_near(std::pow(r, reference(2)), pow(z, T(2.f)));
  this->expect_near(std::pow(reference(2), r), pow(T(2.f), z));
  EXPECT_NEAR(std::abs(r), static_cast<double>(abs(z)), this->error);
  EXPECT_NEAR(std::arg(r), static_cast<double>(arg(z)), this->error);
  EXPECT_NEAR(std::norm(r), static_cast<double>(norm(z)), this->error);
  this->expect_near(r, ext::polar<T>(abs(z), arg(z)));
}

TEST(complex_numbers, powers_have_the_wider_type) {
  const ext::complex<float> ten(10.f);
  static_assert(std::is_same_v<decltype(pow(ten, 2.f)), ext::complex<float>>);
  static_assert(std::is_same_v<decltype(pow(ten, 2)), ext::complex<double>>);
  static_assert(std::is_same_v<decltype(pow(lf::half(1.f), ten)), ext::complex<float>>);
  EXPECT_NEAR(pow(ten, 40.0).real(), 1e40, 1e28);
  EXPECT_NEAR(pow(ten, ext::complex<double>(40)).real(), 1e40, 1e28);
}

TEST(complex_numbers, functions_of_real_numbers) {
  EXPECT_EQ(ext::norm(3.0), 9.0);
  EXPECT_EQ(ext::real(2), 2.0);
  EXPECT_EQ(ext::imag(2.f), 0.f);
  EXPECT_NEAR(ext::arg(-1.f), 3.14159f, 1e-5f);
  EXPECT_TRUE(ext::conj(1.5) == ext::complex<double>(1.5));
}

TEST(complex_numbers, as_text) {
  std::stringstream text;
  text << ext::complex<float>(1.5f, -2.f);
  EXPECT_EQ(text.str(), "(1.5,-2)");
  ext::complex<float> read;
  text >> read;
  EXPECT_TRUE(read == ext::complex<float>(1.5f, -2.f));
}

} // namespace
