# Counts what passed and failed over many kinds of test. Sourced by Scripts/test.

# The tests of the libraries for apps. They are timed against deadlines, and Swift's own threads are as many as the
# cores: tests that compute for seconds would keep them waiting. So they have a run of their own.
apps='^(RegionClientTests|AdPlanTests|ConsentOrderTests)\.'

passed=0
failed=0
failures=()
tally_log=$(mktemp)
# Lines `matrix CLIENT FILE ROWS` that clients' tests wrote.
tally_matrix=$(mktemp)
trap 'rm -f "$tally_log" "$tally_matrix"' EXIT

tally_keep_matrix() { grep -hoE 'matrix [a-z]+ [a-z-]+\.json .*' "$tally_log" >>"$tally_matrix" || true; }

tally_fail() {
  failed=$((failed + 1))
  failures+=("$1")
}

# tally_check NAME COMMAND…: one test, passed when the command succeeds.
tally_check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else tally_fail "$name"; fi
}

# tally_build ARGUMENT…: `swift build`, which counts only when it fails, and then says why.
tally_build() {
  swift build "$@" >"$tally_log" 2>&1 && return
  if ! grep -E '^[^ ]*: error: |^error: ' "$tally_log" | sort -u | head -n 40; then tail -n 40 "$tally_log"; fi
  tally_fail "swift build $*"
  return 1
}

# tally_swift COMMAND…: `swift test`, counted by the closing lines of Swift Testing and XCTest.
tally_swift() {
  local status=0 run
  "$@" >"$tally_log" 2>&1 || status=$?
  grep -E '^✘|^Fatal|^error: |: (error|warning): ' "$tally_log" | head -n 100 || true
  tally_keep_matrix
  run=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$tally_log" | awk '{ n += $1 } END { print n + 0 }')
  local bad
  bad=$(grep -cE '^✘ Test .* (failed|recorded)' "$tally_log" || true)
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then
    tail -n 40 "$tally_log"
    tally_fail "$* (status $status)"
  fi
  [ "$run" -gt 0 ] || tally_fail "$*: no test ran"
  failed=$((failed + bad))
  [ "$bad" = 0 ] || failures+=("$*: $bad tests")
  passed=$((passed + run - bad))
  tail -n 1 "$tally_log"
}

# tally_python FOLDER [PATTERN]: the test_*.py of the folder, with the standard library's runner.
tally_python() {
  local status=0 run bad
  python3 -W error::ResourceWarning -m unittest discover -s "$1" -p "${2:-test_*.py}" -v >"$tally_log" 2>&1 || status=$?
  grep -vE ' \.\.\. ok$' "$tally_log" | tail -n 120 || true
  run=$(sed -nE 's/^Ran ([0-9]+) tests?.*/\1/p' "$tally_log" | tail -n 1)
  # `FAILED (failures=1, errors=2, skipped=3)`; nothing of the kind when all is well.
  bad=$(sed -nE 's/^FAILED \((.*)\)$/\1/p' "$tally_log" | tr ',' '\n' |
    awk -F= '/failures|errors/ { n += $2 } END { print n + 0 }')
  [ "${run:-0}" -gt 0 ] || tally_fail "$1: no test ran"
  if [ "$status" != 0 ] && [ "${bad:-0}" = 0 ]; then tally_fail "$1 (status $status)"; fi
  failed=$((failed + ${bad:-0}))
  [ "${bad:-0}" = 0 ] || failures+=("$1: $bad tests")
  passed=$((passed + ${run:-0} - ${bad:-0}))
}

# tally_lines NAME COMMAND…: a command that ends with a line 'N passed, N failed' of its own.
tally_lines() {
  local name=$1 status=0 line
  shift
  "$@" 2>&1 | tee "$tally_log" || status=$?
  tally_keep_matrix
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$tally_log" | tail -n 1 || true)
  if [ -z "$line" ]; then
    tally_fail "$name: no count (status $status)"
    return
  fi
  passed=$((passed + $(printf '%s' "$line" | sed -E 's/^([0-9]+) passed.*/\1/')))
  local bad
  bad=$(printf '%s' "$line" | sed -E 's/.* ([0-9]+) failed.*/\1/')
  failed=$((failed + bad))
  if [ "$bad" != 0 ]; then
    failures+=("$name: $bad tests")
  elif [ "$status" != 0 ]; then
    tally_fail "$name (status $status)"
  fi
}

tally_end() {
  local failure
  for failure in "${failures[@]}"; do printf 'failed: %s\n' "$failure"; done
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
}
