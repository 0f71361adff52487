"""The build of the engines: constants for C, what is compiled when, and what happens without a compiler."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hatch_build
from tests.build_trial import built_mini, copy_of_mini, importable

ROOT = Path(__file__).resolve().parent.parent


def test_constants_that_c_can_hold(tmp_path: Path) -> None:
    source = copy_of_mini(tmp_path)
    found = hatch_build.constants_of(source / "mini" / "constants.py", source)
    assert found["CARDS"] == 20
    assert found["LEAST"] == -3
    assert found["MASK64"] == 2**64 - 1
    assert found["VALUE"] == tuple(card % 10 for card in range(20))
    assert not {"TITLE", "GENTLE", "NAMES", "EMPTY", "HUGE", "seldom", "__name__"} & set(found)


def test_constants_as_c_declarations(tmp_path: Path) -> None:
    source = copy_of_mini(tmp_path)
    text = hatch_build.constants_pxd(source / "mini" / "constants.py", source)
    assert "cdef enum:\n" in text
    assert "    LEAST = -3\n" in text
    assert '    const unsigned long long MASK64 "0xffffffffffffffffULL"\n' in text
    assert "    static const int mini_VALUE[20] = {0, 1, 2," in text
    assert '    const int VALUE "mini_VALUE"[20]\n' in text


def test_broken_constants_are_reported(tmp_path: Path) -> None:
    source = copy_of_mini(tmp_path)
    (source / "mini" / "cards.py").write_text("CARD_VALUES = 1 / 0\n")
    with pytest.raises(hatch_build.PureBuild, match=r"constants\.py cannot be read(.|\n)*ZeroDivisionError"):
        hatch_build.constants_of(source / "mini" / "constants.py", source)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("from g.constants import A, B\nx = A\n", "\nx = A\n"),
        ("from g.constants import A, name\nx = A\n", "from g.constants import name\nx = A\n"),
        (
            "from g.constants import (\n    A,\n    name,\n    B,\n)\nx = A\n",
            "from g.constants import name\n\n\n\n\nx = A\n",
        ),
        ("from g.constants import A as C\n", "from g.constants import A as C\n"),
        ("from h.constants import A\n", "from h.constants import A\n"),
        ("def f():\n    from g.constants import A\n", "def f():\n    from g.constants import A\n"),
    ],
)
def test_c_constants_are_struck_from_imports_line_by_line(text: str, left: str) -> None:
    assert hatch_build.strike_constants(text, {"g.constants": {"A", "B"}}) == left


def test_what_is_up_to_date_is_not_built_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = built_mini(tmp_path_factory)
    before = {path: path.stat().st_mtime_ns for path in source.rglob("*.*")}
    again = hatch_build.build(source, source=source, work=source.parent / "mini-work")
    assert not again.fresh
    assert {path.name.partition(".")[0] for path in again.extensions} == {"engine", "playouts"}
    assert {path: path.stat().st_mtime_ns for path in source.rglob("*.*")} == before
    assert str(again) == "Fabletop: the compiled engines are up to date"


def test_every_input_counts(tmp_path: Path) -> None:
    source = copy_of_mini(tmp_path)
    hatch_build.write_constants(source)
    engine = source / "mini" / "engine.py"

    def digest(*flags: str) -> str:
        hatch_build.write_constants(source)
        return hatch_build.digest_of(engine, source, flags)

    seen = [digest(), digest("-g")]
    engine.write_text(engine.read_text() + "\n")
    seen.append(digest())
    pxd = source / "mini" / "engine.pxd"
    pxd.write_text(pxd.read_text() + "\n")
    seen.append(digest())
    cards = source / "mini" / "cards.py"  # changes what constants.py computes
    cards.write_text(cards.read_text().replace("20", "21"))
    seen.append(digest())
    assert len(set(seen)) == len(seen)
    (source / "mini" / "view.py").write_text("x = 1\n")
    assert digest() == seen[-1]


def test_another_target_is_a_package_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    source = copy_of_mini(tmp_path)
    built = hatch_build.build(tmp_path / "out", ["-O0"], source=source, work=tmp_path / "work")
    if built.reason:
        pytest.skip(built.reason)
    assert not list(source.rglob("*.digest"))
    assert all(path.is_relative_to(tmp_path / "out") for path in built.extensions)
    with importable(tmp_path / "out"):
        import mini.engine  # type: ignore[import-not-found]

        assert mini.engine.COMPILED


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("FABLETOP_PURE", raising=False)


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler there is not looked for on PATH")
@pytest.mark.usefixtures("without_compiler")
def test_without_a_compiler_the_build_says_so_and_leaves_nothing_stale(tmp_path: Path) -> None:
    source = copy_of_mini(tmp_path)
    stale = hatch_build.extension_path(source / "mini" / "engine.py", source, source)
    stale.write_bytes(b"made from older sources")
    built = hatch_build.build(source, source=source, work=tmp_path / "work")
    assert str(built) == "Fabletop: interpreted engines (no C compiler found)"
    assert not built.extensions
    assert not stale.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler there is not looked for on PATH")
@pytest.mark.usefixtures("without_compiler")
def test_in_ci_a_missing_compiler_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    source = copy_of_mini(tmp_path)
    with pytest.raises(hatch_build.PureBuild, match="no C compiler found"):
        hatch_build.build(source, source=source, work=tmp_path / "work")


def test_pure_on_request_touches_no_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABLETOP_PURE", "1")
    source = copy_of_mini(tmp_path)
    there = hatch_build.extension_path(source / "mini" / "engine.py", source, source)
    there.write_bytes(b"compiled")
    built = hatch_build.build(source, source=source, work=tmp_path / "work")
    assert str(built) == "Fabletop: interpreted engines (FABLETOP_PURE is set)"
    assert there.exists()


def test_one_broken_engine_does_not_spoil_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    source = tmp_path / "src"
    for name, text in {"good": "X = 1\n", "bad": "def f(:\n"}.items():
        (source / name).mkdir(parents=True)
        (source / name / "__init__.py").touch()
        (source / name / "engine.py").write_text(text)
        (source / name / "engine.pxd").touch()
    built = hatch_build.build(source, ["-O0"], source=source, work=tmp_path / "work")
    if "no C compiler" in built.reason or "FABLETOP_PURE" in built.reason:
        pytest.skip(built.reason)
    assert [path.parent.name for path in built.extensions] == ["good"]
    assert str(built).startswith(
        "Fabletop: compiled good; interpreted engines (bad: Cython refused the source"
    )
    assert "bad/engine.py:1" in "".join(capfd.readouterr())


@pytest.mark.parametrize("pure", ["0", "1"])
def test_a_wheel_holds_the_package(tmp_path: Path, pure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built in the checkout itself: what is compiled already goes in as it is."""
    monkeypatch.setenv("FABLETOP_PURE", pure)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert sources <= names
    assert "fabletop/py.typed" in names
    assert not [name for name in names if name.endswith(".digest")]
    extensions = {name for name in names if name.endswith((".so", ".pyd"))}
    there = hatch_build.build().extensions if pure == "0" else ()
    assert extensions == {path.relative_to(ROOT / "src").as_posix() for path in there}
    assert wheel.name.endswith("py3-none-any.whl") == (not extensions)


