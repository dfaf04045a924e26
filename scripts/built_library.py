# SPDX-License-Identifier: Apache-2.0
"""What the scripts share that compile other programs with the library: its headers, its archives, and commands with a limit."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Build options, and what programs need of them.
NEEDED = {"LANEFOLD_BOOST_FIBER": "-lboost_fiber", "LANEFOLD_BOOST_CONTEXT": "-lboost_context", "LANEFOLD_TBB": "-ltbb"}


def run(command, limit, folder=None, environment=None):
    """Returns the exit status and the output; the status is None if the command took too long."""
    # A session of its own: a compiler's driver has a process that would go on.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, start_new_session=True, cwd=folder, env=environment) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return None, ""
            raise


def must(command, limit=3600, folder=None, environment=None):
    """Returns the output of a command; ends the script if it fails or takes too long."""
    command = list(map(str, command))
    status, output = run(command, limit, folder, environment)
    if status != 0:
        sys.exit(f"{Path(sys.argv[0]).name}: {shlex.join(command)}\n{output[-4000:]}")
    return output


def first_error(status, output):
    """Returns why a compiler has failed, whose status and output these are: the first error, without the folders of files."""
    errors = re.findall(r"^.*error: .*$", output, re.M)
    why = "takes too long" if status is None else (errors or [output[-300:] or "crash"])[0]
    return re.sub(r"(?<!\S)/[^\s:]*/", "", " ".join(why.split()))[:200]


def newest(paths):
    """Returns the time at which the last of some files was changed."""
    return max((path.stat().st_mtime for path in paths if path.is_file()), default=0)


def time_of_headers():
    """Returns the time at which the last of the library's headers was changed."""
    return newest(path for top in includes() for path in top.rglob("*") if path.suffix in (".hpp", ".h", ".ipp"))


def includes():
    """Returns the folders of the library's headers."""
    return [ROOT / "include", *(path for top in ("simd", "modules", "gpu") for path in sorted((ROOT / top).rglob("include"))
                                if path.is_dir())]


def archives(build):
    """Returns the library's archives below a build folder; other archives there have a main() of their own. Ends the script
    where there are none."""
    found = sorted(path for part in ("simd", "modules", "gpu") for path in (build.resolve() / part).rglob("liblanefold_*.a"))
    if not found:
        script = Path(sys.argv[0]).name
        made_by = f"cmake --preset release -B {build} && cmake --build {build}"
        sys.exit(f"{script}: there are no libraries below {build}; build them: {made_by}")
    return found


def link_flags(build):
    """Returns what programs are linked with: the archives, and what these need."""
    cache = (build / "CMakeCache.txt").read_text()
    needed = [flag for option, flag in NEEDED.items() if re.search(rf"^{option}:BOOL=ON$", cache, re.M)]
    opencl = re.findall(r"^OpenCL_LIBRARY:FILEPATH=(.+(?<!-NOTFOUND))$", cache, re.M)
    return ["-Wl,--start-group", *map(str, archives(build)), "-Wl,--end-group", *needed, *opencl, "-lpthread", "-ldl"]
