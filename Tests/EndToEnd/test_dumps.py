"""Nothing of a request leaves the process by way of a dump: no core, no trace of a crash, no other process's eyes."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from process_memory import build_control
from support import BINARY, ROOT, SANITIZER, Service, parse, request

VALUE = "dumpedSentinelValue" * 3
# Swift's run-time library would print registers, and what they point to.
LOUD_BACKTRACE = {"SWIFT_BACKTRACE": "enable=yes,registers=all,images=all,color=no,interactive=no,timeout=20"}
CRASHES = [signal.SIGQUIT, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGTRAP]
NOBODY = 65534


@contextlib.contextmanager
def holding(service):
    """A connection in the middle of a request: its values are in memory."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.sendall(request())
        connection.recv(4096)
        connection.sendall(request(f"X-Held: {VALUE}")[:-2])
        # Another connection of each loop is answered after that: so the first one's bytes have been read.
        for _ in range(8):
            service.exchange(request())
        yield


def end(service, number):
    """Ends a service by a signal; whether the kernel says that it has dumped its memory."""
    service.process.send_signal(number)
    deadline = time.monotonic() + 60
    while not (ended := os.waitid(os.P_PID, service.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
        if time.monotonic() > deadline:
            service.process.kill()
            raise AssertionError(f"{number.name} has not ended it")
        time.sleep(0.01)
    return ended.si_code == os.CLD_DUMPED


@unittest.skipIf(SANITIZER, "a sanitizer's build prints crashes on purpose")
class Crashes(unittest.TestCase):
    def crash(self, number, is_kept=True, **options):
        """The exit status, whether memory was dumped, what was written to standard error, files that are left."""
        service = Service(wrapper=["prlimit", "--core=unlimited"], is_kept=is_kept, **options)
        with holding(service):
            has_dumped = end(service, number)
        files = {file.name: file.read_bytes() for file in service.temporary.iterdir()}
        status = service.stop()
        return status, has_dumped, service.errors, files

    def test_a_crash_leaves_no_core_and_tells_nothing(self):
        for number in CRASHES:
            with self.subTest(number.name):
                status, has_dumped, errors, files = self.crash(number, environment=LOUD_BACKTRACE)
                self.assertEqual((status, has_dumped, errors, files), (-number, False, "", {}))

    def test_with_dumps_allowed_there_would_be_a_core(self):
        """The positive control, where the system writes cores to files: the held value is in one."""
        pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text()
        if pattern.startswith(("|", "/")):
            self.skipTest(f"cores do not go to the working directory here: {pattern}")
        with tempfile.TemporaryDirectory() as directory:
            preload = {"LD_PRELOAD": build_control(directory, "KEEP_DUMPS")}
            _, has_dumped, _, files = self.crash(signal.SIGABRT, is_kept=False, environment=preload)
        self.assertTrue(has_dumped)
        self.assertTrue(any(VALUE.encode() in content for content in files.values()), list(files))

    def test_with_swifts_handlers_there_would_be_a_trace(self):
        """The positive control: Swift's run-time library, where it is installed, prints registers and memory."""
        swift = subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=False).stdout
        resources = re.search(r'"runtimeResourcePath": "([^"]+)"', swift)
        if not resources or not list(pathlib.Path(resources[1]).parents[1].glob("libexec/swift/**/swift-backtrace")):
            self.skipTest("swift-backtrace is not installed")
        with tempfile.TemporaryDirectory() as directory:
            preload = {"LD_PRELOAD": build_control(directory, "KEEP_HANDLERS")}
            service = Service(wrapper=["setsid"], environment={**LOUD_BACKTRACE, **preload}, is_kept=False)
            with holding(service):
                service.process.send_signal(signal.SIGSEGV)
                deadline = time.monotonic() + 60
                # It goes on afterwards: no instruction of its own was at fault.
                found = False
                while not found and time.monotonic() < deadline:
                    found = re.search(r"\br?sp 0x[0-9a-f]{16}  ([0-9a-f]{2} ){16}", service.errors)
                    time.sleep(0.01)
            # With the program that prints, which might not end and would hold the pipe open.
            os.killpg(service.process.pid, signal.SIGKILL)
            service.stop()
            self.assertTrue(found, service.errors)

    def test_where_the_system_refuses_nothing_is_served(self):
        with tempfile.TemporaryDirectory() as directory:
            ended = subprocess.run(
                [BINARY, "serve", "--always", "unknown"], capture_output=True, text=True, timeout=60, check=False,
                env={"PORT": "0", "LD_PRELOAD": build_control(directory, "REFUSE")})
        self.assertEqual((ended.returncode, ended.stdout), (71, ""))
        self.assertIn("forbid dumps", ended.stderr)


@unittest.skipIf(SANITIZER, "a sanitizer's build can be looked into on purpose")
class Limits(unittest.TestCase):
    def test_the_core_limit_is_zero_and_cannot_be_raised_again(self):
        with Service(wrapper=["prlimit", "--core=unlimited"]) as service:
            limits = pathlib.Path(f"/proc/{service.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0 ")

    @unittest.skipUnless(os.geteuid() == 0, "starts services as another user, which only root can")
    def test_not_even_its_own_user_can_look_into_it(self):
        """What is not dumpable belongs to root in /proc, and no process of the service's user may trace it."""
        def try_to_read(pid, *names):
            return subprocess.run(["head", "-c", "1", *(f"/proc/{pid}/{name}" for name in names)], user=NOBODY,
                                  group=NOBODY, extra_groups=[], capture_output=True, text=True, check=False)
        with Service(user=NOBODY) as service:
            pid = service.process.pid
            self.assertEqual(os.stat(f"/proc/{pid}/mem").st_uid, 0)
            for name in ("mem", "environ", "maps"):
                self.assertIn("Permission denied", try_to_read(pid, name).stderr, name)
            # What supervisors read is there for all.
            self.assertEqual(try_to_read(pid, "status", "stat", "cmdline").stderr, "")
            self.assertEqual(parse(service.exchange(request("CloudFront-Viewer-Country: KR"))).bucket, "regionalMarket")
        # The control: another program of the same user can be looked into.
        with subprocess.Popen(["sleep", "60"], user=NOBODY, group=NOBODY) as other:
            try:
                self.assertEqual(try_to_read(other.pid, "environ", "maps").stderr, "")
            finally:
                other.kill()

    @unittest.skipUnless(os.geteuid() == 0, "only root can trace what is not dumpable")
    def test_root_can_still_trace_it(self):
        with Service() as service, tempfile.NamedTemporaryFile("r") as trace:
            tracer = subprocess.Popen(["strace", "-f", "-q", "-e", "trace=recvfrom,sendto", "-o", trace.name,
                                       "-p", str(service.process.pid)], stderr=subprocess.PIPE, text=True)
            while not re.search(r"^TracerPid:\t[1-9]", pathlib.Path(
                    f"/proc/{service.process.pid}/status").read_text(), re.MULTILINE):
                self.assertIsNone(tracer.poll())
            service.exchange(request())
            tracer.send_signal(signal.SIGINT)
            tracer.communicate(timeout=20)
            self.assertIn("recvfrom", trace.read())

    def test_the_shipped_units_set_it_too(self):
        unit = (ROOT / "Config/region-bucket.service").read_text()
        self.assertIn("\nLimitCORE=0\n", unit)
        compose = (ROOT / "Config/compose.yaml").read_text()
        self.assertRegex(compose.split("\n  service:\n")[1].split("\n\n")[0], r"ulimits: \{ *core: 0 *\}")


class Files(unittest.TestCase):
    CHANGING = ["creat", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "rename",
                "renameat", "renameat2", "truncate", "setxattr"]
    WRITING = r" open(at|at2)?\(.*(O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE)"

    def tracer(self, trace):
        # With `?`, names that a machine has not are passed over.
        names = ",".join("?" + name for name in ["open", "openat", "openat2", "memfd_create", *self.CHANGING])
        return ["strace", "-f", "-q", "-e", f"trace={names}", "-e", "signal=none", "-o", trace.name]

    def test_no_file_is_written(self):
        """Every opening of a file, traced: for reading alone, but for the database's copy in memory."""
        with tempfile.NamedTemporaryFile("r") as trace:
            with Service({"log": {"access": True}}, wrapper=self.tracer(trace)) as service:
                for lines in (["X-Forwarded-For: 168.126.63.1"], ["Bad Field: x"], ["Content-Length: 9999999"]):
                    service.exchange(request(*lines))
                self.assertEqual(service.stop_wrapped(), 0)
            calls = trace.read().splitlines()
        self.assertGreater(len([call for call in calls if " open" in call]), 5)
        for call in calls:
            self.assertNotRegex(call, self.WRITING)
            self.assertNotRegex(call, rf" ({'|'.join(self.CHANGING)})\(")
        memory = [call for call in calls if "memfd_create(" in call]
        self.assertTrue(memory)
        for call in memory:
            self.assertIn('"region-bucket-database"', call)

    def test_writing_a_file_would_be_seen(self):
        """The positive control: building a database writes one, and renames it."""
        with tempfile.NamedTemporaryFile("r") as trace, tempfile.TemporaryDirectory() as directory:
            table = pathlib.Path(directory) / "in.csv"
            table.write_text("network,country\n11.0.0.0/8,KR\n")
            subprocess.run([*self.tracer(trace), BINARY, "database", "build", "--quiet", "--output",
                            f"{directory}/out.mmdb", table], check=True, capture_output=True)
            said = trace.read()
        self.assertRegex(said, self.WRITING)
        self.assertRegex(said, r" rename(at|at2)?\(")


if __name__ == "__main__":
    unittest.main()
