"""Install pnp as people do, and print a game with it.

    python .ci/install.py [--bare] [WAY…]

Each way gets a new, empty home folder. `readme` runs the README's commands in a clean checkout;
`pip`, `pipx`, `uv-tool` and `uvx` install a wheel of this tree; `read-only` installs it without
bytecode into folders that cannot be written. Without a WAY, all of them. Each way must build
Hoses and Hydrants, and prints its number of files and its times.

`--bare` (Linux, as root) does so as another user, in a mount namespace without fonts and without
the parts of compilers. Needs Python 3.11 or newer, git, and the package index.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAME = "hoses-and-hydrants"
IS_WINDOWS = os.name == "nt"
NOBODY = 65534
"""The user and the group that own nothing, on every Linux."""
HIDDEN = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts"),
    *("/usr/lib/gcc", "/usr/libexec/gcc", "/usr/lib/llvm", "/usr/include"),
)
"""Folders that `--bare` covers with empty ones: a compiler without them compiles nothing."""
KEPT = re.compile(
    r"PATH(EXT)?|LANG|(PIP|UV|SSL|REQUESTS|CURL)_.*|.*_PROXY|"
    r"SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PROGRAM.*|PSMODULEPATH|PROCESSOR_.*|NUMBER_OF_PROCESSORS",
    re.IGNORECASE,
)
"""The variables that a new user has, too: where programs, certificates and the network are."""


def run(words: list[str], folder: Path, env: Mapping[str, str]) -> str:
    """Run a command in a folder and return what it prints; end with all of it if it fails."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}exit code {done.returncode}")
    return done.stdout


class Newcomer:
    """A user with an empty home folder and no variables of their own."""

    def __init__(self, work: Path, way: str) -> None:
        self.way = way
        self.home = work / way
        self.home.mkdir()
        kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
        homes = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "TMPDIR")
        self.env = kept | dict.fromkeys(homes, str(self.home)) | {"PYTHONUTF8": "1"}
        self.wheel = next((work / "dist").glob("*.whl"))
        self.checkout = work / "checkout"

    def run(self, *words: object) -> str:
        """Run a command in the home folder and return what it prints."""
        return run([str(word) for word in words], self.home, self.env)

    def make_venv(self, name: str, *packages: object, options: tuple[str, ...] = ()) -> Path:
        """Make a virtual environment with packages, and return the folder of its commands."""
        self.run(sys.executable, "-m", "venv", self.home / name)
        bin_folder = self.home / name / ("Scripts" if IS_WINDOWS else "bin")
        self.run(bin_folder / "python", "-m", "pip", "install", "-q", *options, *packages)
        return bin_folder


