"""The files of deploy/ fit the program: command lines, extras, folders, and units that systemd accepts."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from fabletop.cli import parser
from fabletop.core.files import data_folder
from fabletop.server.command import settings_of
from fabletop.server.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
PROGRAM = "/opt/fabletop/bin/fabletop"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?:(?P<how>:-|:\?)(?P<more>[^}]*))?\}")


def dockerfile():
    """The instructions of the Dockerfile, as pairs of keyword and text."""
    text = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(maxsplit=1)) for line in lines]


def entrypoint():
    (text,) = [text for keyword, text in dockerfile() if keyword == "ENTRYPOINT"]
    return json.loads(text)


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def unit():
    """The systemd unit: section, name and value of every directive."""
    found, section = [], ""
    for line in (DEPLOY / "fabletop.service").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, equals, value = line.partition("=")
            assert equals, line
            found.append((section, name, value))
    return found


def values(name):
    return [value for _, found, value in unit() if found == name]


def filled(text, environment):
    """A text with its variables filled in, as compose and systemd do it."""

    def fill(found):
        assert found["how"] == ":-" or found["name"] in environment, f"{found[0]} has no value"
        return environment.get(found["name"]) or found["more"]

    return VARIABLE.sub(fill, text)


def taken(command):
    """What the program makes of a command line."""
    assert command[0] == PROGRAM
    return settings_of(parser().parse_args(command[1:]))


# ---- the container --------------------------------------------------------------------------------------------------


def test_the_image_installs_extras_that_there_are_and_all_that_a_server_can_use():
    (extras,) = re.findall(r'"/source\[([\w,-]+)\]"', " ".join(text for _, text in dockerfile()))
    assert set(extras.split(",")) == {"postgres", "push"}
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])


def test_the_image_has_a_python_that_will_do_and_runs_nothing_as_root():
    instructions = dockerfile()
    lowest = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    for keyword, text in instructions:
        if keyword == "FROM":
            version = re.match(r"python:(\d+)\.(\d+)-slim", text)
            assert (int(version[1]), int(version[2])) >= lowest
    keywords = [keyword for keyword, _ in instructions]
    assert "USER" in keywords[len(keywords) - keywords[::-1].index("FROM") :]


def test_the_container_listens_where_it_is_looked_for(monkeypatch):
    instructions = dict(dockerfile())
    settings = taken(entrypoint())
    assert settings.host == "0.0.0.0"
    assert instructions["EXPOSE"] == str(settings.port)
    assert f"127.0.0.1:{settings.port}/readyz" in instructions["HEALTHCHECK"]
    _, equals, home = instructions["ENV"].partition("XDG_DATA_HOME=")
    assert equals
    monkeypatch.setenv("XDG_DATA_HOME", home)
    assert str(data_folder()) == instructions["VOLUME"]


# ---- compose --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("public", ["", "https://tables.example.org"])
def test_compose_gives_the_server_what_it_needs(monkeypatch, public):
    service = compose()["services"]["fabletop"]
    given = {"FABLETOP_PASSWORD": "word", "FABLETOP_PUBLIC": public}
    for name, value in service["environment"].items():
        monkeypatch.setenv(name, filled(value, given))
    command = [*entrypoint(), *(filled(part, given) for part in service["command"])]
    settings = taken(command)
    assert settings.public == (public or "http://localhost:8000")
    assert settings.database == "postgresql://fabletop:word@postgres/fabletop"
    assert parser().parse_args(command[1:]).workers == 2
    assert service["ports"] == [f"127.0.0.1:{settings.port}:{settings.port}"]


def test_what_compose_names_is_there():
    found = compose()
    assert (DEPLOY / found["services"]["fabletop"]["build"]["context"] / "pyproject.toml").exists()
    assert (ROOT / found["services"]["fabletop"]["build"]["dockerfile"]).exists()
    for service in found["services"].values():
        assert set(service.get("depends_on", ())) <= set(found["services"])
        for needed in service.get("depends_on", ()):
            assert "healthcheck" in found["services"][needed]
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in found["volumes"]
    volumes = [text.partition(":")[2] for text in found["services"]["fabletop"]["volumes"]]
    assert volumes == [dict(dockerfile())["VOLUME"]]


@pytest.mark.parametrize("variable", ["FABLETOP_PASSWORD", "FABLETOP_PUBLIC"])
def test_the_variables_of_compose_are_explained(variable):
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert re.search(rf"^#   {variable} ", text, re.MULTILINE)
    assert {found["name"] for found in VARIABLE.finditer(text)} == {"FABLETOP_PASSWORD", "FABLETOP_PUBLIC"}


# ---- systemd --------------------------------------------------------------------------------------------------------


def test_the_unit_starts_a_server_that_people_can_reach(monkeypatch):
    environment = dict(value.split("=", 1) for value in values("Environment"))
    (command,) = values("ExecStart")
    settings = taken(shlex.split(filled(command, environment)))
    assert (settings.host, settings.port, settings.behind_proxy) == ("127.0.0.1", 8000, True)
    assert settings.public == environment["FABLETOP_PUBLIC"] == "http://localhost:8000"
    monkeypatch.setenv("XDG_DATA_HOME", environment["XDG_DATA_HOME"])
    assert values("StateDirectory") == [data_folder().relative_to("/var/lib").as_posix()]


def test_the_unit_is_whole_and_fits_the_limits_of_the_server():
    sections = [section for section, _, _ in unit()]
    assert list(dict.fromkeys(sections)) == ["Unit", "Service", "Install"]
    names = [name for _, name, _ in unit() if name != "Environment"]
    assert len(names) == len(set(names)), "a directive is there twice"
    assert values("DynamicUser") == values("NoNewPrivileges") == ["yes"]
    assert int(values("TimeoutStopSec")[0]) > 2 * Settings().drain
    assert int(values("LimitNOFILE")[0]) > 2 * Settings().sockets
    extras = re.findall(r"'fabletop\[([\w,-]+)\]'", (DEPLOY / "fabletop.service").read_text("utf-8"))
    assert set(",".join(extras).split(",")) <= set(PROJECT["optional-dependencies"])


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and not os.environ.get("CI"),
    reason="there is no systemd-analyze here; CI installs it",
)
def test_systemd_understands_the_unit(tmp_path):
    copy = tmp_path / "fabletop.service"
    text = (DEPLOY / "fabletop.service").read_text("utf-8")
    copy.write_text(
        text.replace(f"={PROGRAM} ", f"={sys.executable} "), "utf-8"
    )  # it wants one that is there
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, timeout=60)
    told = [line for line in done.stderr.splitlines() if "fabletop.service" in line]
    assert (done.returncode, told) == (0, [])
