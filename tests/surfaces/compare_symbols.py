#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_symbols.py OBJDUMP OBJECT OBJECT: the weak functions that both objects define are the same code. The linker keeps
one copy of each. Objects are compiled without optimisation, so that the code says what the function means."""

import re
import subprocess
import sys


def weak_functions(objdump, path):
    """The code of each weak function by its name, with the names of what it refers to and without addresses."""
    table = subprocess.run([objdump, "-t", path], capture_output=True, text=True, check=True).stdout
    weak = {line.split()[-1] for line in table.splitlines() if re.match(r"[0-9a-f]+ +w +F ", line)}
    listing = subprocess.run(
        [objdump, "-dr", "--no-show-raw-insn", path], capture_output=True, text=True, check=True
    ).stdout
    functions, name = {}, None
    for line in listing.splitlines():
        if heading := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            name = heading[1] if heading[1] in weak else None
            if name:
                functions[name] = []
        elif line.startswith("Disassembly"):
            name = None
        elif name and line.strip():
            relocation = re.match(r"\s+[0-9a-f]+: (R_\S+)\s+(\S+)", line)
            if relocation:
                # Constants lie where they happen to.
                to = re.sub(r"^\.(rodata|data|bss|text|gcc_except_table)\S*", r".\1", relocation[2])
                functions[name].append(f"{relocation[1]} {to}")
            else:
                instruction = re.sub(r"^\s+[0-9a-f]+:\s*", "", line)
                instruction = re.sub(r"\s*#.*$", "", instruction)
                # A relocation says where calls go; how long a jump is follows from what it jumps over.
                functions[name].append(re.sub(r"\s+[0-9a-f]+ <.+>", "", instruction))
    return functions


def main():
    objdump, *objects = sys.argv[1:]
    first, second = (weak_functions(objdump, path) for path in objects)
    both = sorted(first.keys() & second.keys())
    different = [name for name in both if first[name] != second[name]]
    for name in different:
        at = next((i for i, (a, b) in enumerate(zip(first[name], second[name])) if a != b), None)
        print(f"{name}\n  differs at", "the end" if at is None else f"{first[name][at]}\n  and {second[name][at]}")
    print(f"{len(both)} weak functions in both, {len(different)} of them different")
    return 1 if different or not both else 0


if __name__ == "__main__":
    sys.exit(main())
