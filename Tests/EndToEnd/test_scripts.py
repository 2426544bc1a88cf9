"""A part of the tests installs what it needs, and no more."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"style", "swift", "fuzz", "sanitize"}
ALWAYS_OK = "#!/bin/sh\nexit 0\n"
STAND_INS = {
    "swift": "#!/bin/sh\necho 'Swift version 6.2'\n",
    "dpkg-query": '#!/bin/sh\nfor name; do :; done\necho "package $name" >>"$ASKED"\necho installed\n',
    "apt-get": '#!/bin/sh\necho "apt-get $*" >>"$ASKED"\nexit 1\n',
    # `python3 -m venv FOLDER` makes another of its kind, and the linter beside it.
    "python3": '#!/bin/sh\n[ "$2" != venv ] || { mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp "$OK" '
               '"$3/bin/hadolint"; }\n[ "$2" != pip ] || echo "pip $*" >>"$ASKED"\n',
}


class Parts(unittest.TestCase):
    def test_every_package_is_of_known_parts(self):
        lines = [line.split() for line in (ROOT / "Tests/packages.txt").read_text().splitlines()]
        self.assertEqual(lines, sorted(lines))
        self.assertEqual({part for line in lines for part in line[1:]}, PARTS)

    def asked(self, *arguments):
        """What a run wants to have, of programs that all say that it is there."""
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            shutil.copytree(ROOT / "Scripts", directory / "Scripts")
            (directory / "Tests").mkdir()
            shutil.copy(ROOT / "Tests/packages.txt", directory / "Tests")
            (directory / "bin").mkdir()
            for program, text in {**STAND_INS, "ok": ALWAYS_OK}.items():
                (directory / "bin" / program).write_text(text)
                (directory / "bin" / program).chmod(0o755)
            environment = {"PATH": f"{directory}/bin:{os.environ['PATH']}", "ASKED": f"{directory}/asked",
                           "OK": f"{directory}/bin/ok"}
            done = subprocess.run([str(directory / "Scripts/test"), *arguments], capture_output=True, text=True,
                                  env=environment, timeout=60)
            return done, (directory / "asked").read_text().splitlines()

    def test_style_installs_next_to_nothing(self):
        done, asked = self.asked("--only", "style")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(asked[:2], ["package python3", "package python3-venv"])
        self.assertTrue(all(line.startswith("pip ") and "hadolint" in line for line in asked[2:]), asked)

    def test_all_of_it_installs_everything(self):
        names = [line.split()[0] for line in (ROOT / "Tests/packages.txt").read_text().splitlines()]
        ask = '. "$0/Scripts/lib/common.sh"; packages_of "$1"'
        for part in ("", "endtoend"):
            said = subprocess.run(["bash", "-c", ask, str(ROOT), part], capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout.split(), names)


if __name__ == "__main__":
    unittest.main()
