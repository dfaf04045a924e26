#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The thesis' Table 3.2 of Lanefold's times: the median speed-up over the baseline for each function and version.

Reads what lanefold_benchmark_thesis writes:

    build/bench/benchmarks/group_algorithms/lanefold_benchmark_thesis --benchmark_out=thesis.json
    benchmarks/group_algorithms/thesis/table.py thesis.json [--csv thesis.csv] [--plots FOLDER]

The table (Markdown, to standard output) has the thesis' own figures (Wünsche, "SYCL 2020 work group parallel
primitives", Heidelberg 2021, Table 3.2: hipSYCL on an Intel Xeon Gold 6230) beside them. `--plots` needs matplotlib.
"""

import argparse
import csv
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

FUNCTIONS = {
    "group_reduce": "group reduce",
    "group_reduce_pointer": "group reduce pointer",
    "loop_reduce_pointer": "scoped group reduce pointer",
    "group_inclusive_scan": "group inclusive scan",
    "group_inclusive_scan_pointer": "group inclusive scan pointer",
    "loop_inclusive_scan_pointer": "scoped group inclusive scan pointer",
    "group_exclusive_scan": "group exclusive scan",
    "group_exclusive_scan_pointer": "group exclusive scan pointer",
    "loop_exclusive_scan_pointer": "scoped group exclusive scan pointer",
    "group_any_of": "group any of",
    "group_any_of_full_pointer": "group any of pointer, full loop",
    "group_any_of_early_pointer": "group any of pointer, early exit",
    "loop_any_of_full_pointer": "scoped group any of pointer, full loop",
    "loop_any_of_early_pointer": "scoped group any of pointer, early exit",
}
VERSIONS = {
    "baseline": "baseline",
    "stack": "stack memory",
    "omp_simd": "OpenMP SIMD",
    "simd": "explicit SIMD",
    "work_items": "Lanefold, work-item kernel",
    "lanes": "Lanefold, lane-generic kernel",
}
THESIS = {
    "group_reduce": {"stack": 1.7, "omp_simd": 1.5, "simd": 1.6},
    "group_reduce_pointer": {"stack": 1.1, "omp_simd": 1.1, "simd": 1.1},
    "loop_reduce_pointer": {"omp_simd": 2.4, "simd": 1.9},
    "group_inclusive_scan": {"stack": 2.4, "omp_simd": 2.4},
    "group_inclusive_scan_pointer": {"stack": 1.0, "omp_simd": 1.0},
    "loop_inclusive_scan_pointer": {"omp_simd": 1.1},
    "group_any_of": {"stack": 1.0},
    "group_any_of_full_pointer": {"stack": 1.1},
}


def read(path):
    """{(function, version, type, group size): nanoseconds}, the median where a benchmark was repeated."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["benchmarks"]
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    times = defaultdict(list)
    for entry in entries:
        if entry.get("run_type", "iteration") != "iteration":
            continue
        if entry.get("error_occurred"):
            sys.exit(f"{path}: {entry['name']}: {entry.get('error_message', 'failed')}")
        parts = entry["name"].split("/")
        if len(parts) < 4:
            sys.exit(f"{path}: '{entry['name']}' is not of lanefold_benchmark_thesis")
        function, version, kind, group = parts[:4]
        times[function, version, kind, int(group)].append(entry["real_time"] * scale[entry["time_unit"]])
    return {key: statistics.median(all_of_it) for key, all_of_it in times.items()}


def speed_ups(times):
    """{function: {version: [speed-up of each type and group size]}}."""
    result = defaultdict(lambda: defaultdict(list))
    for (function, version, kind, group), time in times.items():
        baseline = times.get((function, "baseline", kind, group))
        if baseline is not None:
            result[function][version].append(baseline / time)
    return result


def print_table(found):
    print("| function | version | speed-up | least – most | thesis |")
    print("| --- | --- | ---: | ---: | ---: |")
    for function, title in FUNCTIONS.items():
        for version, name in VERSIONS.items():
            values = found[function].get(version) if function in found else None
            if not values or version == "baseline":
                continue
            reference = THESIS.get(function, {}).get(version)
            theirs = f"{reference:.1f}" if reference is not None else "–"
            print(f"| {title} | {name} | {statistics.median(values):.1f} | {min(values):.1f} – {max(values):.1f} "
                  f"| {theirs} |")


def write_csv(times, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["function", "version", "type", "group_size", "nanoseconds"])
        for key, time in sorted(times.items()):
            writer.writerow([*key, f"{time:.1f}"])


def plot(times, folder):
    try:
        import matplotlib
    except ImportError:
        sys.exit("table.py: --plots needs matplotlib, which is not installed (Debian: apt-get install "
                 "python3-matplotlib, or pip install matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for function, title in FUNCTIONS.items():
        mine = {key[1:]: time for key, time in times.items() if key[0] == function}
        if not mine:
            continue
        groups = sorted({group for _, _, group in mine})
        kinds = list(dict.fromkeys(kind for _, kind, _ in mine))
        versions = [version for version in VERSIONS if any(v == version for v, _, _ in mine)]
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(13, 5))
        figure.suptitle(title)
        for version in versions:
            left.plot(groups, [statistics.median(mine[version, kind, group] for kind in kinds) / 1e3
                               for group in groups], marker="o", label=VERSIONS[version])
        left.set(xscale="log", yscale="log", xlabel="work-group size", ylabel="µs (median of the types)")
        left.set_xticks(groups, [str(group) for group in groups])
        left.legend()
        width = 0.8 / max(1, len(versions) - 1)
        for k, version in enumerate(versions[1:]):
            right.bar([i + k * width for i in range(len(kinds))],
                      [statistics.median(mine["baseline", kind, group] / mine[version, kind, group]
                                         for group in groups) for kind in kinds],
                      width, label=VERSIONS[version])
        right.set(yscale="log", ylabel="speed-up over the baseline (median of the sizes)")
        right.set_xticks([i + 0.3 for i in range(len(kinds))], kinds, rotation=60, ha="right")
        figure.tight_layout()
        figure.savefig(folder / f"{function}.png", dpi=110)
        pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", help="written by lanefold_benchmark_thesis --benchmark_out=FILE")
    parser.add_argument("--csv", help="write all times there")
    parser.add_argument("--plots", help="write a PNG for each function into this folder")
    options = parser.parse_args()
    times = read(options.json)
    print_table(speed_ups(times))
    if options.csv:
        write_csv(times, options.csv)
    if options.plots:
        plot(times, options.plots)


if __name__ == "__main__":
    main()