def unreachable_registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stale client, and an npm that fails as it does without its registry."""
    builder = hatch_build.client_builder()
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 7\n")
    npm.chmod(0o755)
    monkeypatch.setattr(builder, "NOTE", tmp_path / "none.digest")
    monkeypatch.setattr(builder, "WEB", tmp_path)
    monkeypatch.setattr(builder, "find_node", lambda: builder.Node(npm, (str(npm),)))
    (tmp_path / "package-lock.json").touch()
    monkeypatch.setattr(hatch_build, "client_builder", lambda: builder)


def test_without_npms_registry_the_package_has_no_client_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unreachable_registry(monkeypatch, tmp_path)
    monkeypatch.delenv("CI", raising=False)
    said = hatch_build.build_client()
    assert said.startswith("no browser client in this package, the rest is there: npm could not get the pack")
    assert said.endswith("python web/build.py")


def test_without_npms_registry_ci_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unreachable_registry(monkeypatch, tmp_path)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Exception, match="exit code 7"):
        hatch_build.build_client()


def test_the_source_package_holds_the_built_client_and_what_the_tests_need(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {".ci/run", "hatch_build.py", "web/package-lock.json"} <= names
    there = ROOT / "src" / "fabletop" / "server" / "static.digest"
    built = {"src/fabletop/server/static/index.html", "src/fabletop/server/static.digest"}
    assert built & names == (built if there.exists() else set())
    assert [name for name in names if name.endswith(".digest")] == [
        "src/fabletop/server/static.digest"
    ] * there.exists()
