#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests how generated kernels are cut down: scripts/fuzz does it where one fails."""

import unittest

import generate_groups
import minimise


class LeftOut(unittest.TestCase):
    def test_leaves_what_the_failure_takes(self):
        for needed in ({0}, {19}, {3, 7, 8}, set(range(20)), set()):
            without = minimise.left_out(20, lambda left, needed=needed: not needed & left)
            self.assertEqual(without, set(range(20)) - needed)

    def test_leaves_nothing_that_could_go_alone(self):
        def still_fails(left):  # statements 4 and 5 go together, or 5 alone
            return 9 not in left and (4 not in left or 5 in left)

        self.assertEqual(minimise.left_out(12, still_fails), set(range(12)) - {9})

    def test_keeps_what_fails_as_a_whole_only(self):
        self.assertEqual(minimise.left_out(7, lambda left: False), set())


class Kernels(unittest.TestCase):
    def test_stay_as_they_are_without_a_statement(self):
        for seed in range(40):
            whole = generate_groups.Kernel(f"{seed}/0", set())
            whole.text(0)
            for number in range(whole.made):
                part = generate_groups.Kernel(f"{seed}/0", {number})
                part.text(0)
                self.assertEqual((part.made, part.names), (whole.made, whole.names))
                added = set(part.lines) - set(whole.lines)
                self.assertTrue(all(line.strip().endswith("= it.var(0U);") for line in added), added)

    def test_compute_nothing_without_statements(self):
        for seed in range(40):
            whole = generate_groups.Kernel(f"{seed}/0", set())
            whole.text(0)
            nothing = generate_groups.Kernel(f"{seed}/0", set(range(whole.made)))
            nothing.text(0)
            self.assertEqual(set(nothing.results) | set(nothing.counters), {0})


if __name__ == "__main__":
    unittest.main()
