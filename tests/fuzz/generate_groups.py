#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ program of random kernels of work-groups, with what they must compute.

The kernels have local memory, barriers (in uniform loops, too), group algorithms, divergent control flow, gathers and
atomic operations, in one to three dimensions with odd sizes; those of one dimension end with functions of sub-groups. An interpreter, which runs one work-item after the other
from barrier to barrier and knows nothing of the library, says what comes out; the program (group_fuzz.hpp) compares that
with each strategy, fiber engine and number of threads. All numbers are 32 bits that wrap.
"""

import functools
import itertools
import random

import generator

MASK = 0xFFFFFFFF
TABLE = [(k * 2654435761 >> 7) & MASK for k in range(256)]  # what x holds, see group_fuzz.hpp
SUB_GROUP = 8  # work-items
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


class Kernel(generator.Statements):
    """Makes each statement as text, and at once does it for all work-items of all groups."""

    def __init__(self, name, without):
        super().__init__(without)
        self.rng = random.Random(name)
        self.sub_group_rng = random.Random(f"{name}/sub-groups")  # what went before does not depend on it
        self.shape = self.rng.choice(SHAPES)
        self.size = product(self.shape)
        self.groups = self.rng.choice((1, 2, 3))
        self.items = [(g, l) for g in range(self.groups) for l in range(self.size)]
        self.values = [[l for _, l in self.items], [g * self.size + l for g, l in self.items]]
        self.names = ["l", "i"]
        self.variables = []  # positions in names that may be assigned
        self.counters = [0] * 16
        self.results = [0] * len(self.items)

    def state(self):
        return [*self.values], [*self.counters], self.results

    def restore(self, before):
        values, self.counters, self.results = before
        for name in self.names[len(values):]:
            self.say(0, f"auto {name} = it.var(0U);")
        zeros = [[0] * len(self.items)] * (len(self.names) - len(values))
        self.values = values + zeros

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
            self.statement(self.divergent_statement, depth, active)

    def divergent_statement(self, depth, active):
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

    def of_sub_groups(self, values):
        return [own[k:k + SUB_GROUP] for own in self.of_groups(values) for k in range(0, self.size, SUB_GROUP)]

    def sub_group(self, depth):
        """A function of sub-groups, or of parts of them, for groups of one dimension: others differ in their order."""
        rng, n = self.sub_group_rng, self.size
        text = rng.choice(self.names)
        values, operator = self.values[self.names.index(text)], rng.choice(list(REDUCTIONS))
        combine, group, parts = REDUCTIONS[operator], "it.get_sub_group()", self.of_sub_groups(values)
        full = n % SUB_GROUP == 0
        kind = rng.choice(("reduce", "exclusive", "inclusive", "vote", "broadcast", "left", "right", "xor", "select"))
        width = SUB_GROUP
        if full and kind in ("reduce", "exclusive", "inclusive", "vote") and rng.random() < 0.5:
            width = rng.choice((1, 2, 4))
            group = f"lf::chunked_partition<{width}>({group})"
            parts = [part[k:k + width] for part in parts for k in range(0, SUB_GROUP, width)]
        result = []
        if kind == "vote":
            bit = 1 << rng.randrange(6)
            function = rng.choice(("any", "all", "none"))
            call = f"lf::{function}_of_group({group}, ({text} & {bit}U) != 0U)"
            if width == SUB_GROUP:
                call = f"({call} ? 1U : 0U)"
            else:
                call = f"lf::select({call}, it.var(1U), it.var(0U))"
            for part in parts:
                holds = [v & bit != 0 for v in part]
                result += [int({"any": any(holds), "all": all(holds), "none": not any(holds)}[function])] * len(part)
        elif kind == "broadcast":
            source = rng.randrange(n % SUB_GROUP or SUB_GROUP)
            call = f"lf::group_broadcast({group}, {text}, {source}U)"
            for part in parts:
                result += [part[source]] * len(part)
        elif kind in ("left", "right"):
            delta = rng.randrange(SUB_GROUP)
            there = f"l % {SUB_GROUP}U >= {delta}U"
            if kind == "left":
                there = f"l % {SUB_GROUP}U + {delta}U < {SUB_GROUP}U && l + {delta}U < {n}U"
            call = f"lf::select({there}, it.var(lf::shift_group_{kind}({group}, {text}, {delta}U)), it.var(0U))"
            for part in parts:
                moved = part[delta:] + [0] * SUB_GROUP if kind == "left" else [0] * delta + part
                result += moved[:len(part)]
        elif kind in ("xor", "select"):
            other = rng.randrange(SUB_GROUP)
            partner = f"(l % {SUB_GROUP}U ^ {other}U)"
            there = f"l - l % {SUB_GROUP}U + {partner} < {n}U"
            call = f"lf::permute_group_by_xor({group}, {text}, {other}U)"
            if kind == "select":
                call = f"lf::select_from_group({group}, {text}, lf::select({there}, it.var{partner}, it.var(0U)))"
            call = f"lf::select({there}, it.var({call}), it.var(0U))"
            for part in parts:
                result += [part[k ^ other] if k ^ other < len(part) else 0 for k in range(len(part))]
        elif kind == "reduce":
            call = f"lf::reduce_over_group({group}, {text}, lf::{operator}<>())"
            for part in parts:
                result += [functools.reduce(combine, part)] * len(part)
        else:
            call = f"lf::{kind}_scan_over_group({group}, {text}, lf::{operator}<>())"
            for part in parts:
                totals = list(itertools.accumulate(part, combine))
                result += totals if kind == "inclusive" else [IDENTITIES[operator], *totals[:-1]]
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

    def write(self, k):
        self.say(0, f"y[it.get_global_linear_id()] = y[it.get_global_linear_id()] * 5U + {self.names[k]};")
        self.results = [(r * 5 + v) & MASK for r, v in zip(self.results, self.values[k])]

    def text(self, number):
        everybody = [True] * len(self.items)
        for _ in range(2):
            text, values = self.expression()
            self.statement(self.variable, 0, text, values)
        for _ in range(self.rng.randrange(3, 7)):
            kind = self.rng.random()
            if kind < 0.25:
                self.statement(self.exchange, 0)
            elif kind < 0.55:
                self.statement(self.algorithm, 0)
            elif kind < 0.7:
                self.statement(self.loop, 0)
            else:
                self.divergent(0, everybody)
        if len(self.shape) == 1:
            for _ in range(self.sub_group_rng.randrange(1, 4)):
                self.statement(self.sub_group, 0)
        for k in self.variables:
            self.statement(self.write, k)
        self.say(0, f"// {self.made} statements")
        # The linear ids of items and of groups are those of a range whose first dimension is shared among groups.
        local = ", ".join(str(n) for n in self.shape)
        whole = ", ".join(str(n) for n in (self.groups * self.shape[0], *self.shape[1:]))
        body = "\n".join(self.lines)
        inlining = "noinline" if number else "always_inline"
        return (f"GROUP_KERNEL({number}, {inlining}, {len(self.shape)}, ({whole}), ({local}), {{\n{body}\n}},\n"
                f"  ({{{', '.join(f'{r}U' for r in self.results)}}}),\n  ({{{', '.join(f'{c}U' for c in self.counters)}}}))\n\n")


def main():
    options = generator.read_options(__doc__)
    parts = ["// SPDX-License-Identifier: Apache-2.0\n"
             f"// Generated by tests/fuzz/generate_groups.py --seed {options.seed} --count {options.count}\n"
             '#include "group_fuzz.hpp"\n\n']
    first, *others = generator.written(options)
    for number in (first, *others):
        parts.append(Kernel(f"{options.seed}/{number}", options.without).text(number))
    # The first kernel has a launch of its own; the others of a number of dimensions share theirs, which saves the compiler
    # most of its work.
    cases = "".join(f"    case {n}: return group_kernel_{n}::run<Dimensions>(n, it, m, tile);\n"
                    for n in others)
    parts.append("struct others {\n  template <int Dimensions, class Item, class Tile>\n"
                 "  static void run(int n, const Item& it, const group_fuzz::memory& m, const Tile& tile) {\n"
                 f"    switch (n) {{\n{cases}    default: break;\n    }}\n  }}\n}};\n\n")
    calls = " +\n         ".join(f"group_fuzz::disagreements<{f'group_kernel_{first}' if n == first else 'others'}>"
                                f"({n}, group_kernel_{n}::expectation())" for n in (first, *others))
    parts.append("int main() {\n  return group_fuzz::report("
                 f"{options.seed}, {options.count},\n         {calls});\n}}\n")
    generator.write("".join(parts), options)


if __name__ == "__main__":
    main()
