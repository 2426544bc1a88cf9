"""Runs the browser tests; writes `passed failed` as two numbers to the file named by the first argument."""

import pathlib
import sys
import unittest


class Result(unittest.TextTestResult):
    """Counts tests, not their parts: one with a failed part has failed once."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    @property
    def failed(self):
        # A test that was skipped has shown nothing.
        bad = [test for test, _ in [*self.failures, *self.errors, *self.skipped]]
        return len({getattr(test, "test_case", test).id() for test in bad})


def main():
    suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    result = unittest.TextTestRunner(sys.stdout, verbosity=2, resultclass=Result).run(suite)
    pathlib.Path(sys.argv[1]).write_text(f"{result.passed} {result.failed}\n")
    sys.exit(0 if result.wasSuccessful() and result.failed == 0 and result.passed > 0 else 1)


if __name__ == "__main__":
    main()
