"""Test that the commands offer an output that was added as a module and a row of the table."""

import os
import subprocess
import sys
from pathlib import Path

from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
MODULE = """
from generator.export import WrittenFile

def write(project, outbox):
    names = [design.id for component in project.components for design in component.designs for _ in range(design.count)]
    path = outbox.write(f"{project.game.stem('list')}.txt", " ".join(names).encode())
    yield WrittenFile(path, "what lies in the box")
"""
ROW = """
import sys, types
from generator import export
sys.modules["generator.export.boxlist"] = __import__("boxlist")
export.EXPORTS = types.MappingProxyType({**export.EXPORTS, "boxlist": export.Export("a list of all pieces")})
"""


def test_new_exporter_is_built_and_listed_and_offered_in_help(tmp_path):
    def run_pnp(*args):
        path = os.pathsep.join([str(tmp_path), str(ROOT)])
        command = [sys.executable, "-m", "generator", *args]
        environment = {**os.environ, "PYTHONPATH": path}
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return result.stdout

    (tmp_path / "boxlist.py").write_text(MODULE)
    (tmp_path / "sitecustomize.py").write_text(ROW)
    make(tmp_path / "pack", table="id,count\nfox,2\nowl,1\n")
    output = run_pnp("build", "pack", "--what", "boxlist")
    assert output == "output/pack/pack-1-list.txt  what lies in the box\n"
    assert (tmp_path / output.split()[0]).read_text() == "fox fox owl"
    assert "boxlist" in run_pnp("build", "--help")
    assert "a list of all pieces (pnp build)" in run_pnp("list", "outputs")
