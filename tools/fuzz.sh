#!/usr/bin/env bash
# fuzz.sh MODULE PACKAGE TARGET...: each fuzz target of a package for $FUZZTIME, all from one
# build. A target has up to four tries, the later ones longer: fuzzing may end with "context
# deadline exceeded" when the time is up, and a slow target may need more than a second for the
# inputs it has kept. An input that fails is kept in testdata/fuzz by then, and fails again.
# 255 makes xargs stop.
set -u
go=${GO:-go} package=$2
cd "$1" || exit 255
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
$go test -c -trimpath -vet=off -fuzz . -o "$dir/fuzz.test" "$package" || exit 255
cache=$($go env GOCACHE)/fuzz/$($go list "$package") # where go test -fuzz keeps its inputs
cd "$package" || exit 255
for target in "$@"; do
  for time in "${FUZZTIME:-20s}" 5s 25s 125s; do
    TMPDIR=$dir "$dir/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" -test.fuzzminimizetime 100x \
      -test.fuzzcachedir "$cache" -test.parallel 1 </dev/null >"$dir/said" 2>&1 && grep -q 'execs:' "$dir/said" && break
    cat "$dir/said"
    [ "$time" != 125s ] || exit 255
  done
  echo "$package $target: $(grep -o 'execs: [0-9]*' "$dir/said" | tail -n 1)"
done
