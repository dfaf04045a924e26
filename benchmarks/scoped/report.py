#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables, CSV and plots of what lanefold_scoped_report prints (standard input). Usage: report.py FOLDER

The exit status is 1 when a result was wrong or there was none.
"""

import csv
import sys
from pathlib import Path

STRATEGIES = ["scalar", "omp_simd", "simd"]
MODELS = ["ndrange", "hierarchical", "scoped"]
LINES = {"scalar": ":", "omp_simd": "--", "simd, one thread": "-."}  # of the plot of dgemm; otherwise solid


def read(lines):
    rows = []
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("#"):
            print(line)
            continue
        program, model, strategy, size, seconds, verified, form = line.split("\t")
        rows.append({"program": program, "model": model, "strategy": strategy, "size": int(size),
                     "seconds": None if seconds == "-" else float(seconds), "verified": verified, "form": form})
    return rows


def write_csv(rows, path):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def number(rows, model, strategy):
    found = [row for row in rows if (row["model"], row["strategy"]) == (model, strategy)]
    if not found:
        return "-"
    return "WRONG" if found[0]["seconds"] is None else f"{found[0]['seconds'] * 1e3:.4g}"


def print_runtimes(rows):
    """The paper's Tables II and III: a row for each model; the columns are strategies where the paper's are compilers."""
    print("\nRuntime in milliseconds\n")
    print(f"{'program':<34} {'model':<14} " + " ".join(f"{strategy:>10}" for strategy in STRATEGIES))
    for program, size in sorted({(row["program"], row["size"]) for row in rows if row["program"] != "dgemm"}):
        of_program = [row for row in rows if (row["program"], row["size"]) == (program, size)]
        name = f"{program}, {size}"
        for model in MODELS:
            print(f"{name:<34} {model:<14} "
                  + " ".join(f"{number(of_program, model, strategy):>10}" for strategy in STRATEGIES))
            name = ""
        for row in of_program:
            if row["model"] not in MODELS:
                peer = f"{row['model']} ({row['strategy']})"
                print(f"{'':<34} {peer:<25} {number(of_program, row['model'], row['strategy']):>10}")


def series_of(rows):
    """GFLOP/s by matrix order, for each form of dgemm."""
    series = {}
    for row in rows:
        if row["program"] == "dgemm" and row["seconds"]:
            form = row["model"], row["strategy"]
            series.setdefault(form, {})[row["size"]] = 2e-9 * row["size"] ** 3 / row["seconds"]
    return series


def print_gigaflops(series):
    """The paper's Figure 2."""
    orders = sorted({order for values in series.values() for order in values})
    print("\ndgemm: GFLOP/s by matrix order\n")
    print(f"{'':<34}" + "".join(f"{order:>8}" for order in orders))
    for form, values in series.items():
        cells = (f"{values[order]:>8.1f}" if order in values else f"{'-':>8}" for order in orders)
        print(f"{' '.join(form):<34}" + "".join(cells))


def plot(rows, series, folder):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("\nNo plots: Python has no matplotlib (Debian: apt install python3-matplotlib)")
        return
    for program, size in sorted({(row["program"], row["size"]) for row in rows if row["program"] != "dgemm"}):
        bars = [row for row in rows if (row["program"], row["size"]) == (program, size) and row["seconds"]]
        labels = [f"{row['model']}, {row['strategy']}" for row in bars]
        figure, axes = plt.subplots(figsize=(8, 0.3 * len(bars) + 1.2), layout="constrained")
        axes.bar_label(axes.barh(labels, [row["seconds"] * 1e3 for row in bars]), fmt="%.4g", padding=3)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.margins(x=0.2)
        axes.set_xlabel("ms")
        axes.set_title(f"{program}, {size}")
        figure.savefig(folder / f"{program.replace(' ', '_')}_{size}.png")
        plt.close(figure)
    if series:
        figure, axes = plt.subplots(figsize=(8, 5.5), layout="constrained")
        models = list(dict.fromkeys(model for model, _ in series))
        for (model, strategy), values in series.items():
            axes.plot(list(values), list(values.values()), marker="o", color=f"C{models.index(model)}",
                      linestyle=LINES.get(strategy, "-"), label=f"{model} {strategy}")
        axes.set_xlabel("matrix order")
        axes.set_ylabel("GFLOP/s")
        axes.set_title("dgemm, tiles of 16x16 where not blocked for registers")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=7)
        figure.savefig(folder / "dgemm.png")
        plt.close(figure)
    print(f"\nPlots: {folder}/*.png")


def main():
    folder = Path(sys.argv[1])
    rows = read(sys.stdin)
    if not rows:
        print("no results")
        return 1
    write_csv(rows, folder / "scoped.csv")
    print_runtimes(rows)
    series = series_of(rows)
    print_gigaflops(series)
    plot(rows, series, folder)
    print(f"CSV: {folder}/scoped.csv")
    wrong = [row for row in rows if row["verified"] != "yes"]
    for row in wrong:
        print(f"WRONG: {row['program']}, {row['model']}, {row['strategy']}: {row['form']}")
    if not wrong:
        print(f"All {len(rows)} results are verified.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
