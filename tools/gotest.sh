#!/usr/bin/env bash
# go test with its arguments, and the skipped tests with their reasons at the end: go
# test by itself prints a package of skipped tests as ok.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test -v "$@" >"$log" 2>&1
status=$?
if [ "$status" -eq 0 ]; then
  grep -E '^(ok|\?) ' "$log"
else
  grep -vE '^ *(=== |--- (PASS|SKIP): )' "$log"
fi
# The reason stands on the line before the name of the test.
grep -E -B1 '^ *--- SKIP: ' "$log" | sed -nE 's/^ *--- SKIP: (.*) \(.*/SKIPPED: \1/p; s/^ *[^ ]+_test\.go:[0-9]+: (.*)/(\1)/p'
exit "$status"
