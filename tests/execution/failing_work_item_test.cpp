// SPDX-License-Identifier: Apache-2.0
/// Errors of kernels name the work-item.
#include "strategies.hpp"
#include "thrown.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace {

class failing;

std::string thrown_by(const std::function<void(lf::queue&)>& work) {
  lf::queue q;
  return text_thrown_by([&] {
    work(q);
    q.wait();
  });
}

TEST(failing_work_item, of_a_range) {
  for (const std::size_t bad : {0UL, 1UL, 4095UL, 4096UL, 7777UL, 9999UL}) {
    const std::string text = thrown_by([=](lf::queue& q) {
      q.parallel_for<failing>(lf::range<1>(10000), [=](lf::id<1> i) {
        if (i == bad) {
          throw std::runtime_error("thrown on purpose");
        }
      });
    });
    EXPECT_MENTIONS(text, "kernel 'failing', work-item (" + std::to_string(bad) + "): thrown on purpose");
  }
  const std::string text = thrown_by([=](lf::queue& q) {
    q.parallel_for<failing>(lf::range<3>(10, 20, 5000), [=](lf::item<3> it) {
      if (it.get_id() == lf::id<3>(7, 19, 4321)) {
        throw std::runtime_error("thrown on purpose");
      }
    });
  });
  EXPECT_MENTIONS(text, "work-item (7, 19, 4321): thrown on purpose");
}

TEST(failing_work_item, of_a_range_with_lanes) {
  const std::string text = thrown_by([=](lf::queue& q) {
    q.parallel_for<failing>(lf::range<1>(1000), lf::properties{lf::property::strategy<lf::simd<16>>{}}, [=](auto it) {
      it.if_(it.get_id(0) == 165, [] { throw std::runtime_error("thrown on purpose"); });
    });
  });
  EXPECT_MENTIONS(text, "one of the 16 work-items from (160): thrown on purpose");
}

TEST(failing_work_item, of_a_reduction) {
  float sum = 0;
  for (const std::size_t bad : {0UL, 5000UL, 77777UL, 99999UL}) {
    const auto throw_at = [=](auto i) {
      if (i == bad) {
        throw std::runtime_error("thrown on purpose");
      }
    };
    EXPECT_MENTIONS(thrown_by([&](lf::queue& q) {
                      q.parallel_for<failing>(lf::range<1>(100000), lf::reduction(&sum, lf::plus<>()),
                                              [=](lf::id<1> i, auto& s) {
                                                throw_at(i[0]);
                                                s += 1;
                                              });
                    }),
                    "kernel 'failing', work-item (" + std::to_string(bad) + "): thrown on purpose");
    EXPECT_MENTIONS(thrown_by([&](lf::queue& q) {
                      q.parallel_for<failing>(lf::nd_range<1>(100000, 100), lf::reduction(&sum, lf::plus<>()),
                                              [=](lf::nd_item<1> it, auto& s) {
                                                throw_at(it.get_global_id(0));
                                                s += 1;
                                              });
                    }),
                    "work-item (" + std::to_string(bad) + ") with local id (" + std::to_string(bad % 100) + ")");
  }
  EXPECT_MENTIONS(thrown_by([&](lf::queue& q) {
                    q.parallel_for<failing>(lf::range<1>(10000), lf::properties{lf::property::strategy<lf::simd<16>>{}},
                                            lf::reduction(&sum, lf::plus<float>()), [=](auto it, auto& s) {
                                              it.if_(it.get_id(0) == 9999,
                                                     [] { throw std::runtime_error("thrown on purpose"); });
                                              s += 1.F;
                                            });
                  }),
                  "one of the 16 work-items from (9984)");
}

/// Before, between and behind barriers, with every engine.
TEST(failing_work_item, of_an_nd_range) {
  for (const lf::fiber_engine engine : engines) {
    for (const int when : {0, 1, 2}) {
      for (const lf::id<2>& bad : {lf::id<2>(0, 0), lf::id<2>(5, 11), lf::id<2>(4, 16), lf::id<2>(7, 23)}) {
        const std::string text = thrown_by([=](lf::queue& q) {
          q.parallel_for<failing>(lf::nd_range<2>({8, 24}, {4, 8}), lf::property::fiber_engine(engine),
                                  [=](lf::nd_item<2> it) {
                                    for (int phase = 0; phase < 3; ++phase) {
                                      if (phase == when && it.get_global_id() == bad) {
                                        throw std::runtime_error("thrown on purpose");
                                      }
                                      lf::group_barrier(it.get_group());
                                    }
                                  });
        });
        EXPECT_MENTIONS(text, "work-group (" + std::to_string(bad[0] / 4) + ", " + std::to_string(bad[1] / 8) +
                                  "), work-item (" + std::to_string(bad[0]) + ", " + std::to_string(bad[1]) +
                                  ") with local id (" + std::to_string(bad[0] % 4) + ", " + std::to_string(bad[1] % 8) +
                                  "): thrown on purpose");
      }
    }
  }
}

TEST(failing_work_item, of_an_nd_range_without_barriers) {
  for (const std::size_t bad : {0UL, 17UL, 99UL}) {
    const std::string text = thrown_by([=](lf::queue& q) {
      q.parallel_for<failing>(lf::nd_range<1>(100, 20), [=](lf::nd_item<1> it) {
        if (it.get_global_id(0) == bad) {
          throw std::runtime_error("thrown on purpose");
        }
      });
    });
    EXPECT_MENTIONS(text, "work-item (" + std::to_string(bad) + ") with local id (" + std::to_string(bad % 20) + ")");
  }
}

TEST(failing_work_item, of_an_nd_range_with_lanes) {
  const auto text_of = [](std::size_t bad, bool behind_a_barrier) {
    return thrown_by([=](lf::queue& q) {
      q.parallel_for<failing>(
          lf::nd_range<1>(200, 40), lf::properties{lf::property::strategy<lf::simd<16>>{}}, [=](auto it) {
            if (behind_a_barrier) {
              lf::group_barrier(it.get_group());
            }
            it.if_(it.get_global_id(0) == bad, [] { throw std::runtime_error("thrown on purpose"); });
          });
    });
  };
  EXPECT_MENTIONS(text_of(57, true), "work-group (1), one of the 16 work-items from (56) with local id (16)");
  EXPECT_MENTIONS(text_of(79, true), "work-group (1), one of the 8 work-items from (72) with local id (32)");
  EXPECT_MENTIONS(text_of(57, false), "work-group (1): thrown on purpose");
}

/// A barrier that some miss is the fault of no single work-item.
TEST(failing_work_item, is_not_named_for_missed_barriers) {
  const std::string text = thrown_by([](lf::queue& q) {
    q.parallel_for<failing>(lf::nd_range<1>(64, 32), [](lf::nd_item<1> it) {
      if (it.get_local_id(0) != 3) {
        lf::group_barrier(it.get_group());
      }
    });
  });
  EXPECT_MENTIONS(text, "work-group (");
  EXPECT_EQ(text.find("work-item ("), std::string::npos) << text;
}

} // namespace
