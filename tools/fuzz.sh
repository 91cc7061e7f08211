#!/usr/bin/env bash
# fuzz.sh MODULE PACKAGE TARGET: one fuzz target for $FUZZTIME. Up to three tries, since go test
# may end with "context deadline exceeded" when the time is up; an input that fails is kept
# by then, and fails again. 255 makes xargs stop.
cd "$1" || exit 255
for _ in 1 2 3; do
  ${GO:-go} test -run '^$' -fuzz "^$3\$" -fuzztime "${FUZZTIME:-20s}" -parallel 1 "$2" </dev/null && exit 0
done
exit 255
