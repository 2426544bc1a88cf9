"""Whether a document is SPDX 2.3 as JSON: the fields, forms and references that Scripts/sbom can make use of."""

import re

IDENTIFIER = r"SPDXRef-[A-Za-z0-9.-]+"
LICENCES = {"Apache-2.0", "CC-BY-SA-4.0", "CC0-1.0", "Swift-exception", "NOASSERTION", "NONE", "AND", "OR", "WITH"}
LICENCE = ("licence",)
FORMS = {
    "document": {
        "spdxVersion": r"SPDX-2\.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": r".+",
        "documentNamespace": r"[a-z]+:[^#\s]+", "creationInfo": dict, "packages": list, "relationships": list},
    "creationInfo": {"created": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "creators": list},
    "package": {
        "SPDXID": IDENTIFIER, "name": r".+", "versionInfo": r"\S+", "downloadLocation": "NOASSERTION",
        "filesAnalyzed": bool, "licenseConcluded": LICENCE, "licenseDeclared": LICENCE, "copyrightText": r".+",
        "supplier": r"(Organization|Person): .+",
        "primaryPackagePurpose": "APPLICATION|FRAMEWORK|LIBRARY|CONTAINER|OPERATING-SYSTEM|FILE|OTHER"},
    "relationship": {
        "spdxElementId": IDENTIFIER, "relatedSpdxElement": IDENTIFIER,
        "relationshipType": "DESCRIBES|CONTAINS|STATIC_LINK|DYNAMIC_LINK|DATA_FILE_OF"},
    "checksum": {"algorithm": "SHA256", "checksumValue": "[0-9a-f]{64}"},
    "externalRef": {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                    "referenceLocator": r"pkg:[a-z]+/[A-Za-z0-9._~%/-]+(@[A-Za-z0-9._~%-]+)?(\?[a-z]+=[a-z0-9-]+)?"},
}
OPTIONAL = {"package": {"summary": r".+", "sourceInfo": r".+", "checksums": list, "externalRefs": list,
                        "attributionTexts": list}}


def problems(document):
    """What is wrong, one line each."""
    found = []

    def check(kind, value, place):
        required, optional = FORMS[kind], OPTIONAL.get(kind, {})
        for key in required.keys() - value.keys():
            found.append(f"{place}: {key} is missing")
        for key, item in value.items():
            form = required.get(key, optional.get(key))
            if form is None:
                found.append(f"{place}: {key} is no field of a {kind}")
            elif isinstance(form, type):
                if not isinstance(item, form):
                    found.append(f"{place}: {key} is no {form.__name__}")
            elif not isinstance(item, str):
                found.append(f"{place}: {key} is no text")
            elif form is LICENCE:
                if not set(re.sub(r"[()]", " ", item).split()) <= LICENCES:
                    found.append(f"{place}: {key}: {item}")
            elif not re.fullmatch(form, item):
                found.append(f"{place}: {key}: {item}")

    check("document", document, "document")
    check("creationInfo", document.get("creationInfo", {}), "creationInfo")
    for creator in document.get("creationInfo", {}).get("creators", []):
        if not re.fullmatch(r"(Tool|Organization|Person): .+", creator):
            found.append(f"creationInfo: {creator}")
    known = {"SPDXRef-DOCUMENT"}
    for entry in document.get("packages", []):
        place = entry.get("name", "a package")
        check("package", entry, place)
        if entry.get("SPDXID") in known:
            found.append(f"{place}: its SPDXID is not its own")
        known.add(entry.get("SPDXID"))
        for key, kind in (("checksums", "checksum"), ("externalRefs", "externalRef")):
            for item in entry.get(key, []):
                check(kind, item, place)
    related = set()
    for entry in document.get("relationships", []):
        check("relationship", entry, "a relationship")
        ends = {entry.get("spdxElementId"), entry.get("relatedSpdxElement")}
        related |= ends
        for end in ends - known:
            found.append(f"a relationship: there is no {end}")
    for name in sorted(known - related):
        found.append(f"{name} is related to nothing")
    return found
