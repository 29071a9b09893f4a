"""The project's frame: the lock, who may import whom, what is committed, the set-up script and the Makefile."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.txt", "requirements-build.txt")
PACKAGES = ("attention_core", "lesson", "scenes", "voice", "pipeline")
SCRIPTS = ("tools/setup.sh", "tools/lock.sh", ".ci/run")


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run to the end, output kept, standard input closed."""
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


# --- the lock --------------------------------------------------------------------------------------------------


def lock_lines(name: str) -> list[str]:
    """The requirements of a lock file, each with its hashes joined to one line."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def locked(name: str) -> dict[str, Requirement]:
    """Canonical name -> requirement, as written in a lock file."""
    parsed = (Requirement(line.split("--hash")[0].strip()) for line in lock_lines(name))
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_one_exact_version_and_hashes(name: str) -> None:
    lines = lock_lines(name)
    assert len(lines) > 5
    for line in lines:
        requirement, *hashes = line.split("--hash=")
        assert re.match(r"[\w.-]+==[\w.+!]+\s*(;.*)?$", requirement.strip()), line[:80]
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each.strip()) for each in hashes), requirement
    assert len(locked(name)) == len(lines), "a package stands in the lock twice, so Pythons would differ"


@pytest.mark.parametrize("name", LOCKS)
def test_lock_holds_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index|--find-links|^-f|^-i", text, flags=re.MULTILINE)


def wanted(lock: str) -> list[str]:
    """What has to stand in this lock, as the project's own files say it."""
    if lock == "requirements.txt":
        return [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["test"]]
    lines = (ROOT / "requirements-build.in").read_text(encoding="utf-8").splitlines()
    named = [line.split("#")[0].strip() for line in lines]
    return [*PROJECT["build-system"]["requires"], *filter(None, named)]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_serves_every_dependency_that_is_asked_for(name: str) -> None:
    pinned = locked(name)
    for text in wanted(name):
        requirement = Requirement(text)
        version = next(iter(pinned[canonicalize_name(requirement.name)].specifier)).version
        assert requirement.specifier.contains(version), f"{text}, but {name} has {version}: run make lock"


def test_installed_packages_have_all_they_need() -> None:
    """They are installed without looking for dependencies, so a gap in the lock would show here."""
    result = run(sys.executable, "-m", "pip", "check")
    assert result.returncode == 0, result.stdout


# --- who may import whom ---------------------------------------------------------------------------------------


def lint_imports(folder: Path, config: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of a pyproject.toml on the packages in a folder."""
    return run(
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--config",
        config,
        "--no-cache",
        "--no-logo",
        cwd=folder,
        PYTHONPATH=str(folder),
    )


def test_import_contracts_hold() -> None:
    result = lint_imports(ROOT, ROOT / "pyproject.toml")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """Packages of the same names and arrows, one line each, under the real contracts."""
    sources = {
        "attention_core/__init__.py": "import numpy\n",
        "lesson/__init__.py": "import attention_core\n",
        "scenes/__init__.py": "",
        "scenes/kit/__init__.py": "import lesson\n",
        "scenes/kit/theme.py": "",
        "scenes/one.py": "import manim, scenes.kit.theme\n",
        "scenes/two.py": "import scenes.kit\n",
        "pipeline/__init__.py": "import scenes, lesson\n",
    }
    for name, text in sources.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_allowed_arrows_pass(small_project: Path) -> None:
    result = lint_imports(small_project, small_project / "pyproject.toml")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("attention_core/__init__.py", "import lesson"),
        ("attention_core/__init__.py", "import pydantic_core, PIL"),
        ("lesson/__init__.py", "import scenes"),
        ("lesson/__init__.py", "import manim"),
        ("scenes/one.py", "import pipeline"),
        ("scenes/one.py", "import attention_core"),
        ("scenes/one.py", "import scenes.two"),
        ("scenes/kit/theme.py", "import scenes.one"),
        ("pipeline/__init__.py", "import attention_core"),
    ],
)
def test_contracts_refuse_a_wrong_arrow(small_project: Path, module: str, statement: str) -> None:
    with (small_project / module).open("a", encoding="utf-8") as source:
        source.write(f"{statement}\n")
    result = lint_imports(small_project, small_project / "pyproject.toml")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "1 broken" in result.stdout, result.stdout


def imported(folder: str) -> Iterator[tuple[Path, str]]:
    """Every top-level module that our files in this folder import, with the file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name.split(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                yield path, node.module.split(".")[0]


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("attention_core", {"numpy", "scipy"}), ("lesson", {"attention_core", "numpy", "pydantic"})],
)
def test_lower_layers_use_only_what_the_design_allows(folder: str, allowed: set[str]) -> None:
    others = {name for _, name in imported(folder)} - set(sys.stdlib_module_names) - {"__future__", folder}
    assert others <= allowed


