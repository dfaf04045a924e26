#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lanefold-bench as users call it, with the programs of tiny_programs.cpp. First argument: the program."""

import html
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
VOID = {"meta", "link", "br", "path", "use", "rect"}


class OpenTags(html.parser.HTMLParser):
    """Finds tags that are not closed, and what is loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.loads, self.ids = [], [], []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        self.loads += [value for name, value in attributes
                       if name in ("src", "href", "xlink:href") and not value.startswith(("#", "data:"))]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, tag


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A run of everything, which several tests use."""
        cls.everything = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.everything.cleanup)
        cls.result = Path(cls.everything.name) / "all.json"
        subprocess.run([PROGRAM, "run", "--threads", "3", "-o", cls.result], check=True, capture_output=True, timeout=60)

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.folder = Path(self.home.name)
        self.addCleanup(self.home.cleanup)

    def call(self, *arguments, status=0, **variables):
        """Standard output, after a look at the exit status."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, timeout=60,
                              env={**os.environ, **variables}, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.errors = done.stderr
        return done.stdout

    def refused(self, *arguments, says, **variables):
        """One line, exit status 2, and no new file."""
        before = sorted(self.folder.rglob("*"))
        self.call(*arguments, status=2, **variables)
        self.assertEqual(self.errors.count("\n"), 1, self.errors)
        self.assertTrue(self.errors.startswith("lanefold-bench: "), self.errors)
        self.assertIn(says, self.errors)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def copy_with(self, name, of, **changes):
        data = json.loads((self.folder / of).read_text())
        data.update(changes)
        (self.folder / name).write_text(json.dumps(data))

    def synthetic(self, name, seconds, ours=True, **more):
        entry = {"program": "p", "form": "f", "ours": ours, "unit": "us", "scale": 1e6, "flops": 0, "bytes": 0,
                 "seconds": seconds}
        data = {"lanefold_bench": 1, "mode": "quick", "threads": 2, "context": {"processor": "x"}, "results": [entry], **more}
        (self.folder / name).write_text(json.dumps(data))

    # ---- list and run

    def test_list(self):
        self.assertEqual(self.call("list", "sum/256").splitlines(), ["sum/256/scalar", "sum/256/1x16 lanes",
                                                                     "sum/256/by hand"])
        self.assertIn("peak/read/loads", self.call("list"))

    def test_run(self):
        data = json.loads(self.result.read_text())
        self.assertEqual([r["form"] for r in data["results"]],
                         ["registers", "loads", *["scalar", "1x16 lanes", "by hand"] * 2])
        self.assertEqual([r["ours"] for r in data["results"]], [False, False, *[True, True, False] * 2])
        self.assertEqual((data["mode"], data["threads"], data["interrupted"]), ("quick", 3, False))
        for result in data["results"]:
            self.assertGreaterEqual(len(result["seconds"]), 5)
        self.assertGreater(min(data["results"][2]["seconds"]), 4 * 256e-6)
        for key in ("commit", "compiler", "flags", "libraries", "processor", "caches", "governor", "hardware threads"):
            self.assertTrue(data["context"][key], key)
        self.assertEqual(data["missing"][0]["why"], "it is not there")
        self.assertEqual([p.name for p in self.result.parent.iterdir()], ["all.json"])

    def test_wrong_results(self):
        self.call("run", "wrong|peak/read", "-o", "r.json", status=1, LANEFOLD_TINY_WRONG="1")
        data = json.loads((self.folder / "r.json").read_text())
        self.assertIn("item 3 is wrong", data["missing"][0]["why"])
        self.assertEqual(len(data["results"]), 1)

    def test_interrupt_keeps_what_was_measured(self):
        with subprocess.Popen([PROGRAM, "run", "sum", "-o", "r.json"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            self.assertIn("sum/256/scalar", process.stdout.readline())
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        data = json.loads((self.folder / "r.json").read_text())
        self.assertTrue(data["interrupted"])
        self.assertIn(len(data["results"]), (1, 2))

    def test_bad_arguments(self):
        self.refused("run", "nonsense", says='nothing contains "nonsense"')
        self.refused("list", "nonsense", says="lanefold-bench list says what there is")
        self.refused("run", "(", says="no regular expression")
        self.refused("run", "--threads", "0", says="--threads takes a number")
        self.refused("run", "--threads", says="--threads takes a value")
        self.refused("run", "peak", "sum", says="unknown argument sum")
        self.refused("walk", says="unknown command walk")
        self.refused("run", "peak/read", "-o", "nowhere/r.json", says="No such file or directory")
        self.refused("run", "peak/read", "-o", ".", says="is a folder")

    # ---- compare

    def test_compare(self):
        ours = [r for r in json.loads(self.result.read_text())["results"] if r["program"] == "sum/256" and r["ours"]]
        for result in ours:  # so much that no noise of a busy machine hides it
            result["seconds"] = [1000 * s for s in result["seconds"]]
        self.copy_with("slow.json", self.result, results=ours)
        self.assertIn("0 slower, 0 faster, 8 same", self.call("compare", self.result, self.result))
        text = self.call("compare", self.result, "slow.json", status=1)
        self.assertIn("slower  sum/256/scalar: ", text)
        self.assertIn("2 slower, 0 faster, 0 same", text)
        self.assertIn("only in slow.json: 0", text)
        self.assertIn("0 slower, 2 faster", self.call("compare", "slow.json", self.result))

    def test_compare_knows_noise(self):
        steady = [1 + 0.001 * i for i in range(9)]
        self.synthetic("a.json", steady)
        self.synthetic("little.json", [1.02 * s for s in steady])  # certain, but below the threshold
        self.assertIn("1 same", self.call("compare", "a.json", "little.json"))
        self.call("compare", "a.json", "little.json", "--threshold", "1", status=1)
        self.synthetic("noisy.json", [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5])  # much, but not certain
        self.assertIn("1 same", self.call("compare", "a.json", "noisy.json"))
        self.synthetic("peer_a.json", steady, ours=False)
        self.synthetic("peer_b.json", [2 * s for s in steady], ours=False)
        self.assertIn("1 slower", self.call("compare", "peer_a.json", "peer_b.json"))  # no regression of ours

    def test_compare_knows_rounds(self):
        def rounds(name, *medians):  # three samples a round, which agree among each other
            seconds = [m * (1 + 0.001 * i) for m in medians for i in range(3)]
            self.synthetic(name, seconds)
            data = json.loads((self.folder / name).read_text())
            data["results"][0]["rounds"] = [3] * len(medians)
            (self.folder / name).write_text(json.dumps(data))
        rounds("a.json", 1.0, 1.01, 1.02, 1.01, 1.3)
        rounds("b.json", 1.2, 1.21, 1.22, 1.21, 1.2)  # other samples, but one round of the old run was as slow
        self.assertIn("1 same", self.call("compare", "a.json", "b.json"))
        rounds("c.json", 1.0, 1.01, 1.02, 1.01, 1.03)
        self.assertIn("1 slower", self.call("compare", "c.json", "b.json", status=1))
        self.assertIn("1 faster", self.call("compare", "b.json", "c.json"))
        self.copy_with("bad.json", "a.json", results=[
            {**json.loads((self.folder / "a.json").read_text())["results"][0], "rounds": [0]}])
        self.refused("compare", "a.json", "bad.json", says="that was changed")

    def test_compare_knows_the_machine(self):
        def pair(name, ours, other):
            self.synthetic(name, [ours * (1 + 0.001 * i) for i in range(9)])
            data = json.loads((self.folder / name).read_text())
            entry = data["results"][0]
            data["results"].append({**entry, "form": "by hand", "ours": False,
                                    "seconds": [other * (1 + 0.001 * i) for i in range(9)]})
            (self.folder / name).write_text(json.dumps(data))
        pair("a.json", 1, 2)
        pair("slow_machine.json", 1.3, 2.6)
        self.assertIn("1 slower, 0 faster, 1 same", self.call("compare", "a.json", "slow_machine.json"))  # not ours
        pair("slow.json", 1.3, 2)
        self.assertIn("1 slower, 0 faster, 1 same", self.call("compare", "a.json", "slow.json", status=1))

    def test_compare_refuses(self):
        self.synthetic("a.json", [1, 2, 3])
        self.synthetic("full.json", [1, 2, 3], mode="full")
        self.copy_with("other.json", "a.json", results=[
            {**json.loads((self.folder / "a.json").read_text())["results"][0], "program": "q"}])
        self.refused("compare", "a.json", "full.json", says="they cannot be compared")
        self.refused("compare", "a.json", "other.json", says="no program in common")
        self.refused("compare", "a.json", "missing.json", says="missing.json: No such file or directory")

    def test_foreign_files(self):
        self.synthetic("good.json", [1, 2, 3])
        for name, text, says in (("text.json", "hello", "this is no JSON"), ("list.json", "[1]", "no result of this"),
                                 ("google.json", '{"context": {}, "benchmarks": []}', "no result of this")):
            (self.folder / name).write_text(text)
            self.refused("compare", "good.json", name, says=says)
            self.refused("report", name, "-o", "out", says=says)
        for seconds in ([], ["1"], [0], [-1], [float("nan")], None):
            self.synthetic("bad.json", seconds)
            self.refused("compare", "good.json", "bad.json", says="that was changed")
        self.synthetic("empty.json", [1], results=[])
        self.refused("compare", "good.json", "empty.json", says="there is no result in it")

    # ---- report

    def test_report_needs_matplotlib(self):
        self.synthetic("a.json", [1, 2, 3])
        (self.folder / "absent").mkdir()
        (self.folder / "absent" / "matplotlib.py").write_text("raise ImportError\n")
        self.refused("report", "a.json", "-o", "out", says="report needs matplotlib", PYTHONPATH=str(self.folder / "absent"),
                     PYTHONDONTWRITEBYTECODE="1")

    def test_report(self):
        done = subprocess.run([PROGRAM, "report", self.result, "-o", "out/report"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if "needs matplotlib" in done.stderr:
            self.skipTest("there is no matplotlib")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "out/report/index.html").read_text()
        tags = OpenTags()
        tags.feed(page)
        self.assertEqual((tags.open, tags.loads), ([], []))
        self.assertEqual(len(tags.ids), len(set(tags.ids)), "ids of figures are the same")
        for part in ("Use 1x16 lanes: ", "scalar takes ", "Roofline", "sum over sizes", "the fastest other one, by hand.",
                     "it is not there"):
            self.assertIn(part, page)
        markdown = (self.folder / "out/report/report.md").read_text()
        for line in markdown.splitlines():
            if line.startswith("!["):
                self.assertTrue((self.folder / "out/report" / line[line.index("](") + 2 : -1]).exists(), line)
        self.assertEqual(list(self.folder.rglob("*.part")), [])
        # Two results in one report, and a folder that is a file.
        self.call("report", self.result, self.result, "-o", "both")
        self.assertNotIn("over threads", (self.folder / "both/report.md").read_text())
        # The same machine with other threads: lines over these.
        self.copy_with("one.json", self.result, threads=1)
        self.call("report", self.result, "one.json", "-o", "threads")
        self.assertIn("over threads (quick)", (self.folder / "threads/report.md").read_text())
        self.assertIn("sum/256 with 1 and 3 threads", (self.folder / "threads/index.html").read_text())
        (self.folder / "file").touch()
        self.refused("report", self.result, "-o", "file", says="cannot be written")

    def test_report_in_a_browser(self):
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser is None:
            self.skipTest("there is no Chromium (scripts/install-deps browser)")
        done = subprocess.run([PROGRAM, "report", self.result, "-o", "out"], cwd=self.folder, text=True, capture_output=True,
                              check=False)
        if "needs matplotlib" in done.stderr:
            self.skipTest("there is no matplotlib")
        pages = os.environ.get("LANEFOLD_BENCH_SCREENSHOTS")  # a folder for who wants to look at them
        shots = Path(pages) if pages else self.folder
        page = (self.folder / "out/index.html").read_text()

        def visit(address, *more):
            seen = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                                   "--disable-dev-shm-usage", f"--user-data-dir={self.folder / 'profile'}",
                                   "--enable-logging=stderr", *more, address.as_uri()], text=True, capture_output=True,
                                  timeout=60, check=True, env={**os.environ, "HOME": str(self.folder)})
            self.assertNotIn("CONSOLE", seen.stderr)
            return seen.stdout

        for name, width in (("phone", 390), ("desktop", 1280)):
            # In a frame: a window of the browser is never as narrow as a phone.
            framed = self.folder / f"{name}.html"
            framed.write_text(f"""<!DOCTYPE html><html><body style="margin:0"><iframe id="f" srcdoc="{html.escape(page)}"
              style="border:0;width:{width}px;height:4000px"></iframe><p id="widths"></p><script>onload = () => {{
              const d = document.getElementById("f").contentDocument;
              const wide = [...d.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().right > {width}).length;
              document.getElementById("widths").textContent = `${{d.documentElement.scrollWidth}} ${{wide}} ${{
              d.querySelectorAll("svg").length > 0}}`; }};</script></body></html>""")
            self.assertEqual(re.findall(r'id="widths">(.*?)</p>', visit(framed, "--dump-dom")), [f"{width} 0 true"])
            visit(framed, f"--window-size={max(width, 500)},4000", f"--screenshot={shots / name}.png")
            self.assertGreater((shots / f"{name}.png").stat().st_size, 10000)
        # A page with a fault is found: this test can fail.
        (self.folder / "bad.html").write_text("<script>throw new Error('fault')</script>")
        with self.assertRaises(AssertionError):
            visit(self.folder / "bad.html", "--dump-dom")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
