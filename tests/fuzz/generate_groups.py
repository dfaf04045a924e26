#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ program of random kernels of work-groups, with what they must compute.

The kernels have local memory, barriers (in uniform loops, too), group algorithms, divergent control flow, gathers and
atomic operations, in one to three dimensions with odd sizes. An interpreter, which runs one work-item after the other
from barrier to barrier and knows nothing of the library, says what comes out; the program (group_fuzz.hpp) compares that
with each strategy, fiber engine and number of threads. All numbers are 32 bits that wrap.
"""

import random

import generator

MASK = 0xFFFFFFFF
TABLE = [(k * 2654435761 >> 7) & MASK for k in range(256)]  # what x holds, see group_fuzz.hpp
SHAPES = [(7,), (16,), (33,), (64,), (3, 5), (2, 16), (5, 8), (2, 3, 5), (1, 2, 16), (3, 1, 7)]
OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b,
             "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}
COMPARISONS = {"<": lambda a, b: a < b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}
REDUCTIONS = {"plus": lambda a, b: a + b & MASK, "maximum": max, "minimum": min, "bit_xor": lambda a, b: a ^ b,
              "bit_or": lambda a, b: a | b, "bit_and": lambda a, b: a & b, "multiplies": lambda a, b: a * b & MASK}
IDENTITIES = {"plus": 0, "maximum": 0, "minimum": MASK, "bit_xor": 0, "bit_or": 0, "bit_and": MASK, "multiplies": 1}


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


class Kernel:
    """Makes each statement as text, and at once does it for all work-items of all groups."""

    def __init__(self, rng):
        self.rng = rng
        self.shape = rng.choice(SHAPES)
        self.size = product(self.shape)
        self.groups = rng.choice((1, 2, 3))
        self.items = [(g, l) for g in range(self.groups) for l in range(self.size)]
        self.values = [[l for _, l in self.items], [g * self.size + l for g, l in self.items]]
        self.names = ["l", "i"]
        self.variables = []  # positions in names that may be assigned
        self.counters = [0] * 16
        self.lines = []

    def say(self, depth, line):
        self.lines.append("    " + "  " * depth + line)

    # ---- expressions: text, and the value for each work-item ----

    def leaf(self):
        kind = self.rng.random()
        if kind < 0.2:
            value = self.rng.choice((0, 1, 2, 5, 31, 0x80000000, MASK, self.rng.getrandbits(32)))
            return f"{value}U", [value] * len(self.items)
        k = self.rng.randrange(len(self.names))
        if kind < 0.35:
            return f"x[lf::convert<int>({self.names[k]} & 255U)]", [TABLE[v & 255] for v in self.values[k]]
        return self.names[k], list(self.values[k])

    def varying(self):
        k = self.rng.randrange(len(self.names))
        return self.names[k], list(self.values[k])

    def expression(self, depth=0):
        if depth > 1 or self.rng.random() < 0.25:
            return self.leaf()
        a, b = self.varying() if self.rng.random() < 0.5 else self.expression(depth + 1), self.expression(depth + 1)
        if self.rng.random() < 0.2:
            c = self.condition(depth + 1)
            return (f"lf::select({c[0]}, it.var(lf::convert<unsigned>({a[0]})), it.var(lf::convert<unsigned>({b[0]})))",
                    [p if q else r for p, q, r in zip(a[1], c[1], b[1])])
        operator = self.rng.choice(list(OPERATORS))
        return f"({a[0]} {operator} {b[0]})", [OPERATORS[operator](p, q) & MASK for p, q in zip(a[1], b[1])]

    def condition(self, depth=0):
        if depth < 2 and self.rng.random() < 0.3:
            a, b = self.condition(depth + 1), self.condition(depth + 1)
            if self.rng.random() < 0.5:
                return f"({a[0]} && {b[0]})", [p and q for p, q in zip(a[1], b[1])]
            return f"({a[0]} || {b[0]})", [p or q for p, q in zip(a[1], b[1])]
        a, b = self.varying(), self.expression(2)
        comparison = self.rng.choice(list(COMPARISONS))
        return f"({a[0]} {comparison} {b[0]})", [COMPARISONS[comparison](p, q) for p, q in zip(a[1], b[1])]

    # ---- statements ----

    def variable(self, depth, text, values):
        self.variables.append(len(self.names))
        self.names.append(f"v{len(self.names)}")
        self.values.append(values)
        self.say(depth, f"auto {self.names[-1]} = it.var(lf::convert<unsigned>({text}));")

    def assign(self, depth, active):
        k = self.rng.choice(self.variables)
        text, values = self.expression()
        self.say(depth, f"{self.names[k]} = lf::convert<unsigned>({text});")
        self.values[k] = [new if a else old for new, old, a in zip(values, self.values[k], active)]

    def divergent(self, depth, active):
        """Statements without barriers, for the active work-items."""
        for _ in range(self.rng.randrange(1, 3)):
            kind = self.rng.random()
            if kind < 0.2 and depth < 3:
                text, holds = self.condition()
                self.say(depth, f"it.if_({text}, [&] {{")
                self.divergent(depth + 1, [a and h for a, h in zip(active, holds)])
                if self.rng.random() < 0.4:
                    self.say(depth, "}, [&] {")
                    self.divergent(depth + 1, [a and not h for a, h in zip(active, holds)])
                self.say(depth, "});")
            elif kind < 0.3:
                place, values = self.varying()
                text, added = self.varying()
                self.say(depth, f"lf::atomic_ref(counters[lf::convert<int>({place} & 15U)]).fetch_add({text});")
                for p, v, a in zip(values, added, active):
                    if a:
                        self.counters[p & 15] = self.counters[p & 15] + v & MASK
            else:
                self.assign(depth, active)

    def of_groups(self, values):
        return [values[g * self.size:(g + 1) * self.size] for g in range(self.groups)]

    def exchange(self, depth):
        """Writes local memory, meets, and reads what others have written."""
        n, shift = self.size, self.rng.randrange(self.size)
        text, values = self.expression()
        place, where = self.varying()
        self.say(depth, f"tile[lf::convert<int>((l + {shift}U) % {n}U)] = it.var(lf::convert<unsigned>({text}));")
        self.say(depth, "lf::group_barrier(it.get_group());")
        got = []
        for g, own in enumerate(self.of_groups(values)):
            tile = [0] * n
            for l, v in enumerate(own):
                tile[(l + shift) % n] = v
            got += [tile[w % n] for w in where[g * n:(g + 1) * n]]
        self.variable(depth, f"tile[lf::convert<int>({place} % {n}U)]", got)
        self.say(depth, "lf::group_barrier(it.get_group());")

    def algorithm(self, depth):
        kind = self.rng.choice(("reduce", "exclusive", "inclusive", "broadcast", "vote"))
        text, values = self.varying()
        operator = self.rng.choice(list(REDUCTIONS))
        combine, result = REDUCTIONS[operator], []
        given = f"it.get_group(), {text}"
        if kind == "vote":
            function, (text, holds) = self.rng.choice(("any", "all", "none")), self.condition()
            for own in self.of_groups(holds):
                result += [{"any": any(own), "all": all(own), "none": not any(own)}[function]] * self.size
            call = f"(lf::{function}_of_group(it.get_group(), {text}) ? 1U : 0U)"
            result = [int(r) for r in result]
        elif kind == "broadcast":
            source = self.rng.randrange(self.size)
            call = f"lf::group_broadcast({given}, {source}U)"
            for own in self.of_groups(values):
                result += [own[source]] * self.size
        elif kind == "reduce":
            call = f"lf::reduce_over_group({given}, lf::{operator}<>())"
            for own in self.of_groups(values):
                total = own[0]
                for v in own[1:]:
                    total = combine(total, v)
                result += [total] * self.size
        else:
            call = f"lf::{kind}_scan_over_group({given}, lf::{operator}<>())"
            for own in self.of_groups(values):
                total = IDENTITIES[operator]
                for v in own:
                    before, total = total, combine(total, v)
                    result.append(before if kind == "exclusive" else total)
        self.variable(depth, call, result)

    def loop(self, depth):
        """A uniform loop with a barrier in each round."""
        rounds = self.rng.randrange(2, 4)
        k = self.rng.choice(self.variables)
        name, n = self.names[k], self.size
        step = self.rng.randrange(1, n + 1)
        self.say(depth, f"for (unsigned round = 0; round < {rounds}U; ++round) {{")
        self.say(depth + 1, f"tile[lf::convert<int>(l)] = {name};")
        self.say(depth + 1, "lf::group_barrier(it.get_group());")
        self.say(depth + 1, f"{name} = {name} * 3U + tile[lf::convert<int>((l + {step}U) % {n}U)];")
        self.say(depth + 1, "lf::group_barrier(it.get_group());")
        self.say(depth, "}")
        for _ in range(rounds):
            new = []
            for own in self.of_groups(self.values[k]):
                new += [(v * 3 + own[(l + step) % n]) & MASK for l, v in enumerate(own)]
            self.values[k] = new

    def text(self, number):
        everybody = [True] * len(self.items)
        for _ in range(2):
            self.variable(0, *self.expression())
        for _ in range(self.rng.randrange(3, 7)):
            kind = self.rng.random()
            if kind < 0.25:
                self.exchange(0)
            elif kind < 0.55:
                self.algorithm(0)
            elif kind < 0.7:
                self.loop(0)
            else:
                self.divergent(0, everybody)
        results = [0] * len(self.items)
        for k in self.variables:
            self.say(0, f"y[it.get_global_linear_id()] = y[it.get_global_linear_id()] * 5U + {self.names[k]};")
            results = [(r * 5 + v) & MASK for r, v in zip(results, self.values[k])]
        # The linear ids of items and of groups are those of a range whose first dimension is shared among groups.
        local = ", ".join(str(n) for n in self.shape)
        whole = ", ".join(str(n) for n in (self.groups * self.shape[0], *self.shape[1:]))
        body = "\n".join(self.lines)
        return (f"GROUP_KERNEL({number}, {len(self.shape)}, ({whole}), ({local}), {{\n{body}\n}},\n"
                f"  ({{{', '.join(f'{r}U' for r in results)}}}),\n  ({{{', '.join(f'{c}U' for c in self.counters)}}}))\n\n")


def main():
    options = generator.read_options(__doc__)
    parts = ["// SPDX-License-Identifier: Apache-2.0\n"
             f"// Generated by tests/fuzz/generate_groups.py --seed {options.seed} --count {options.count}\n"
             '#include "group_fuzz.hpp"\n\n']
    for number in range(options.count):
        parts.append(Kernel(random.Random(f"{options.seed}/{number}")).text(number))
    calls = " + ".join(f"group_fuzz::disagreements<group_kernel_{n}>({n})" for n in range(options.count))
    parts.append(f"int main() {{ return group_fuzz::report({options.seed}, {options.count}, {calls}); }}\n")
    generator.write("".join(parts), options)


if __name__ == "__main__":
    main()