@pytest.mark.parametrize("folder", PACKAGES)
def test_every_imported_package_is_a_declared_dependency(folder: str) -> None:
    declared = {canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    owners = packages_distributions()
    for path, module in imported(folder):
        if module in sys.stdlib_module_names or module in PACKAGES:
            continue
        names = {canonicalize_name(name) for name in owners.get(module, [])}
        assert names & declared, f"{path.relative_to(ROOT)} imports {module}, which pyproject.toml does not name"


def test_quick_commands_do_not_load_manim() -> None:
    code = "import sys, lesson, scenes; sys.exit('manim' in sys.modules)"
    assert run(sys.executable, "-c", code).returncode == 0


# --- what is committed -----------------------------------------------------------------------------------------


def git(*arguments: str) -> str:
    """Output of git on this checkout, whoever owns it."""
    result = run("git", "-c", "safe.directory=*", *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def committed() -> list[str]:
    """Names of all tracked files that are there."""
    return [name for name in git("ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]


def test_no_committed_file_names_a_registry_or_a_persons_folder() -> None:
    """Packages come from wherever pip and the system's package manager are set to look."""
    pattern = re.compile(
        r"py[p]i\.org|python[h]osted\.|npm[j]s\.|deb[i]an\.org|ubunt[u]\.com|/hom[e]/\w|/User[s]/\w|/roo[t]/|/wor[k]/"
    )
    found = [
        f"{name}: {match.group()}"
        for name in committed()
        if (match := pattern.search((ROOT / name).read_bytes().decode("utf-8", errors="ignore")))
    ]
    assert not found


def test_media_holds_only_its_readme() -> None:
    assert [name for name in committed() if name.startswith("media/")] == ["media/README.md"]
    assert git("check-ignore", "media/1080p60/lesson.mp4", ".venv/ready").count("\n") == 2


# --- set-up and Makefile ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_posix_shell_and_can_be_run(script: str) -> None:
    shells = [shell for shell in ("sh", "dash", "busybox") if shutil.which(shell)]
    for shell in shells:
        command = [shell, "sh"] if shell == "busybox" else [shell]
        result = run(*command, "-n", script)
        assert result.returncode == 0, result.stderr
    assert (ROOT / script).read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    assert os.access(ROOT / script, os.X_OK)
    assert git("ls-files", "--stage", script).startswith("100755 ")


def test_make_help_lists_every_target() -> None:
    result = run("make", "--no-print-directory", "help")
    assert result.returncode == 0, result.stderr
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert phony
    for target in set(phony.group(1).split()) - {"force"}:
        assert re.search(rf"^make {target} +\S", result.stdout, flags=re.MULTILINE), target


def test_continuous_integration_runs_make_test() -> None:
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "make test"


def set_up(folder: Path, machine: str = "arm64", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the set-up script in a folder that looks set up already, on a make-believe Mac.

    There the script installs no system packages by itself, so a fault in it can't touch this machine.
    """
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools/setup.sh", folder / "tools")
    (folder / ".venv").mkdir()
    (folder / ".venv/ready").write_text(f"{folder}\n", encoding="utf-8")
    uname = folder / "bin/uname"
    uname.parent.mkdir()
    uname.write_text(f'#!/bin/sh\n[ "$1" = -sm ] && echo "Darwin {machine}" || echo Darwin\n', encoding="utf-8")
    uname.chmod(0o755)
    path = f"{uname.parent}{os.pathsep}{os.environ['PATH']}"
    return run("sh", "tools/setup.sh", cwd=folder, **{"PATH": path, "PYTHON": sys.executable, **environment})


NO_COMPILER = {"CC": "no-such-compiler"}


@pytest.mark.parametrize(
    ("machine", "environment", "said"),
    [
        ("arm64", {"PYTHON": "no-such-python"}, "PYTHON=no-such-python does not start, or is older than 3.11."),
        ("arm64", {"PKG_CONFIG": "no-such-pkg-config"}, "missing, or not usable: pkg-config cairo pango."),
        ("arm64", NO_COMPILER, "missing, or not usable: headers compiler cairo pango."),
        ("x86_64", NO_COMPILER | {"CXX": "neither"}, "missing, or not usable: headers compiler c++ cairo pango."),
    ],
)
def test_set_up_names_what_it_cannot_use(tmp_path: Path, machine: str, environment: dict[str, str], said: str) -> None:
    result = set_up(tmp_path, machine, **environment)
    assert result.returncode == 1
    assert said in result.stderr
    assert not (tmp_path / ".venv/ready").exists(), "a set-up that failed must not look finished"


def test_set_up_says_how_to_install_what_is_missing(tmp_path: Path) -> None:
    result = set_up(tmp_path, **NO_COMPILER)
    assert re.search(r"xcode-select --install && brew install cairo pango python@3\.\d+$", result.stderr, re.MULTILINE)
