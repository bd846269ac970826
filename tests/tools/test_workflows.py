"""Workflows of the repository's host: well formed, pinned, allowed no more than they need, running what exists."""

import ast
import importlib.util
import os
import re
import shlex

import pytest
import yaml

from tools import repository
from tools.toc import ROOT

FOLDER = ROOT / ".github" / "workflows"
FILES = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yml"))}
JOBS = {f"{name}.{job}": content for name, workflow in FILES.items() for job, content in workflow["jobs"].items()}
STEPS = [(name, step) for name, job in JOBS.items() for step in job["steps"]]
RUNS = [(name, line) for name, step in STEPS for line in step.get("run", "").splitlines() if line]
TARGETS = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

#: What a job may do besides reading the repository, and why: all else is refused.
ALLOWED = {
    "pages.build": {"contents": "read", "pages": "read"},  # asks for the address
    "pages.notebooks": {"contents": "write"},  # writes the branch that Binder and Colab open
    "pages.deploy": {"pages": "write", "id-token": "write"},
    "release.attest": {"id-token": "write", "attestations": "write"},
    "release.archive": {"contents": "write"},  # makes the release
    "release.index": {"id-token": "write"},  # trusted publishing
}


def triggers(workflow):
    return workflow.get("on", workflow.get(True))  # YAML 1.1 takes the word for a truth value


@pytest.mark.parametrize("name", FILES)
def test_a_workflow_may_read_only_and_never_runs_what_a_stranger_proposes_with_more(name):
    assert FILES[name]["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in triggers(FILES[name])


@pytest.mark.parametrize("name", JOBS)
def test_a_job_may_do_what_it_needs_and_no_more(name):
    assert 0 < JOBS[name]["timeout-minutes"] <= 180
    assert JOBS[name].get("permissions") == ALLOWED.get(name)


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_a_step_runs_something_or_uses_a_released_action(name, step):
    assert ("run" in step) != ("uses" in step)
    if "uses" in step:
        assert set(step) <= {"uses", "with", "id", "name"}
        assert re.fullmatch(r"(actions|pypa)/[a-z-]+@[0-9a-f]{40}", step["uses"]), "a commit: a tag can be moved"
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}, "no later step can push"
    else:
        assert set(step) <= {"run", "name", "env"}


@pytest.mark.parametrize("action", sorted({step["uses"].split("@")[0] for _, step in STEPS if "uses" in step}))
def test_an_action_has_one_version_everywhere(action):
    assert len({step["uses"] for _, step in STEPS if step.get("uses", "").startswith(f"{action}@")}) == 1


@pytest.mark.parametrize(("name", "line"), RUNS)
def test_what_is_run_exists(name, line):
    words = shlex.split(re.sub(r"\$\{\{ matrix\.\w+ \}\}", "lowest", line))
    if words[0] == "make":
        assert words[1] in TARGETS
        assert all(re.fullmatch(r"[A-Z]+=\w+", word) or word in TARGETS for word in words[2:])
    elif words[:2] == ["python", "-m"]:
        assert importlib.util.find_spec(words[2])
        assert (ROOT / f"{words[2].replace('.', '/')}.py").is_file()
    elif words[:2] == ["python", "-c"]:
        ast.parse(words[2])
    elif words[0] == ".ci/run":
        assert os.access(ROOT / ".ci" / "run", os.X_OK)
    elif words[0] == "git":
        assert name == "pages.notebooks", line
        assert "push" not in words or (words[-1] == "notebooks" and "$GITHUB_REPOSITORY" in words[-2]), (
            "no other branch"
        )
    elif words[0] == "find":
        assert words == ["find", "notebooks", "-name", ".git", "-prune", "-exec", "rm", "-rf", "{}", "+"]
    elif words[0] == "sudo":
        assert words == ["sudo", "apt-get", "update"] or words[:4] == ["sudo", "apt-get", "install", "--yes"]
        assert all(word.startswith("fonts-") for word in words[4:])
    else:
        assert words[:3] in (["gh", "release", "create"], ["gh", "auth", "setup-git"]), line


def test_nothing_secret_is_named_and_no_text_of_others_reaches_a_shell():
    for path in [*FOLDER.glob("*.yml"), ROOT / ".github" / "dependabot.yml"]:
        text = path.read_text(encoding="utf-8")
        assert "secrets." not in text
        assert "://" not in text, "no host and no repository is named"
        assert "continue-on-error" not in text
    for _, line in RUNS:
        assert set(re.findall(r"\$\{\{\s*(\w+)", line)) <= {"matrix"}, "what others can write comes in by a variable"
        assert "TOKEN" not in line


def test_pages_link_to_the_branch_that_was_written_before_them():
    jobs = FILES["pages"]["jobs"]
    (build,) = (step for step in jobs["build"]["steps"] if step.get("run", "").startswith("make publish"))
    (push,) = (line for name, line in RUNS if name == "pages.notebooks" and " push " in line)
    assert shlex.split(push)[-1] == repository.BRANCH
    assert build["env"]["LDP_BOOK_REPOSITORY"] == "${{ github.server_url }}/${{ github.repository }}"
    assert "notebooks" in build["run"].split()
    assert (jobs["deploy"]["needs"], jobs["notebooks"]["needs"]) == ("notebooks", "build")


def test_who_may_write_starts_git_in_no_folder_that_came_ready_made():
    """A job that runs packages of others made the artifact: a configuration of git in it would be obeyed."""
    _, commit, push = JOBS["pages.notebooks"]["steps"]
    assert [line.split()[0] for line in commit["run"].splitlines()] == ["find", "git", "git", "git"]
    assert "env" not in commit
    assert list(push["env"]) == ["GH_TOKEN"]


def test_what_is_published_is_what_the_tools_write():
    (upload,) = (step for _, step in STEPS if step.get("uses", "").startswith("actions/upload-pages-artifact@"))
    assert upload["with"]["path"] == "_build/publish/site"
    build = JOBS["pages.build"]["steps"]
    (made,) = (step for step in build if step.get("run") == "make publish notebooks")
    (asked,) = (step for step in build if step.get("id") == "pages")
    assert build.index(asked) < build.index(made) < build.index(upload)
    assert made["env"]["LDP_BOOK_ADDRESS"] == "${{ steps.pages.outputs.base_url }}"


def test_whom_to_write_to_is_on_every_copy_that_leaves_the_host():
    made = [step for name, step in STEPS if re.match(r"make (publish|pdf)", step.get("run", ""))]
    assert len(made) == 3
    assert {step["env"]["LDP_BOOK_CONTACT"] for step in made} == {"${{ vars.LDP_BOOK_CONTACT }}"}
