#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests lanefold_euler_mpi: the same bits for any number of ranks, a rank that dies, and what is refused.

With Open MPI or MPICH.

Usage: ranks_test.py LANEFOLD_EULER LANEFOLD_EULER_MPI MPIRUN
"""

import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

EULER, EULER_MPI, MPIRUN = sys.argv[1:4]
HEADER = struct.Struct("<8sII3Q3IIddQQ")  # files.cpp: cells at 3, time at 11, steps at 12, checksum at 13
MASK = (1 << 64) - 1
# Open MPI: more ranks than cores, and containers where everything is done by root.
ENVIRONMENT = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def command(ranks, *arguments):
    if ranks == 0:
        return [EULER, *map(str, arguments)]
    return [MPIRUN, "-n", str(ranks), EULER_MPI, "--threads", "1", *map(str, arguments)]


def run(ranks, *arguments):
    """Runs lanefold_euler, or lanefold_euler_mpi on so many ranks. Ends with an error where it hangs."""
    return subprocess.run(command(ranks, *arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=120,
                          check=False)


def steps_of(checkpoint):
    try:
        return HEADER.unpack(checkpoint.read_bytes()[:HEADER.size])[12]
    except (OSError, struct.error):
        return 0


def checksum_of(values):
    """That of files.cpp."""
    total = 0
    for place, value in enumerate(values):
        h = (value + (place + 1) * 0x9E3779B97F4A7C15) & MASK
        h = ((h ^ h >> 30) * 0xBF58476D1CE4E5B9) & MASK
        h = ((h ^ h >> 27) * 0x94D049BB133111EB) & MASK
        total += h ^ h >> 31
    return total & MASK


class Ranks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def simulate(self, ranks, name, *arguments):
        """Returns the bytes of the last checkpoint and picture."""
        checkpoint, picture = self.folder / f"{name}.checkpoint", self.folder / f"{name}_"
        result = run(ranks, *arguments, "--every", 10, "--checkpoint", checkpoint, "--pictures", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        return checkpoint.read_bytes(), sorted(self.folder.glob(f"{name}_*.vtk"))[-1].read_bytes()

    def test_any_number_of_ranks_gives_the_same_bits(self):
        for arguments in (("--patches", 5, "--patch", 4, "--kernel", "patch_wise"),
                          ("--patches", 5, "--patch", 6, "--kernel", "batched", "--layout", "aos"),
                          ("--patches", 5, "--patch", 8, "--kernel", "graph"),
                          ("--patches", 3, "--patch", 4, "--kernel", "graph", "--dim", 3),
                          ("--patches", 3, "--patch", 8, "--kernel", "scoped", "--dim", 3),
                          ("--patches", 9, "--patch", 4, "--problem", "sod", "--dim", 3)):
            one = self.simulate(0, "one", *arguments, "--end", 0.05)
            for ranks in (1, 4):
                with self.subTest(arguments=arguments, ranks=ranks):
                    self.assertEqual(self.simulate(ranks, "all", *arguments, "--end", 0.05), one)

    def test_a_rank_that_dies_ends_the_run_and_its_checkpoint_goes_on(self):
        checkpoint = self.folder / "dying"
        arguments = ("--patches", 12, "--kernel", "graph", "--every", 20)
        with subprocess.Popen(command(3, *arguments, "--end", 1000, "--checkpoint", checkpoint), env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            limit = time.monotonic() + 60
            while steps_of(checkpoint) < 40:
                self.assertLess(time.monotonic(), limit, "there is no checkpoint")
                time.sleep(0.01)
            ranks = [int(link.parent.name) for link in Path("/proc").glob("[0-9]*/exe")
                     if os.path.realpath(link) == os.path.realpath(EULER_MPI)]
            self.assertGreaterEqual(len(ranks), 3)
            os.kill(max(ranks), signal.SIGKILL)
            said, _ = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said, "(?i)signal:? 9")
        steps = steps_of(checkpoint)
        end = HEADER.unpack(checkpoint.read_bytes()[:HEADER.size])[11] + 0.02
        whole, again = self.folder / "whole", self.folder / "again"
        self.assertEqual(run(0, *arguments, "--end", end, "--checkpoint", whole).returncode, 0)
        self.assertEqual(run(2, *arguments, "--end", end, "--checkpoint", again, "--restart", checkpoint).returncode, 0)
        self.assertGreater(steps_of(again), steps)
        self.assertEqual(again.read_bytes(), whole.read_bytes())

    def refused(self, ranks, message, *arguments):
        result = run(ranks, *arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count(message), 1)  # not once a rank

    def test_what_is_refused(self):
        self.refused(4, "lanefold_euler: rank 0: 4 ranks for 1 patches", "--patches", 1)
        self.refused(3, "lanefold_euler: rank 0: '/absent/x.new' cannot be written", "--checkpoint", "/absent/x")
        self.refused(3, "checkpoint '/absent' cannot be read", "--restart", "/absent")
        self.refused(2, "--cfl 2: a number from", "--cfl", 2)

    def test_checkpoints_that_are_damaged(self):
        bytes_of, _ = self.simulate(2, "some", "--patches", 3, "--patch", 4, "--end", 0.01)
        damaged = self.folder / "damaged"
        damaged.write_bytes(bytes_of[:-40] + bytes([bytes_of[-40] ^ 1]) + bytes_of[-39:])
        self.refused(3, "its checksum is wrong", "--patches", 3, "--patch", 4, "--restart", damaged)
        damaged.write_bytes(bytes_of[:-8])
        self.refused(3, "is cut short", "--patches", 3, "--patch", 4, "--restart", damaged)

    def test_negative_pressure_is_noticed_by_all_ranks(self):
        bytes_of, _ = self.simulate(2, "gas", "--patches", 3, "--patch", 4, "--end", 0.01)
        values = list(struct.unpack(f"<{(len(bytes_of) - HEADER.size) // 8}Q", bytes_of[HEADER.size:]))
        fields = list(HEADER.unpack(bytes_of[:HEADER.size]))
        self.assertEqual(checksum_of(values), fields[13])
        values[-1] = struct.unpack("<Q", struct.pack("<d", -1.0))[0]  # the energy of the last cell
        fields[13] = checksum_of(values)
        checkpoint = self.folder / "negative"
        checkpoint.write_bytes(HEADER.pack(*fields) + struct.pack(f"<{len(values)}Q", *values))
        kept = checkpoint.read_bytes()
        for ranks in (0, 3):
            for kernel in ("patch_wise", "graph"):
                self.refused(ranks, "pressure or density are not positive any more", "--patches", 3, "--patch", 4, "--kernel",
                             kernel, "--restart", checkpoint, "--end", 0.1)
        self.assertEqual(checkpoint.read_bytes(), kept)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
