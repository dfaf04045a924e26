# SPDX-License-Identifier: Apache-2.0
"""Calls the module that module.cpp makes; exit status 0 if its results and errors are right."""
import sys

try:
    import numpy
except ImportError:
    print("no NumPy")
    sys.exit(77)

import lanefold_saxpy

x = numpy.arange(1000, dtype=numpy.float32)
y = numpy.ones(1000, dtype=numpy.float32)
lanefold_saxpy.saxpy(2.0, x, y)
assert (y == 2 * x + 1).all()

for wrong in (numpy.ones(999, dtype=numpy.float32), numpy.ones(1000, dtype=numpy.float64)):
    try:
        lanefold_saxpy.saxpy(2.0, x, wrong)
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
    else:
        sys.exit("no error for an array of another size or type")
