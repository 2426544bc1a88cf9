"""Makes a certificate authority and the leaf certificates of the test servers, by the openssl command."""

import pathlib
import subprocess

CONFIGURATION = """
[ca]
default_ca = tests
[tests]
database = {directory}/index.txt
new_certs_dir = {directory}
certificate = {directory}/ca.pem
private_key = {directory}/ca.key
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
authorityKeyIdentifier = keyid
subjectAltName = {alternative_names}
"""

LOCAL = "DNS:localhost,IP:127.0.0.1,IP:::1"


def run(*arguments):
    """Runs openssl; its complaints are the error's text."""
    result = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]}: {result.stderr}")


def make_authority(directory: pathlib.Path, name: str) -> pathlib.Path:
    """A fresh authority in a new directory; the path of its certificate."""
    directory.mkdir(parents=True)
    (directory / "index.txt").touch()
    write_configuration(directory, LOCAL)
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", f"/CN={name}", "-config", directory / "openssl.cnf", "-extensions", "authority",
        "-keyout", directory / "ca.key", "-out", directory / "ca.pem")  # fmt: skip
    return directory / "ca.pem"


def make_leaf(directory: pathlib.Path, name: str, alternative_names=LOCAL, dates=()) -> tuple:
    """A leaf signed by the directory's authority; the paths of its certificate and key.

    `dates` are further arguments of `openssl ca`, which can set dates in the past.
    """
    write_configuration(directory, alternative_names)
    request, key, certificate = (directory / f"{name}.{end}" for end in ("csr", "key", "pem"))
    run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
        "-config", directory / "openssl.cnf", "-keyout", key, "-out", request)  # fmt: skip
    run("ca", "-batch", "-notext", "-config", directory / "openssl.cnf", "-extensions", "leaf",
        "-in", request, "-out", certificate, *(dates or ("-days", "2")))  # fmt: skip
    return certificate, key


def write_configuration(directory: pathlib.Path, alternative_names: str):
    """The openssl configuration of one authority."""
    text = CONFIGURATION.format(directory=directory, alternative_names=alternative_names)
    (directory / "openssl.cnf").write_text(text)
