#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests lanefold_euler_mpi: the same bits for any number of ranks, a rank that dies, and what is refused; on CPUs, and
where there is an OpenCL device on that.

With Open MPI or MPICH.

Usage: ranks_test.py LANEFOLD_EULER LANEFOLD_EULER_MPI MPIRUN
"""

import os
import re
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
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "POCL_MAX_PTHREAD_COUNT": "1"}
ON_DEVICE = ("--device", "opencl")


def command(ranks, *arguments):
    if ranks == 0:
        return [EULER, *map(str, arguments)]
    return [MPIRUN, "-n", str(ranks), EULER_MPI, "--threads", "1", *map(str, arguments)]


def run_command(command_line, **more):
    """Ends with an error where it hangs."""
    return subprocess.run(command_line, env={**ENVIRONMENT, **more}, capture_output=True, text=True, timeout=120,
                          check=False)


def run(ranks, *arguments, **more):
    """Runs lanefold_euler, or lanefold_euler_mpi on so many ranks, with more in the environment."""
    return run_command(command(ranks, *arguments), **more)


def steps_of(checkpoint):
    try:
        return HEADER.unpack(checkpoint.read_bytes()[:HEADER.size])[12]
    except (OSError, struct.error):
        return 0


def hash_of(value, place):
    h = (value + (place + 1) * 0x9E3779B97F4A7C15) & MASK
    h = ((h ^ h >> 30) * 0xBF58476D1CE4E5B9) & MASK
    h = ((h ^ h >> 27) * 0x94D049BB133111EB) & MASK
    return h ^ h >> 31


def checksum_of(fields, values):
    """That of files.cpp."""
    words = struct.unpack("<10Q", HEADER.pack(*fields)[:80])
    total = sum(hash_of(value, place) for place, value in enumerate(values))
    return (total + sum(hash_of(word, MASK - i) for i, word in enumerate(words))) & MASK


class Simulations(unittest.TestCase):
    """What the tests on CPUs and on devices have in common."""

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

    def check_that_ranks_give_the_same_bits(self, numbers, configurations, *more):
        for arguments in configurations:
            one = self.simulate(0, "one", *arguments, *more)
            for ranks in numbers:
                with self.subTest(arguments=arguments, ranks=ranks):
                    self.assertEqual(self.simulate(ranks, "all", *arguments, *more), one)

    def check_a_rank_that_dies(self, *more):
        """It ends the run, and its checkpoint goes on."""
        checkpoint = self.folder / "dying"
        arguments = ("--patches", 12, "--kernel", "graph", "--every", 20, *more)
        with subprocess.Popen(command(3, *arguments, "--end", 1000, "--checkpoint", checkpoint), env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                limit = time.monotonic() + 120
                while steps_of(checkpoint) < 40:
                    self.assertLess(time.monotonic(), limit, "there is no checkpoint")
                    time.sleep(0.01)
                ranks = [int(link.parent.name) for link in Path("/proc").glob("[0-9]*/exe")
                         if os.path.realpath(link) == os.path.realpath(EULER_MPI)]
                self.assertGreaterEqual(len(ranks), 3)
                os.kill(max(ranks), signal.SIGKILL)
                said, _ = process.communicate(timeout=60)
            except BaseException:
                process.kill()  # else it is waited for
                raise
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said, "(?i)signal:? 9")
        steps = steps_of(checkpoint)
        end = HEADER.unpack(checkpoint.read_bytes()[:HEADER.size])[11] + 0.02
        whole, again = self.folder / "whole", self.folder / "again"
        self.assertEqual(run(0, *arguments, "--end", end, "--checkpoint", whole).returncode, 0)
        self.assertEqual(run(2, *arguments, "--end", end, "--checkpoint", again, "--restart", checkpoint).returncode, 0)
        self.assertGreater(steps_of(again), steps)
        self.assertEqual(again.read_bytes(), whole.read_bytes())

    def refused(self, ranks, message, *arguments, **more):
        result = run(ranks, *arguments, **more)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count(message), 1)  # not once a rank

    def negative_pressure(self):
        """Returns a checkpoint of 3 patches of 4 cells along an edge, in one of which it is."""
        bytes_of, _ = self.simulate(2, "gas", "--patches", 3, "--patch", 4, "--end", 0.01)
        values = list(struct.unpack(f"<{(len(bytes_of) - HEADER.size) // 8}Q", bytes_of[HEADER.size:]))
        fields = list(HEADER.unpack(bytes_of[:HEADER.size]))
        self.assertEqual(checksum_of(fields, values), fields[13])
        values[-1] = struct.unpack("<Q", struct.pack("<d", -1.0))[0]  # the energy of the last cell
        fields[13] = checksum_of(fields, values)
        checkpoint = self.folder / "negative"
        checkpoint.write_bytes(HEADER.pack(*fields) + struct.pack(f"<{len(values)}Q", *values))
        return checkpoint

    def check_that_negative_pressure_is_noticed(self, checkpoint, ranks, *more):
        kept = checkpoint.read_bytes()
        self.refused(ranks, "pressure or density are not positive any more", "--patches", 3, "--patch", 4, "--restart",
                     checkpoint, "--end", 0.1, *more)
        self.assertEqual(checkpoint.read_bytes(), kept)


class OnCpus(Simulations):
    def test_any_number_of_ranks_gives_the_same_bits(self):
        configurations = (("--patches", 5, "--patch", 4, "--kernel", "patch_wise"),
                          ("--patches", 5, "--patch", 6, "--kernel", "batched", "--layout", "aos"),
                          ("--patches", 5, "--patch", 8, "--kernel", "graph"),
                          ("--patches", 3, "--patch", 4, "--kernel", "graph", "--dim", 3),
                          ("--patches", 3, "--patch", 8, "--kernel", "scoped", "--dim", 3),
                          ("--patches", 9, "--patch", 4, "--problem", "sod", "--dim", 3))
        self.check_that_ranks_give_the_same_bits((1, 4), configurations, "--end", 0.05)

    def test_a_rank_that_dies_ends_the_run_and_its_checkpoint_goes_on(self):
        self.check_a_rank_that_dies()

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
        checkpoint = self.negative_pressure()
        for ranks in (0, 3):
            for kernel in ("patch_wise", "graph"):
                self.check_that_negative_pressure_is_noticed(checkpoint, ranks, "--kernel", kernel)


class OnDevices(Simulations):
    """Ranks with a device each, or one for all of them."""

    @classmethod
    def setUpClass(cls):
        tried = run(0, *ON_DEVICE, "--patches", 1, "--end", 0)
        if "has no OpenCL device" in tried.stderr:
            raise unittest.SkipTest("there is no OpenCL device")

    def test_any_number_of_ranks_gives_the_same_bits(self):
        configurations = (("--patches", 5, "--patch", 4, "--kernel", "patch_wise", "--layout", "aos"),
                          ("--patches", 5, "--patch", 6, "--kernel", "batched"),
                          ("--patches", 5, "--patch", 8, "--kernel", "graph"),
                          ("--patches", 3, "--patch", 4, "--kernel", "graph", "--dim", 3, "--layout", "aos"),
                          ("--patches", 9, "--patch", 4, "--kernel", "scoped", "--problem", "sod", "--dim", 3))
        self.check_that_ranks_give_the_same_bits((4,), configurations, "--end", 0.1, *ON_DEVICE)

    def test_a_rank_alone_among_others(self):  # all of its neighbours are elsewhere
        self.check_that_ranks_give_the_same_bits((9,), (("--patches", 3, "--patch", 4),), "--end", 0.02, *ON_DEVICE)

    def test_a_rank_that_dies_ends_the_run_and_its_checkpoint_goes_on(self):
        self.check_a_rank_that_dies(*ON_DEVICE)

    def test_negative_pressure_is_noticed_by_all_ranks(self):
        self.check_that_negative_pressure_is_noticed(self.negative_pressure(), 3, *ON_DEVICE)

    def test_each_rank_has_a_device(self):
        result = run(3, *ON_DEVICE, "--patches", 3, "--patch", 4, "--end", 0)
        self.assertEqual(result.returncode, 0, result.stderr)
        devices = re.findall(r"^rank (\d): device (\d+) of (\d+), (.+)$", result.stdout, re.MULTILINE)
        self.assertEqual([int(rank) for rank, *_ in devices], [0, 1, 2])
        for rank, number, count, name in devices:
            self.assertEqual(int(number), int(rank) % int(count))
            self.assertEqual(name, devices[0][3])

    def test_ranks_without_a_device(self):
        message = "--device opencl: this host has no OpenCL device"
        for hidden in ({"OCL_ICD_VENDORS": "/absent"}, {"LANEFOLD_GPU_DEVICE": "no such device"}):
            self.refused(3, message, *ON_DEVICE, **hidden)
        line = command(1, *ON_DEVICE)
        result = run_command([*line, ":", "-n", "1", "env", "LANEFOLD_GPU_DEVICE=no such device", *line[3:]])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("rank 1: " + message, result.stderr)

    def test_a_device_without_memory(self):
        pocl = {"LANEFOLD_GPU_DEVICE": "portable computing language", "POCL_MEMORY_LIMIT": "1"}  # GiB
        if run(0, *ON_DEVICE, "--patches", 1, "--end", 0, **pocl).returncode != 0:
            self.skipTest("there is no PoCL, whose memory can be limited")
        # 6,912 patches a rank take 1.7 GB.
        self.refused(2, "bytes more: take fewer patches", *ON_DEVICE, "--kernel", "batched", "--dim", 3, "--patches", 24,
                     **pocl)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
