# Shared by the scripts; sourced, never run. Needs bash.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '==> %s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$1" >&2
  shift
  for hint in "$@"; do printf '  %s\n' "$hint" >&2; done
  exit 1
}

# Swift where the usual installers put it, when it is not on the PATH.
require_swift() {
  local place
  if ! command -v swift >/dev/null 2>&1; then
    for place in /opt/swift/usr/bin /usr/local/swift/usr/bin "$HOME/.local/share/swiftly/bin"; do
      [ -x "$place/swift" ] && PATH="$place:$PATH" && break
    done
  fi
  command -v swift >/dev/null 2>&1 || die "Swift is not installed." \
    "Swift 6.2 or later is needed: https://www.swift.org/install/linux/ has it for Debian 12."
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -1)
  [ -n "$version" ] || die "'swift --version' does not answer."
  if [ "$(printf '6.2\n%s\n' "$version" | sort -V | head -1)" != 6.2 ]; then
    die "Swift $version is too old; 6.2 or later is needed."
  fi
}

# as_root COMMAND…
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# default_database BINARY: builds build/region-bucket.mmdb unless it is as new as what it is made of.
default_database() {
  local database=build/region-bucket.mmdb sources=(/usr/share/tor/geoip /usr/share/tor/geoip6)
  if [ -s "$database" ] && ! [ "${sources[0]}" -nt "$database" ] && ! [ "${sources[1]}" -nt "$database" ]; then
    return
  fi
  say "Building the country database from ${sources[*]}"
  mkdir -p build
  "$1" database build --output "$database" "${sources[@]}"
}

is_installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# packages_of [PART]: the Debian packages that a part of the tests needs, or all. In Tests/packages.txt each line is a
# package and the parts that need it besides `endtoend`, which needs all. The clients' tests install what they need.
packages_of() {
  awk -v part="${1:-endtoend}" \
    'part == "endtoend" || index(" " $0 " ", " " part " ") > length($1) { print $1 }' "$root/Tests/packages.txt"
}

# require_packages NAME…: installs the Debian packages that are missing.
require_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null 2>&1 || die "This is no Debian: there is no dpkg-query." \
    "On another system install what these packages hold, and run the commands of the README by hand: $*"
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    die "Debian packages are missing, and only root can install them: ${missing[*]}" \
      "As root: apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing Debian packages: ${missing[*]}"
  (
    # Services that come with a package must not start: tests start their own, on free ports.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
      printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
      as_root chmod +x "$policy"
      trap 'as_root rm -f "$policy"' EXIT
    fi
    install_packages "${missing[@]}" || { as_root apt-get -q update >&2 && install_packages "${missing[@]}"; }
  ) || die "apt-get could not install: ${missing[*]}"
}

install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "$@" >&2
}

# fetch_tool PACKAGE PATH: one program out of a Debian package that need not be installed whole; puts it first on PATH.
fetch_tool() {
  local name=${2##*/} tools=$root/build/tools place
  PATH="$tools:$PATH"
  command -v "$name" >/dev/null 2>&1 && return 0
  say "Unpacking $name of Debian's package $1"
  mkdir -p "$tools"
  place=$(mktemp -d)
  (
    cd "$place"
    apt-get -q download "$1" >/dev/null 2>&1 || { as_root apt-get -q update >&2 && apt-get -q download "$1" >&2; }
    dpkg-deb --fsys-tarfile ./*.deb | tar -xf - "./$2"
    cp "$2" "$tools/"
  ) || die "could not get $name of Debian's package $1"
  rm -rf "$place"
}

# python_with PACKAGE…: prints the path of a Python that has these packages of PyPI, in an environment under build/.
python_with() {
  local package
  [ -x "$root/build/venv/bin/python" ] || python3 -m venv "$root/build/venv" >&2
  for package in "$@"; do
    "$root/build/venv/bin/python" -m pip show --quiet "$package" >/dev/null 2>&1 ||
      "$root/build/venv/bin/python" -m pip install --quiet "$package" >&2 ||
      die "pip could not install $package" "The network may be missing."
  done
  printf '%s\n' "$root/build/venv/bin/python"
}

# test_with BINARY: makes it, and a database of Debian's tor-geoipdb, the ones that the end-to-end tests run.
test_with() {
  export RB_TEST_BINARY=$1 RB_TEST_DATABASE=$root/build/region-bucket.mmdb
  mkdir -p "$root/build"
  "$1" database build --quiet --output "$RB_TEST_DATABASE" /usr/share/tor/geoip /usr/share/tor/geoip6 2>/dev/null
}
