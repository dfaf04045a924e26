# SPDX-License-Identifier: Apache-2.0
"""Cuts a generated program down to the statements that its failure takes."""


def left_out(count, still_fails):
    """Returns the numbers of statements, of `count`, without which `still_fails(numbers)` holds: of what stays, none can go.

    Tries halves first, then ever smaller runs of statements, as delta debugging does (Zeller and Hildebrandt, 2002).
    """
    without = set()
    size = count
    while size > 0:
        cut = False
        for start in range(0, count, size):
            more = set(range(start, min(start + size, count))) - without
            if more and still_fails(without | more):
                without |= more
                cut = True
        if size > 1 or not cut:
            size //= 2
    return without
