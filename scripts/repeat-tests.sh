#!/bin/sh
# Runs each test file many times while another process loads one core. This finds tests that depend on time or chance.
# The first argument is the number of runs.
# Usage: scripts/repeat-tests.sh 50 packages/server/test/platform/stream/stream.test.ts ...
# SEALPOST_TEST_SEED and the variables of services (SEALPOST_TEST_POSTGRES_URL, ...) work as in `npm test`; see
# CONTRIBUTING.md.
set -u
times=$1
shift
sh -c 'while :; do :; done' &
load=$!
trap 'kill "$load" 2>/dev/null' EXIT INT TERM
status=0
for file in "$@"; do
  passed=0
  run=0
  while [ "$run" -lt "$times" ]; do
    run=$((run + 1))
    if out=$(npx node --test --test-timeout=600000 "$file" 2>&1); then
      passed=$((passed + 1))
    else
      status=1
      printf '%s\n' "$out" | grep -v '^npm' | tail -60
    fi
  done
  echo "$file: $passed of $times passed"
done
exit "$status"