def install_by_readme(user: Newcomer) -> list[str]:
    """Return the README's commands for this system, which also build the game."""
    shell = "powershell" if IS_WINDOWS else "sh"
    text = (user.checkout / "README.md").read_text("utf-8")
    (body,) = re.findall(rf"^```{shell}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[:1]
    shutil.copytree(user.checkout, user.home / "pnp")
    if IS_WINDOWS:
        # The launcher `py` would take the newest Python.
        user.env["PY_PYTHON"] = f"{sys.version_info.major}.{sys.version_info.minor}"
        # PowerShell goes on after a command that fails, so its exit code is asked for at the end.
        script = f"cd pnp\n{body}\nexit $LASTEXITCODE\n"
        return ["powershell", "-NoProfile", "-Command", script]
    return ["sh", "-euc", f"cd pnp\n{body}"]


def install_with_pip(user: Newcomer) -> list[str]:
    return [str(user.make_venv("venv", user.wheel) / "pnp"), "build", GAME]


def install_read_only(user: Newcomer) -> list[str]:
    """Install without bytecode, and take away the right to write any."""
    bin_folder = user.make_venv("venv", user.wheel, options=("--no-compile",))
    site = next(user.home.glob("venv/lib/*/site-packages"))
    for cached in site.glob("generator/**/__pycache__"):
        shutil.rmtree(cached)
    for path in (site, *site.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    return [str(bin_folder / "pnp"), "build", GAME]


def install_with_pipx(user: Newcomer) -> list[str]:
    tools = user.make_venv("tools", "pipx")
    user.env["PIPX_HOME"] = str(user.home / "pipx")
    user.env["PIPX_BIN_DIR"] = str(user.home / "bin")
    user.run(tools / "pipx", "install", "-q", user.wheel)
    return [str(user.home / "bin" / "pnp"), "build", GAME]


def install_with_uv(user: Newcomer) -> list[str]:
    tools = user.make_venv("tools", "uv")
    user.env["UV_TOOL_BIN_DIR"] = str(user.home / "bin")
    user.run(tools / "uv", "tool", "install", "-q", "-p", sys.executable, user.wheel)
    return [str(user.home / "bin" / "pnp"), "build", GAME]


def run_with_uvx(user: Newcomer) -> list[str]:
    """Return the command that installs and builds in one; the index is not asked for pnp itself."""
    uvx = user.make_venv("tools", "uv") / "uvx"
    return [
        str(uvx),
        "-q",
        "-p",
        sys.executable,
        "--from",
        str(user.wheel),
        "pnp-generator",
        "build",
        GAME,
    ]


WAYS: Mapping[str, Callable[[Newcomer], list[str]]] = {
    "readme": install_by_readme,
    "pip": install_with_pip,
    "pipx": install_with_pipx,
    "uv-tool": install_with_uv,
    "uvx": run_with_uvx,
    "read-only": install_read_only,
}


def try_way(work: Path, way: str) -> None:
    """Install and build in one way, and print what came of it."""
    user = Newcomer(work, way)
    begun = time.perf_counter()
    command = WAYS[way](user)
    installed = time.perf_counter()
    printed = run(command, user.home, user.env)
    built = time.perf_counter()
    (folder,) = user.home.rglob(f"output/{GAME}")
    files = [path for path in folder.rglob("*") if path.is_file()]
    sheets = [path.name for path in files if "-sheets-" in path.name]
    if len(sheets) != 2 or printed.count("56 pieces on 2 sheets") != 2:
        raise SystemExit(f"{way}: expected 56 pieces on 2 sheets for A4 and for Letter\n{printed}")
    size = sum(path.stat().st_size for path in files) / 1e6
    print(
        f"{way}: {len(files)} files of {size:.1f} MB;"
        f" installed in {installed - begun:.0f} s, then built in {built - installed:.0f} s",
        flush=True,
    )


def prepare(work: Path) -> None:
    """Put a clean checkout of the last commit and a wheel of it into the working folder."""
    run(
        ["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(work / "checkout")],
        ROOT,
        os.environ,
    )
    words = [sys.executable, "-m", "venv", str(work / "builder")]
    run(words, ROOT, os.environ)
    python = str(work / "builder" / ("Scripts" if IS_WINDOWS else "bin") / "python")
    words = [python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(work / "dist")]
    run([*words, str(work / "checkout")], ROOT, os.environ)


def run_bare(work: Path, ways: list[str]) -> None:
    """Run this program as nobody, where folders of fonts and compilers are empty."""
    for path in (work, *work.rglob("*")):
        if not path.is_symlink():
            os.chown(path, NOBODY, NOBODY)
    script = shutil.copy(__file__, work / "install.py")
    mounts = [f"mount -t tmpfs none {path}" for path in HIDDEN if Path(path).is_dir()]
    as_nobody = f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --no-new-privs"
    words = [sys.executable, str(script), "--work", str(work), *ways]
    inside = "; ".join(("set -e", *mounts, f'exec {as_nobody} "$@"'))
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", inside, "sh", *words], cwd="/", check=False
    )
    if done.returncode:
        raise SystemExit(done.returncode)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    args = parser.parse_args()
    if unknown := set(args.ways) - set(WAYS):
        parser.error(f"unknown ways: {', '.join(sorted(unknown))}")
    # Windows and root are not stopped by read-only folders.
    is_stopped = not IS_WINDOWS and (args.bare or os.geteuid() != 0)
    ways = args.ways or [way for way in WAYS if way != "read-only" or is_stopped]
    if args.work:
        for way in ways:
            try_way(args.work, way)
        return
    with tempfile.TemporaryDirectory(prefix="pnp-install-", ignore_cleanup_errors=True) as name:
        work = Path(name)
        prepare(work)
        if args.bare:
            run_bare(work, ways)
            return
        for way in ways:
            try_way(work, way)


if __name__ == "__main__":
    main()
