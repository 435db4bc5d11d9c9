"""`./run cad`, with a stand-in for OpenSCAD."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from hardware.cad.__main__ import main
from hardware.cad.making import PARTS, NotMade, measure_stl
from tests.cad.meshes import open_edges, volume_cm3
from tests.cad.solids import box, write_stl
from tests.part_pictures import read_stl

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let OpenSCAD be a script that copies a box of 20 x 30 x 40 mm and keeps its arguments."""
    write_stl(tmp_path / "box.stl", box(20, 30, 40))
    script = tmp_path / "openscad"
    script.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/told"\ncp "{tmp_path}/box.stl" "$3"\n')
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("OPENSCAD", str(script))
    return script


@pytest.mark.usefixtures("stand_in")
def test_every_part_is_made_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each part has file, size, volume and mass; OpenSCAD gets the values."""
    assert main(["wall_mm=3", "--out", str(tmp_path / "out"), "can_length_mm=9"]) == 0
    said = capsys.readouterr().out.splitlines()
    for part, line in zip(PARTS, said, strict=False):
        assert line == (
            f"{tmp_path}/out/{part.name}.stl  20.0 x 30.0 x 40.0 mm, "
            "24.0 cm3 (30 g of PLA if solid)"
        )
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == sorted(
        f"{part.name}.stl" for part in PARTS
    )
    told = (tmp_path / "told").read_text().splitlines()
    assert all("-D wall_mm=3 " in line for line in told[:3])
    assert "-D can_length_mm=9 " in told[3]
    assert '-D part="hub"' in told[2]
    assert "wall_mm=3 " not in told[3]


@pytest.mark.usefixtures("stand_in")
def test_refused_values_make_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each fault, status 2, and no folder."""
    assert main(["panel_mm=6", "can_length_mm=5", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition("=")[0] for line in said] == ["cad: panel_mm", "cad: can_length_mm"]
    assert not (tmp_path / "out").exists()


def test_the_list_has_every_measure(capsys: pytest.CaptureFixture[str]) -> None:
    """--list tells defaults, limits and meanings."""
    assert main(["--list"]) == 0
    said = capsys.readouterr().out
    assert "  wall_mm=2.4  1.2 to 6\n    thickness of the outer wall\n" in said
    assert "  encoder_shape=square  square or round\n" in said


def test_a_missing_openscad_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says how to get it; a wrong OPENSCAD is named."""
    monkeypatch.delenv("OPENSCAD", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("cad: OpenSCAD is not installed; install it (Debian")
    assert said.count("\n") == 1
    monkeypatch.setenv("OPENSCAD", "/no/such")
    assert main(["--out", str(tmp_path)]) == 1
    assert "OPENSCAD=/no/such is not a program" in capsys.readouterr().err


def test_an_openscad_that_fails_is_told(
    stand_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its first line is passed on, and what was there stays."""
    stand_in.write_text("#!/bin/sh\necho 'ERROR: Assertion failed' >&2\necho more >&2\nexit 1\n")
    older = tmp_path / "out" / "idol_foot_body.stl"
    older.parent.mkdir()
    older.write_text("older")
    assert main(["--out", str(older.parent)]) == 1
    said = capsys.readouterr().err
    assert said == "cad: idol_foot_body: OpenSCAD failed: ERROR: Assertion failed\n"
    assert [each.read_text() for each in older.parent.iterdir()] == ["older"]


@pytest.mark.usefixtures("stand_in")
def test_a_folder_that_is_a_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be written is told in one line."""
    (tmp_path / "out").write_text("")
    assert main(["--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "cannot be written (File exists); choose another with --out" in said
    assert said.count("\n") == 1


def test_a_wrong_word_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown option gives no usage text."""
    with pytest.raises(SystemExit) as refused:
        main(["--fly"])
    assert refused.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "cad: unrecognized arguments: --fly; ./run cad --help says more"
    ]


def test_a_mesh_is_measured(tmp_path: Path) -> None:
    """A box has its sides and its volume; half a file and an empty mesh are none."""
    file = tmp_path / "box.stl"
    write_stl(file, box(20, 30, 40))
    solid = measure_stl(file)
    assert list(solid.size_mm) == [20, 30, 40]
    assert solid.volume_cm3 == pytest.approx(24)
    assert volume_cm3(read_stl(file)) == pytest.approx(24)
    assert open_edges(read_stl(file)) == 0
    whole = file.read_bytes()
    for broken in (whole[:-1], whole[:80] + bytes(4), b""):
        file.write_bytes(broken)
        with pytest.raises(NotMade, match=r"box\.stl: no mesh in it"):
            measure_stl(file)


@pytest.mark.usefixtures("stand_in")
def test_the_script_needs_no_package(tmp_path: Path) -> None:
    """./run cad works from anywhere without .venv; paths are the caller's."""
    done = subprocess.run(
        [str(ROOT / "run"), "cad", "--out", "made"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "OPENSCAD": os.environ["OPENSCAD"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made" / "tilt_bracket.stl").exists()
