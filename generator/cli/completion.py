"""`pnp completion`: show or install the script with which a shell completes commands, games and options."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from generator.base.files import display
from generator.cli.commands import PnpCommand
from generator.cli.output import print_result

VARIABLE = "_PNP_COMPLETE"
"""The environment variable by which a shell's script asks pnp for completions; click derives it from the name `pnp`."""

SHELLS = ("bash", "zsh", "fish", "powershell")
MARK = "# completion of pnp"
"""The comment after the line that pnp adds to a profile, so that its owner knows who added it."""


@click.command(
    "completion",
    cls=PnpCommand,
    prints_result=True,
    examples=("pnp completion install bash", "pnp completion show zsh > _pnp"),
)
@click.argument("action", type=click.Choice(["install", "show"]))
@click.argument("shell", type=click.Choice(SHELLS))
def command(action: str, shell: str) -> None:
    """Complete commands, games, designs and options in SHELL when you press Tab.

    `install` writes the script into the folder of your shell's completions. For zsh
    and PowerShell, it also adds a line to your shell's profile. Open a new terminal afterwards.
    """
    script = make_script(shell)
    if action == "show":
        print_result(script)
        return
    for path in install_script(shell, script, Path.home()):
        print_result(f"{display(path)} is written")
    print_result("Open a new terminal: Tab now completes pnp.")


def make_script(shell: str) -> str:
    """Return the script that gives a shell the completions of pnp."""
    from generator.cli import main

    complete = get_completion_class(shell)
    if complete is None:
        raise click.UsageError(f"click has no completion for {shell}")
    return complete(main, {}, "pnp", VARIABLE).source()


def install_script(shell: str, script: str, home: Path) -> list[Path]:
    """Write a shell's script, and the line in its profile if it needs one; return the changed files."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    # bash-completion and fish read these folders by themselves; zsh and PowerShell read no folder.
    script_file = {
        "bash": data / "bash-completion" / "completions" / "pnp",
        "fish": config / "fish" / "completions" / "pnp.fish",
        "zsh": data / "pnp" / "completion.zsh",
        "powershell": data / "pnp" / "completion.ps1",
    }[shell]
    script_file.parent.mkdir(parents=True, exist_ok=True)
    script_file.write_text(f"{script}\n", "utf-8")
    written = [script_file]
    profile = {"zsh": home / ".zshrc", "powershell": _powershell_profile(home, config)}.get(shell)
    if profile is not None:
        line = f'. "{script_file}"  {MARK}'
        # Bytes: a profile may have any encoding.
        content = profile.read_bytes() if profile.is_file() else b""
        if line.encode() not in content.splitlines():
            profile.parent.mkdir(parents=True, exist_ok=True)
            line_break = b"\n" if content and not content.endswith(b"\n") else b""
            profile.write_bytes(content + line_break + f"{line}\n".encode())
            written.append(profile)
    return written


def _powershell_profile(home: Path, config: Path) -> Path:
    """Return the profile of PowerShell 7 for the current user on this system."""
    folder = home / "Documents" / "PowerShell" if os.name == "nt" else config / "powershell"
    return folder / "profile.ps1"
