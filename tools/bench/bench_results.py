#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands `report` and `compare` of lanefold-bench, which calls this script with its own arguments."""

import argparse
import html
import io
import itertools
import json
import math
import os
import statistics
import sys
from pathlib import Path

ALMOST = 1.05  # forms that are slower by less than this count as equally fast in the report's words
KEYS = {"program": str, "form": str, "ours": bool, "unit": str, "scale": (int, float), "flops": (int, float),
        "bytes": (int, float), "seconds": list}


class Refused(Exception):
    """What is said, in one line, before the exit status 2."""


class Form:
    """One form of a program, as measured."""

    def __init__(self, entry):
        self.program, self.name, self.ours = entry["program"], entry["form"], entry["ours"]
        self.unit, self.scale = entry["unit"], entry["scale"]
        self.flops, self.bytes = entry["flops"], entry["bytes"]
        self.samples = sorted(entry["seconds"])
        self.seconds = statistics.median(self.samples)
        self.rounds = medians_of_rounds(entry["seconds"], entry.get("rounds"))

    @property
    def key(self):
        return f"{self.program}/{self.name}"

    @property
    def is_rate(self):
        return self.scale < 0

    def value(self, seconds=None):
        seconds = self.seconds if seconds is None else seconds
        return -self.scale / seconds if self.is_rate else self.scale * seconds

    def text(self):
        return f"{self.value():.4g} {self.unit}"


def medians_of_rounds(seconds, sizes):
    """The median of each round through all programs; all samples where there was one round."""
    if not isinstance(sizes, list) or len(sizes) < 2 or sum(sizes) != len(seconds):
        return sorted(seconds)
    ends = list(itertools.accumulate(sizes))
    return sorted(statistics.median(seconds[end - size: end]) for size, end in zip(sizes, ends))


class Results:
    """A file that `lanefold-bench run` has written."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            data = json.loads(self.path.read_text())
        except OSError as error:
            raise Refused(f"{path}: {error.strerror}") from None
        except ValueError:
            raise Refused(f"{path}: this is no JSON") from None
        if not isinstance(data, dict) or data.get("lanefold_bench") != 1:
            raise Refused(f"{path}: no result of this lanefold-bench")
        entries, self.context = data.get("results"), data.get("context")
        if not isinstance(entries, list) or not isinstance(self.context, dict) or not all(map(is_entry, entries)):
            raise Refused(f"{path}: a result of lanefold-bench that was changed")
        if not entries:
            raise Refused(f"{path}: there is no result in it")
        self.mode, self.threads = data.get("mode"), data.get("threads")
        self.interrupted = bool(data.get("interrupted"))
        self.missing = [m for m in data.get("missing", []) if isinstance(m, dict) and "program" in m and "why" in m]
        self.forms = [Form(entry) for entry in entries]

    def programs(self):
        found = {}
        for form in self.forms:
            found.setdefault(form.program, []).append(form)
        return {name: sorted(forms, key=lambda f: f.seconds) for name, forms in found.items()}


def is_entry(entry):
    good = isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in KEYS.items())
    sizes = entry.get("rounds", []) if good else []
    return (good and entry["seconds"] and all(isinstance(s, (int, float)) and 0 < s < math.inf for s in entry["seconds"])
            and isinstance(sizes, list) and all(isinstance(size, int) and size > 0 for size in sizes))


# ---- compare ---------------------------------------------------------------------------------------------------------


def orders(n, m):
    """How many orders of n and m samples have each value of Mann and Whitney's U, by U."""
    counts = [[[0] * (i * j + 1) for j in range(m + 1)] for i in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            if i == 0 or j == 0:
                counts[i][j] = [1]
                continue
            for u, count in enumerate(counts[i - 1][j]):
                counts[i][j][u + j] += count
            for u, count in enumerate(counts[i][j - 1]):
                counts[i][j][u] += count
    return counts[n][m]


def chance(a, b):
    """The probability that samples of one distribution differ as much as these (Mann-Whitney U test, two-sided, exact)."""
    u = sum((x > y) + (x == y) / 2 for x in a for y in b)
    counts = orders(len(a), len(b))
    least = min(u, len(a) * len(b) - u)
    return min(1.0, 2 * sum(counts[: int(least) + 1]) / sum(counts))


def compare(arguments):
    parser = argparse.ArgumentParser(prog="lanefold-bench compare")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--threshold", type=float, default=5.0, help="percent of time that count as a change (5)")
    options = parser.parse_args(arguments)
    if not 0 <= options.threshold < math.inf:
        raise Refused("--threshold takes percents")
    old, new = Results(options.old), Results(options.new)
    for what in ("mode", "threads"):
        if getattr(old, what) != getattr(new, what):
            raise Refused(f"{old.path} has {what} {getattr(old, what)}, {new.path} has {getattr(new, what)}: they cannot "
                          "be compared")
    before = {form.key: form for form in old.forms}
    common = [(before[form.key], form) for form in new.forms if form.key in before]
    if not common:
        raise Refused(f"{old.path} and {new.path} have no program in common")
    for what in ("processor", "compiler", "flags", "governor"):
        if old.context.get(what) != new.context.get(what):
            print(f"# {what}: {old.context.get(what)} -> {new.context.get(what)}")
    counts = {"slower": 0, "faster": 0, "same": 0}
    regressions = 0
    bound = 1 + options.threshold / 100
    others = {}  # what became of the forms of a program that are not ours: the machine may have changed for all
    for was, now in common:
        if not now.ours:
            others.setdefault(now.program, []).append(now.seconds / was.seconds)
    for was, now in common:
        ratio = now.seconds / was.seconds
        beside = ratio / statistics.median(others[now.program]) if now.ours and now.program in others else ratio
        probability = chance(was.rounds, now.rounds)
        verdict = "same"
        if probability < 0.01 and min(ratio, beside) > bound:
            verdict = "slower"
        elif probability < 0.01 and max(ratio, beside) < 1 / bound:
            verdict = "faster"
        counts[verdict] += 1
        regressions += verdict == "slower" and now.ours
        print(f"{verdict:6}  {now.key}: {was.text()} -> {now.text()}, time x {ratio:.3f}, p = {probability:.2g}"
              + (" (not ours)" if not now.ours else "" if beside == ratio else f", x {beside:.3f} beside the others"))
    only = len(old.forms) - len(common), len(new.forms) - len(common)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items())
          + (f"; only in {old.path}: {only[0]}, only in {new.path}: {only[1]}" if any(only) else ""))
    return 1 if regressions else 0


