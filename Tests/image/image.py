"""The image without Docker: the Dockerfile's own instructions, carried out in folders.

The base is Debian, laid down by debootstrap; the build stage's commands run in a folder of this machine, whose compiler
and packages stand in for those of its base; the last stage's COPY lines lay files over a copy of the base.
"""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import dockerfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "build/image"
# Docker's own.
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Problem(Exception):
    """Why there is no image; the message says what to do."""


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if result.returncode:
        output = result.stdout[-3000:] + result.stderr[-3000:]
        raise Problem(f"{' '.join(map(str, command))}: status {result.returncode}\n{output}")
    return result.stdout


def stages():
    return dockerfile.parse((ROOT / "Dockerfile").read_text())


# ---- The base -------------------------------------------------------------------------------------------------------

def mirror(suite):
    """Where this machine's apt has the suite from, or Debian of another name."""
    def known_suites():
        ask = ("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages")
        return dict(reversed([line.split(" ", 1) for line in run(*ask).splitlines()]))

    known = known_suites()
    if not known:
        # Images of Debian come without package lists.
        run("apt-get", "-q", "update")
        known = known_suites()
    plain = [name for name in known if "-" not in name]
    return known.get(suite) or known[plain[0]]


def base_tarball(image, packages):
    """A tarball of the Debian that the base image has, and the packages that the last stage installs."""
    match = re.fullmatch(r"debian:([a-z]+)-slim", image)
    if not match:
        raise Problem(f"the base {image} is not debian:NAME-slim")
    tarball = PLACE / ("-".join([match[1], *sorted(packages)]) + ".tar")
    if not tarball.exists():
        PLACE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="base-", dir=PLACE) as directory:
            root = pathlib.Path(directory) / "root"
            run("debootstrap", "--variant=minbase", *([f"--include={','.join(packages)}"] if packages else []),
                match[1], root, mirror(match[1]))
            # What the slim image leaves out or never had; device files are the engine's to make.
            for junk in ("var/cache/apt/archives", "var/lib/apt/lists", "dev"):
                shutil.rmtree(root / junk)
                (root / junk).mkdir()
            part = tarball.with_suffix(".part")
            run("tar", "-C", root, "--numeric-owner", "-cf", part, ".")
            part.rename(tarball)
    return tarball


# ---- COPY -----------------------------------------------------------------------------------------------------------

def context_files():
    """Those files of the tree that .dockerignore lets through; it is read as allow-list: `*`, then `!PATH`."""
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    if lines[0] != "*":
        raise Problem(".dockerignore does not begin with *")
    allowed = [line[1:] for line in lines if line.startswith("!")]
    refused = [line.removeprefix("**/") for line in lines[1:] if not line.startswith("!")]
    names = run("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in names:
        inside = any(name == entry or name.startswith(entry + "/") for entry in allowed)
        out = any(fnmatch.fnmatch(part, pattern) for part in name.split("/") for pattern in refused)
        if inside and not out and (ROOT / name).exists():
            yield name


def lay_file(source, target):
    """Copies a file unless it is there already: unchanged sources are not compiled again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    old, new = (target.lstat() if target.is_symlink() or target.exists() else None), source.lstat()
    if not old or old.st_mtime_ns != new.st_mtime_ns or old.st_size != new.st_size:
        target.unlink(missing_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def copy_from_context(words, target_root):
    """Lays the context's files below `target_root`; returns their places."""
    *sources, target = words
    laid, files = [], list(context_files())
    for source in sources:
        source = source.removeprefix("./")
        found = [name for name in files if name == source or name.startswith(source + "/")]
        if not found:
            raise Problem(f"COPY {source}: no such file in the context; does .dockerignore let it through?")
        for name in found:
            rest = name[len(source):].lstrip("/")
            place = target_root / target / (rest or (pathlib.PurePath(source).name if target.endswith("/") else ""))
            lay_file(ROOT / name, place)
            laid.append(place)
    return laid


def copy_tree(source, target, into):
    """COPY of a folder's content, or of one file, between roots."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
        return [target / path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    place = target / source.name if into else target
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, place)
    return [place]


# ---- Stages ---------------------------------------------------------------------------------------------------------

class Build:
    """The build stage, carried out in a folder that stands for its working directory."""

    def __init__(self, stage, tarball):
        self.stage, self.tarball = stage, tarball
        self.directory = PLACE / "build"
        self.inside = pathlib.PurePosixPath(stage.last("WORKDIR").text)

    def outside(self, path):
        """Where a path of the stage is on this machine."""
        return self.directory / pathlib.PurePosixPath(path).relative_to(self.inside)

    def carry_out(self):
        missing = [name for name in self.stage.packages()
                   if "installed" not in subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", name],
                                                        capture_output=True, text=True, check=False).stdout]
        if missing:
            raise Problem(f"the build stage installs {' '.join(missing)}; so must this machine")
        self.directory.mkdir(parents=True, exist_ok=True)
        self._remove_all_but_products()
        for entry in self.stage.instructions:
            if entry.name == "COPY":
                self._copy(entry)
            elif entry.name == "RUN" and "apt-get" not in entry.text:
                run("sh", "-c", entry.text, cwd=self.directory)

    def _remove_all_but_products(self):
        """What an earlier run has laid and the context no longer has must go; what was compiled stays."""
        keep = set(context_files())
        for path in self.directory.rglob("*"):
            name = str(path.relative_to(self.directory))
            if not name.startswith(".build") and not path.is_dir() and name not in keep:
                path.unlink()

    def _copy(self, entry):
        if entry.flags.get("from") == "base":
            source, target = entry.words()
            content = subprocess.run(
                ["tar", "-xOf", self.tarball, "." + source], check=True, capture_output=True).stdout
            (self.directory / target).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / target).write_bytes(content)
        elif entry.flags:
            raise Problem(f"Dockerfile:{entry.line}: COPY {entry.flags} is not known here")
        else:
            copy_from_context(entry.words(), self.directory)


class Image:
    """The last stage: its root as a folder, what was laid there, and how it is to be run."""

    def __init__(self, root):
        base, build, self.stage = stages()
        if (base.name, build.name, self.stage.base) != ("base", "build", "base"):
            raise Problem("the stages are no longer base, build and one more that begins from base")
        tarball = base_tarball(base.base, self.stage.packages())
        self.build = Build(build, tarball)
        self.build.carry_out()
        self.root = pathlib.Path(root)
        if self.root.exists():
            shutil.rmtree(self.root)
        self.root.mkdir(parents=True)
        run("tar", "-C", self.root, "--numeric-owner", "-xpf", tarball)
        self.copied = []
        for entry in self.stage.all("COPY"):
            if entry.flags != {"from": "build"}:
                raise Problem(f"Dockerfile:{entry.line}: only COPY --from=build is known here")
            source, target = entry.words()
            self.copied += copy_tree(self.build.outside(source), self.root / target.lstrip("/"), target.endswith("/"))
        os.chmod(self.root, 0o755)

    def environment(self):
        values = {"PATH": SEARCH_PATH}
        for entry in self.stage.all("ENV"):
            values.update(entry.pairs())
        return values

    def labels(self):
        values = {}
        for entry in self.stage.all("LABEL"):
            values.update(entry.pairs())
        return values

    def command(self):
        return [*self.stage.last("ENTRYPOINT").words(), *self.stage.last("CMD").words()]

    def user(self):
        return self.stage.last("USER").text

    def port(self):
        return int(self.stage.last("EXPOSE").text)
