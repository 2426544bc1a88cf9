"""How long the comparison with the origin secret takes says nothing of the secret: the instructions of it are counted
by Valgrind, which is exact, for guesses that are right up to different places."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import BINARY

SECRET = "0123456789abcdefghijklmnopqrstuv"
COMPARISON = "*OriginSecret*isEqual*"

EARLY_EXIT = """
@inline(never) func isEqualUntilItIsNot(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  for index in left.indices where left[index] != right[index] { return false }
  return true
}
let words = CommandLine.arguments.map { Array($0.utf8) }
print(isEqualUntilItIsNot(words[1], words[2]))
"""


def instructions(function, *command, environment=None):
    """How many instructions a program executes in a function and in what that calls."""
    with tempfile.TemporaryDirectory() as directory:
        counts = pathlib.Path(directory) / "counts"
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", f"--toggle-collect={function}",
             *map(str, command)],
            check=True, capture_output=True, text=True, env={"PATH": os.environ["PATH"], **(environment or {})})
        return int(re.search(r"^(?:totals|summary): (\d+)$", counts.read_text(), re.M)[1]), ended.stdout


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        # Debian's Valgrind cannot read the compiler's debugging information; symbols it can.
        cls.binary = pathlib.Path(directory.name) / "region-bucket"
        subprocess.run(["strip", "--strip-debug", "-o", str(cls.binary), str(BINARY)], check=True)

    def count(self, guess):
        """The instructions of comparing a guess, and whether it was taken."""
        count, said = instructions(
            COMPARISON, self.binary, "explain", "--peer", "8.8.8.8", "--sources", "cdn", "--cdn-preset", "cloudfront",
            "--origin-secret-from-environment", "ORIGIN_SECRET", "--header", f"X-Origin-Secret: {guess}",
            environment={"ORIGIN_SECRET": SECRET})
        return count, "carries the origin secret" in said

    def test_w24_no_guess_is_compared_longer_than_another(self):
        size = len(SECRET)
        guesses = ["!" + SECRET[1:], SECRET[:size // 2] + "!" * (size // 2), SECRET[:-1] + "!", "!" * size,
                   SECRET[:-1], SECRET + "!", SECRET * 3, "!"]
        right, is_taken = self.count(SECRET)
        self.assertTrue(is_taken)
        self.assertGreater(right, size)
        for guess in guesses:
            self.assertEqual(self.count(guess), (right, False), guess)
        print(f"{len(guesses)} guesses and the secret: {right} instructions each")

    def test_a_comparison_that_stops_early_is_found(self):
        """The positive control."""
        with tempfile.TemporaryDirectory() as directory:
            source = pathlib.Path(directory) / "main.swift"
            source.write_text(EARLY_EXIT)
            program = pathlib.Path(directory) / "program"
            subprocess.run(["swiftc", "-O", "-static-stdlib", "-o", str(program), str(source)],
                           check=True, capture_output=True)

            def count(guess):
                return instructions("*isEqualUntilItIsNot*", program, SECRET, guess)[0]
            first, last = count("!" + SECRET[1:]), count(SECRET[:-1] + "!")
            self.assertGreater(first, 0)
            self.assertGreater(last, first)


if __name__ == "__main__":
    unittest.main()