# ---- report: words ---------------------------------------------------------------------------------------------------


def times(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def listed(names, word="or"):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" {word} " + names[-1]


def words_of(forms):
    """Which form to use for a program, in words; its forms, the fastest first."""
    ours = [form for form in forms if form.ours]
    others = [form for form in forms if not form.ours]
    if not ours:
        return f"Lanefold has no form of this program; {forms[0].name} reaches {forms[0].text()}."
    best = ours[0]
    equal = [form.name for form in ours if form.seconds <= ALMOST * best.seconds]
    text = f"Use {listed(equal)}: {best.text()}"
    if others:
        speed = others[0].seconds / best.seconds
        text += f", {times(speed)} times the speed of the fastest other one, {others[0].name}"
    text += "."
    slower = [form for form in ours if form.name not in equal]
    if slower:
        text += (f" {slower[0].name} takes {times(slower[0].seconds / best.seconds)} times as long"
                 + (f", {slower[-1].name} {times(slower[-1].seconds / best.seconds)} times." if len(slower) > 1 else "."))
    return text


def general_words(programs):
    """Which forms do well everywhere."""
    losses = {}
    for forms in programs.values():
        ours = [form for form in forms if form.ours]
        for form in ours:
            losses.setdefault(form.name, []).append(form.seconds / ours[0].seconds)
    mostly = {name: found for name, found in losses.items() if len(found) >= 3}
    rows = []
    for name, found in sorted(mostly.items(), key=lambda entry: statistics.geometric_mean(entry[1])):
        wins = sum(loss <= ALMOST for loss in found)
        rows.append((name, len(found), wins, times(statistics.geometric_mean(found)), times(max(found))))
    return rows


# ---- report: plots ---------------------------------------------------------------------------------------------------


def import_matplotlib():
    """The distribution's matplotlib belongs to the distribution's Python, which need not be the first of the path."""
    try:
        import matplotlib
    except ImportError:
        own = Path("/usr/bin/python3")
        if own.exists() and Path(sys.executable).resolve() != own.resolve() and "LANEFOLD_BENCH_AGAIN" not in os.environ:
            os.environ["LANEFOLD_BENCH_AGAIN"] = "1"
            os.execv(own, [str(own), *sys.argv])
        raise Refused("report needs matplotlib (Debian: python3-matplotlib)") from None
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "lanefold", "font.size": 9, "font.family": "sans-serif",
                                "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    return matplotlib, pyplot


class Plots:
    """Draws figures as texts in SVG."""

    OURS, OTHERS, BEST = "#7fb2d9", "#c9c9c9", "#1f5f99"

    def __init__(self):
        self.matplotlib, self.pyplot = import_matplotlib()
        self.count = 0

    def svg_of(self, figure):
        self.count += 1
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
        self.pyplot.close(figure)
        text = file.getvalue()[file.getvalue().index("<svg"):]
        for start in (' id="', 'url(#', 'href="#'):  # ids of the figures of a page must differ
            text = text.replace(start, f"{start}p{self.count}_")
        return text

    def forms(self, forms):
        """Bars for all forms of a program."""
        figure, axes = self.pyplot.subplots(figsize=(5, 0.8 + 0.26 * len(forms)), layout="constrained")
        best = next((form for form in forms if form.ours), None)
        values = [form.value() for form in forms]
        colours = [self.BEST if form is best else self.OURS if form.ours else self.OTHERS for form in forms]
        spread = [[abs(form.value() - form.value(quantile(form.samples, q))) for form in forms] for q in (0.75, 0.25)]
        axes.barh(range(len(forms)), values, color=colours, xerr=spread if forms[0].is_rate else spread[::-1],
                  error_kw={"elinewidth": 1, "ecolor": "#555555"})
        axes.set_yticks(range(len(forms)),
                        [form.name + ("  ★" if form is best else "") for form in forms])
        axes.invert_yaxis()
        axes.set_xlabel(forms[0].unit + (" (more is better)" if forms[0].is_rate else " (less is better)"))
        if max(values) > 50 * min(values):
            axes.set_xscale("log")
        else:
            axes.locator_params(axis="x", nbins=5)
        limit = next((form for form in forms if not form.ours), None)
        if best is not None and limit is not None:
            axes.axvline(limit.value(), color="#b04a3a", linestyle="--", linewidth=1)
        return self.svg_of(figure)

    def lines(self, label, by_size):
        """A line for each form over sizes or threads, for programs that were measured with several."""
        figure, axes = self.pyplot.subplots(figsize=(5, 4.6), layout="constrained")
        names = list(dict.fromkeys(form.name for forms in by_size.values() for form in forms))
        for name in names:
            points = [(size, form) for size, forms in sorted(by_size.items()) for form in forms if form.name == name]
            if len(points) > 1:
                axes.plot([size for size, _ in points], [form.value() for _, form in points], marker="o", markersize=3,
                          linestyle="-" if points[0][1].ours else "--", linewidth=1, label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel(label)
        axes.set_ylabel(next(iter(by_size.values()))[0].unit)
        axes.legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncol=2)
        return self.svg_of(figure)

    def roofline(self, programs):
        """The best form of each program under what the machine can do; empty if that was not measured."""
        roofs = {name: forms[0] for name, forms in programs.items() if name.startswith("peak/")}
        points = [(name, form) for name, forms in programs.items() if not name.startswith("peak/")
                  for form in [next((f for f in forms if f.ours), None)]
                  if form is not None and form.flops > 0 and form.bytes > 0]
        if "peak/read" not in roofs or len(roofs) < 2 or not points:
            return ""
        bandwidth = roofs["peak/read"].bytes / roofs["peak/read"].seconds
        figure, axes = self.pyplot.subplots(figsize=(5, 3.8), layout="constrained")
        intensities = [form.flops / form.bytes for _, form in points]
        left, right = min(intensities) / 4, max(max(intensities), 100) * 4
        for name, roof in roofs.items():
            if roof.flops > 0:
                peak = roof.flops / roof.seconds
                axes.plot([left, peak / bandwidth, right], [left * bandwidth / 1e9, peak / 1e9, peak / 1e9], color="#555555",
                          linewidth=1)
                axes.annotate(f"{name[5:]}: {peak / 1e9:.0f} GFLOP/s", (right, peak / 1e9), ha="right", va="bottom", fontsize=7)
        axes.annotate(f"memory: {bandwidth / 1e9:.0f} GB/s", (left * 1.2, left * 1.2 * bandwidth / 1e9), fontsize=7, va="bottom")
        free = {}  # where the next label fits, on either side: labels of points side by side go up
        for rate, intensity, name in sorted((form.flops / form.seconds / 1e9, intensity, name)
                                            for (name, form), intensity in zip(points, intensities)):
            axes.plot([intensity], [rate], "o", color=self.BEST, markersize=4)
            far = intensity > math.sqrt(left * right)
            height = max(rate, free.get(far, 0))
            free[far] = height * 1.35
            axes.annotate(f"{name}  " if far else f"  {name}", (intensity, rate), (intensity, height),
                          ha="right" if far else "left", va="center", fontsize=6)
        axes.set(xscale="log", yscale="log", xlabel="operations of floating point for each byte", ylabel="GFLOP/s")
        return self.svg_of(figure)


def quantile(ordered, q):
    position = q * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def families_of(programs):
    """Programs whose names end with a size, by what stands before it."""
    families = {}
    for name, forms in programs.items():
        family, _, size = name.rpartition("/")
        if family and size.isdigit():
            families.setdefault(family, {})[int(size)] = forms
    return {family: by_size for family, by_size in families.items() if len(by_size) > 1}


# ---- report: pages ---------------------------------------------------------------------------------------------------

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; color: #222; }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere; } h2 { margin-top: 2.5rem; }
p { overflow-wrap: anywhere; }
figure { margin: 0.5rem 0; } figure svg { width: 100%; max-width: 36rem; height: auto; display: block; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.85rem; }
td, th { text-align: left; padding: 0.15rem 0.8rem 0.15rem 0; border-bottom: 1px solid #ddd; }
.ours { font-weight: 600; } .note { color: #666; font-size: 0.85rem; }
"""


class Page:
    """The report, in HTML and in Markdown at the same time, and the pictures of the latter."""

    def __init__(self, title):
        self.html = [f"<h1>{html.escape(title)}</h1>"]
        self.markdown = [f"# {title}"]
        self.title = title
        self.pictures = {}

    def heading(self, level, text):
        self.html.append(f"<h{level}>{html.escape(text)}</h{level}>")
        self.markdown.append("#" * level + " " + text)

    def paragraph(self, text):
        self.html.append(f"<p>{html.escape(text)}</p>")
        self.markdown.append(text)

    def picture(self, name, svg, description):
        file = "".join(c if c.isalnum() else "_" for c in name) + ".svg"
        self.pictures[file] = svg
        self.html.append(f'<figure role="img" aria-label="{html.escape(description)}">{svg}</figure>')
        self.markdown.append(f"![{description}]({file})")

    def table(self, head, rows):
        cells = lambda row, tag: "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row)
        self.html.append(f'<div class="wide"><table><tr>{cells(head, "th")}</tr>'
                         + "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows) + "</table></div>")
        line = lambda row: "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
        self.markdown.append("\n".join([line(head), line(["---"] * len(head)), *map(line, rows)]))

    def files(self):
        page = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
                f'content="width=device-width, initial-scale=1"><title>{html.escape(self.title)}</title>'
                f'<link rel="icon" href="data:,"><style>{STYLE}</style></head><body>\n' + "\n".join(self.html)
                + "\n</body></html>\n")
        return {"index.html": page, "report.md": "\n\n".join(self.markdown) + "\n", **self.pictures}


def add_results(page, results, plots, prefix):
    programs = results.programs()
    context = dict(results.context)
    context["caches"] = ", ".join(context.get("caches", []))
    page.table(["what", "value"], [("run", f"{results.mode}, {results.threads} threads"), *context.items()])
    if results.interrupted:
        page.paragraph("The run was interrupted: programs are missing.")
    rows = general_words(programs)
    if rows:
        page.heading(3, "Which strategy to use where nothing is known")
        name, count, wins, mean, most = rows[0]
        page.paragraph(f"{name}: of {count} programs it is the fastest, or nearly so, in {wins}; it takes {mean} times as "
                       f"long as the fastest strategy of each program in the mean (geometric), {most} times at most.")
        page.table(["strategy", "programs", "fastest", "mean loss", "worst loss"], rows)
    peaks = {name: forms for name, forms in programs.items() if name.startswith("peak/")}
    if peaks:
        page.heading(3, "What this machine reaches")
        page.table(["what", "by", "median"], [(name[5:], form.name, form.text()) for name, forms in peaks.items()
                                              for form in forms])
    roofline = plots.roofline(programs)
    if roofline:
        page.heading(3, "Roofline")
        page.paragraph("The best form of each program of Lanefold, and what the machine can do: multiply-adds in registers, "
                       "and the speed at which memory is read. What lies above the slope works in caches.")
        page.picture(f"{prefix}roofline", roofline, "roofline")
    for family, by_size in families_of(programs).items():
        page.heading(3, f"{family} over sizes")
        page.picture(f"{prefix}{family}_sizes", plots.lines(f"size of {family}", by_size), f"{family} over sizes")
    for name, forms in programs.items():
        if name in peaks:
            continue
        page.heading(3, name)
        page.paragraph(words_of(forms))
        page.picture(prefix + name, plots.forms(forms), f"{name}: all forms; the star marks the fastest of Lanefold, the "
                     "dashed line the fastest other one")
        page.table(["form", "median", "quartiles", "samples"],
                   [(form.name + (" (Lanefold)" if form.ours else ""), form.text(),
                     " to ".join(f"{value:.4g}" for value in sorted(form.value(quantile(form.samples, q))
                                                                    for q in (0.25, 0.75))),
                     len(form.samples)) for form in forms])
    if results.missing:
        page.heading(3, "Not measured")
        page.table(["program", "why"], sorted({(m["program"], m["why"]) for m in results.missing}))


def add_threads(page, all_results, plots):
    """What was measured on one machine with several numbers of threads, over these."""
    machines = {}
    for results in all_results:
        machines.setdefault((results.context.get("processor", "unknown"), results.mode), {})[results.threads] = results.programs()
    for (processor, mode), by_threads in machines.items():
        common = [name for name in next(iter(by_threads.values())) if all(name in found for found in by_threads.values())]
        if len(by_threads) < 2 or not common:
            continue
        page.heading(2, f"{processor}, over threads ({mode})")
        for name in common:
            page.heading(3, name)
            description = f"{name} with {listed([str(threads) for threads in sorted(by_threads)], 'and')} threads"
            page.picture(f"threads_{name}", plots.lines("threads", {threads: found[name] for threads, found in
                                                                    by_threads.items()}), description)


def report(arguments):
    parser = argparse.ArgumentParser(prog="lanefold-bench report")
    parser.add_argument("results", nargs="+", metavar="RESULT.json")
    parser.add_argument("-o", dest="folder", required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    all_results = [Results(path) for path in options.results]
    plots = Plots()
    page = Page("Lanefold: how fast which strategy is here")
    page.paragraph("Bars are medians, their lines quartiles. Blue is Lanefold; the star marks its fastest form. Grey is what "
                   "it is compared with; the dashed line is the fastest of these, such as loops written by hand.")
    for number, results in enumerate(all_results):
        page.heading(2, f"{results.context.get('processor', 'unknown')}, {results.threads} threads"
                     + (f" ({results.path.name})" if len(all_results) > 1 else ""))
        add_results(page, results, plots, f"{number}_" if len(all_results) > 1 else "")
    add_threads(page, all_results, plots)
    folder = Path(options.folder)
    files = page.files()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():  # each is whole or not there; the page, which needs no other file, comes last
            (folder / (name + ".part")).write_text(text, encoding="utf-8")
        for name in reversed(files):
            (folder / (name + ".part")).replace(folder / name)
    except OSError as error:
        for name in files:
            try:
                (folder / (name + ".part")).unlink()
            except OSError:
                pass
        raise Refused(f"{folder}: the report cannot be written: {error.strerror}") from None
    print(folder / "index.html")
    return 0


def main():
    commands = {"report": report, "compare": compare}
    try:
        return commands[sys.argv[1]](sys.argv[2:])
    except Refused as refused:
        print(f"lanefold-bench: {refused}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
