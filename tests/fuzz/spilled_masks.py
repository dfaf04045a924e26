#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks in programs and libraries for mask registers that are spilled by fewer bytes than are read back.

g++ 12 makes such code of comparisons whose result it extends with zeros (docs/decisions/013): `kmovw %k0, 8(%rsp)` and
later `movq 8(%rsp), %rax`. Reads the disassembly of objdump in the order of the addresses, so a find is a place to
look at. Says nothing about clang's code, which assembles words from masks that it spills side by side. The exit status
is 1 where there is a find.
"""

import re
import subprocess
import sys

BYTES = {"b": 1, "w": 2, "d": 4, "q": 8}
SLOT = r"(-?0x[0-9a-f]+\(%r[sb]p\)|\(%r[sb]p\))"
SPILL = re.compile(rf"kmov([bwdq])\s+%k\d,{SLOT}$")
STORE = re.compile(rf"\w+\s+(?:.*,)?%\w+,{SLOT}$")
LOAD = re.compile(rf"(\w+)\s+{SLOT},%(\w+)")


def bytes_read(mnemonic, register):
    if mnemonic.startswith(("movz", "movs", "lea")):
        return 0  # extends what it reads; computes an address
    if register.startswith("k"):
        return BYTES.get(mnemonic[-1], 8)
    if re.fullmatch(r"r(\d+|[a-z]+)", register):
        return 8
    return 4 if re.fullmatch(r"e\w\w|r\d+d", register) else 0


def finds_in(path):
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C", path], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    for function in text.split("\n\n"):
        name, *lines = function.split("\n")
        spilled = {}  # slot -> bytes, where a mask register was the last that was stored there
        for line in lines:
            instruction = line.split("\t")[-1].split("#")[0].strip()
            if spill := SPILL.match(instruction):
                spilled[spill[2]] = BYTES[spill[1]]
            elif store := STORE.match(instruction):
                spilled.pop(store[1], None)
            elif (load := LOAD.match(instruction)) and bytes_read(load[1], load[3]) > spilled.get(load[2], 8):
                yield f"{path}: {name[:120]}: {line.strip()}"


def main():
    finds = [find for path in sys.argv[1:] for find in finds_in(path)]
    for find in finds:
        print(find)
    print(f"{len(finds)} masks read beyond what was spilled, {len(sys.argv) - 1} files")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
