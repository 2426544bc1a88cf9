"""README's commands, run as they stand there."""

import os
import re
import signal
import subprocess
import unittest

from support import BINARY, ROOT, free_port


def console_blocks(document):
    """Pairs of a command and what it must print, from the ```console blocks."""
    for block in re.findall(r"```console\n(.*?)```", (ROOT / document).read_text(), re.S):
        command, output = None, []
        for line in block.split("\n"):
            if line.startswith("$ "):
                if command:
                    yield command, "\n".join(output).rstrip("\n")
                command, output = line[2:], []
            else:
                output.append(line)
        yield command, "\n".join(output).rstrip("\n")


class Readme(unittest.TestCase):
    """The server is started by ./Scripts/server as it stands there, on a free port instead of 8080."""

    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.process = subprocess.Popen(
            ["./Scripts/server"], cwd=ROOT, env={**os.environ, "PORT": str(cls.port)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        for line in cls.process.stdout:
            if '"event":"listening"' in line:
                break
        else:
            raise AssertionError("Scripts/server ended")

    @classmethod
    def tearDownClass(cls):
        os.killpg(cls.process.pid, signal.SIGTERM)
        cls.process.stdout.close()
        assert cls.process.wait(30) == 0

    def test_every_command_prints_what_it_says(self):
        commands = list(console_blocks("README.md"))
        self.assertGreater(len(commands), 5)
        for command, expected in commands:
            with self.subTest(command=command):
                here = command.replace("localhost:8080", f"localhost:{self.port}")
                got = subprocess.run(["bash", "-c", here], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, timeout=60)
                self.assertEqual(got.stdout.rstrip("\n"), expected)

    def test_paths_exist(self):
        for path in re.findall(r"`((?:Sources|Docs|Tests|Config|Scripts)/[\w./-]*)`", (ROOT / "README.md").read_text()):
            self.assertTrue((ROOT / path).exists(), path)

    def test_a_taken_port_is_explained(self):
        got = subprocess.run(
            [BINARY, "serve", "--config", "Config/region-bucket.json5"], cwd=ROOT, capture_output=True, text=True,
            env={"PORT": str(self.port), "PATH": "/usr/bin:/bin"}, timeout=30)
        self.assertEqual(got.returncode, 69)
        self.assertIn("Address already in use", got.stderr)


if __name__ == "__main__":
    unittest.main()
