# SPDX-License-Identifier: Apache-2.0
"""Gives the generators of kernels their command line, the numbers of statements, and the place where their program goes."""

import argparse
import sys


def read_options(description):
    """The options --seed, --count and --output of the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=10, help="how many kernels (default 10)")
    parser.add_argument("--only", type=int, metavar="K", help="this kernel alone, of those that there are")
    parser.add_argument("--without", type=lambda text: {int(n) for n in text.split(",")}, default=set(), metavar="N,N,...",
                        help="leave these statements of each kernel out; variables that they would define are 0")
    parser.add_argument("-o", "--output", help="the file to write, instead of standard output")
    return parser.parse_args()


def written(options):
    """The numbers of the kernels to write."""
    return range(options.count) if options.only is None else [options.only]


class Statements:
    """Counts the statements of a kernel and leaves some out: what is random in the others stays as it was.

    A generator's kernel has state(), which says what its statements have made so far, and restore(before), which goes back
    to that and defines as 0 the variables that have been added since.
    """

    def __init__(self, without):
        self.without = without
        self.made = 0
        self.lines = []

    def say(self, depth, line):
        self.lines.append("    " + "  " * depth + line)

    def statement(self, make, *arguments):
        """Calls `make`, unless that statement is left out: then nothing but its variables stays, which are 0."""
        number, lines, before = self.made, len(self.lines), self.state()
        self.made += 1
        make(*arguments)
        if number in self.without:
            del self.lines[lines:]
            self.restore(before)


def write(text, options):
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
