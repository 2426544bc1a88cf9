"""A running container without an engine: process 1 of namespaces of its own, with a network of its own.

The program gets what the image says (user, variables, command) on the image's own port. The test asks from outside over
a virtual cable, as an unknown peer, and from within over loopback. The cable's other end is in a network of its own as
well: this machine's network, whose addresses may be any, is never touched.
"""

import contextlib
import hashlib
import os
import pathlib
import signal
import stat
import subprocess
import time

from image import Problem, run

# Both ends are in networks of their own.
OUTSIDE, INSIDE, PREFIX = "192.0.2.1", "192.0.2.2", 30

# Mounts as an engine makes them, then the program in place of the shell. The shell is process 1 until then.
SETUP = r"""
set -eu
root=$1 access=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=1m,mode=1777,nosuid,nodev,noexec tmpfs "$root/tmp"
mount -t tmpfs -o size=64k,mode=755 tmpfs "$root/dev"
for name in null zero random urandom; do : > "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ip link set lo up
[ "$access" = writable ] || mount -o remount,bind,ro "$root"
# Until the cable is there.
read -r go
exec setpriv --no-new-privs --bounding-set=-all chroot --userspec="$user" --groups= "$root" "$@" </dev/null
"""
# chroot and the change of user need these; the program has none of them, being nobody.
SETUP = SETUP.replace("--bounding-set=-all", "--bounding-set=-all,+sys_chroot,+setuid,+setgid")


class Container:
    """`image`, running; its log in `log()`."""

    def __init__(self, image, *, read_only):
        self.image = image
        self.output = image.root.parent / f"{image.root.name}.log"
        self.outside = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo there; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process = None
        access = "read-only" if read_only else "writable"
        with open(self.output, "wb") as output:
            self.launcher = subprocess.Popen(
                ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", SETUP, "sh",
                 str(image.root), access, image.user(), *image.command()],
                stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, env=image.environment())
        try:
            if self.outside.stdout.readline() != b"there\n":
                raise AssertionError("there is no network for the outside")
            self.process = self._child()
            self._from_outside(
                "ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", self.process)
            self._from_outside("ip", "address", "add", f"{OUTSIDE}/{PREFIX}", "dev", "eth0")
            self._from_outside("ip", "link", "set", "eth0", "up")
            self.within("ip", "address", "add", f"{INSIDE}/{PREFIX}", "dev", "eth0")
            self.within("ip", "link", "set", "eth0", "up")
            self.launcher.stdin.write(b"go\n")
            self.launcher.stdin.close()
            self._wait_until_ready()
        except BaseException:
            self.kill()
            raise

    def _child(self):
        children = pathlib.Path(f"/proc/{self.launcher.pid}/task/{self.launcher.pid}/children")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if found := children.read_text().split():
                return int(found[0])
            time.sleep(0.01)
        raise AssertionError(f"nothing has started: {self.log()}")

    def _wait_until_ready(self, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.launcher.poll() is not None:
                raise AssertionError(f"ended with status {self.launcher.returncode}: {self.log()}")
            with contextlib.suppress(Problem):
                self._from_outside("curl", "-sf", "--max-time", "2", self.url("/readyz"))
                return
            time.sleep(0.05)
        raise AssertionError(f"not ready within {seconds} s: {self.log()}")

    def url(self, path="/v1/region", host=INSIDE):
        return f"http://{host}:{self.image.port()}{path}"

    def _from_outside(self, *command):
        return run("nsenter", f"--net=/proc/{self.outside.pid}/ns/net", *command)

    def within(self, *command):
        """A command of this machine in the container's network."""
        return run("nsenter", f"--net=/proc/{self.process}/ns/net", *command)

    def ask(self, *arguments, path="/v1/region"):
        """A request from outside."""
        return self._from_outside("curl", "-s", "--max-time", "5", *arguments, self.url(path))

    def ask_from_within(self, *arguments, path="/v1/region"):
        """A request over the container's loopback."""
        return self.within("curl", "-s", "--max-time", "5", *arguments, self.url(path, "127.0.0.1"))

    def execute(self, *command):
        """As an engine's `exec` runs one: in all namespaces, in the root, as the image's user. The finished process."""
        user, group = self.image.user().split(":")
        return subprocess.run(
            ["nsenter", f"--target={self.process}", "--mount", "--net", "--pid", f"--root=/proc/{self.process}/root",
             f"--setuid={user}", f"--setgid={group}", *command],
            env=self.image.environment(), capture_output=True, text=True, check=False, timeout=20)

    def status(self, key):
        """A line of the program's /proc status."""
        text = pathlib.Path(f"/proc/{self.process}/status").read_text()
        return next(line.split(":", 1)[1].split() for line in text.splitlines() if line.startswith(key + ":"))

    def temporary_files(self):
        return list(pathlib.Path("/proc", str(self.process), "root", "tmp").iterdir())

    def log(self):
        return self.output.read_text(errors="replace")

    def stop(self):
        """The image's stop signal; returns the exit status."""
        os.kill(self.process, getattr(signal, self.image.stage.last("STOPSIGNAL").text))
        return self.launcher.wait(30)

    def kill(self):
        # unshare's own --kill-child is forgotten by the kernel when the user changes.
        if self.launcher.poll() is None:
            if self.process:
                os.kill(self.process, signal.SIGKILL)
            else:
                self.launcher.kill()
        self.launcher.wait()
        for process in (self.launcher, self.outside):
            if not process.stdin.closed:
                process.stdin.close()
        self.outside.wait()
        self.outside.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def snapshot(root):
    """Every file below `root`: kind and mode, owner, time of the last change, size and checksum."""
    found = {}
    for directory, names, files in os.walk(root):
        for name in names + files:
            path = pathlib.Path(directory) / name
            state = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(state.st_mode) else None
            found[str(path.relative_to(root))] = (
                state.st_mode, state.st_uid, state.st_gid, state.st_mtime_ns, state.st_size, content)
    return found
