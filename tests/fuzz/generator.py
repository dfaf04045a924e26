# SPDX-License-Identifier: Apache-2.0
"""What the generators of kernels share: their command line, and where their program goes."""

import argparse
import sys


def read_options(description):
    """The options --seed, --count and --output of the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=10, help="how many kernels (default 10)")
    parser.add_argument("-o", "--output", help="the file to write, instead of standard output")
    return parser.parse_args()


def write(text, options):
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
