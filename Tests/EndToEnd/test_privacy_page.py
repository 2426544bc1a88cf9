"""What Docs/privacy.md says and no other test holds, and that the check of its proofs finds what is missing."""

import pathlib
import plistlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import BINARY, DATABASE, ROOT

sys.path.insert(0, str(ROOT / "Tests/Tidy"))
import tidy  # noqa: E402

PAGE = ROOT / "Docs/privacy.md"
# Apple's lists: file time stamps, boot time, disk space, active keyboards, user defaults.
REQUIRED_REASON = (
    r"\b(creationDate|contentModificationDate\w*|modificationDate|fileModificationDate|creationDateKey|getattrlist\w*"
    r"|fgetattrlist|f?stat(at)?|lstat|systemUptime|mach_absolute_time|volumeAvailableCapacity\w*"
    r"|volumeTotalCapacity\w*|systemFreeSize|systemSize|f?statv?fs|activeInputModes|UserDefaults|NSUserDefaults"
    r"|AppStorage)\b")


class Page(unittest.TestCase):
    def test_no_library_uses_an_api_that_needs_a_reason(self):
        files = [path for folder in ("RegionClient", "AdPlan", "ConsentOrder", "RegionModel")
                 for path in (ROOT / "Sources" / folder).glob("**/*.swift")]
        self.assertGreater(len(files), 15)
        for path in files:
            code = re.sub(r"//.*", "", path.read_text())
            self.assertNotRegex(code, REQUIRED_REASON, path.name)
        self.assertRegex("let last = UserDefaults.standard.string(forKey: key)", REQUIRED_REASON)

    def test_explain_prints_no_address_and_no_city(self):
        typed = ("peer: 127.0.0.1\nCloudFront-Viewer-Country: US\nCloudFront-Viewer-City: SentinelCity\n"
                 "X-Forwarded-For: 168.126.63.77\nCookie: sentinel\n")
        for sources in ("cdn,database", "database"):
            said = subprocess.run(
                [BINARY, "explain", "--sources", sources, "--cdn-preset", "cloudfront", "--client-address-header",
                 "X-Forwarded-For", "--database-path", DATABASE, "--policy-regional", "KR,US/Elsewhere"],
                input=typed, capture_output=True, text=True, check=True, env={})
            self.assertIn("country ", said.stdout)
            for word in ("entinel", "168.126", "127.0.0.1"):
                self.assertNotIn(word, said.stdout + said.stderr)

    def test_the_page_is_linked(self):
        self.assertIn("(Docs/privacy.md)", (ROOT / "README.md").read_text())

    def test_proofs_that_are_missing_are_found(self):
        """The seeded faults of Tests/Tidy's check."""
        def breaches(change):
            with tempfile.TemporaryDirectory() as directory:
                path = pathlib.Path(directory) / "privacy.md"
                path.write_text(change(PAGE.read_text()))
                found = []
                tidy.check_proofs(path, lambda _, text: found.append(text))
                return found
        self.assertEqual(breaches(lambda text: text), [])
        for old, new in (("**P3**", "**P33**"), ("`test_dumps.py", "`x.py"), ("(P20)", "(P99)"),
                         ("test_no_file_is_written", "test_no_file"),
                         (" `test_dumps.py: test_no_file_is_written`", "")):
            self.assertTrue(breaches(lambda text: text.replace(old, new)), old)

    def test_the_manifest_is_a_property_list(self):
        blocks = re.findall(r"```xml\n(.*?)```", PAGE.read_text(), re.S)
        self.assertEqual(len(blocks), 2)
        manifest = plistlib.loads(f"<plist version='1.0'><dict>{blocks[0]}</dict></plist>".encode())
        self.assertEqual(manifest, {
            "NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyAccessedAPITypes": [],
            "NSPrivacyCollectedDataTypes": []})
        entry = plistlib.loads(f"<plist version='1.0'>{blocks[1]}</plist>".encode())
        self.assertEqual(set(entry), {
            "NSPrivacyCollectedDataType", "NSPrivacyCollectedDataTypeLinked", "NSPrivacyCollectedDataTypeTracking",
            "NSPrivacyCollectedDataTypePurposes"})


if __name__ == "__main__":
    unittest.main()
