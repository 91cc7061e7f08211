#!/usr/bin/env bash
# Prints the packages that start goroutines or share memory (concurrent), or all others
# (serial), cmd/hone left out. The race detector has nothing to see in serial ones, and
# takes two to ten times as long. The one test with goroutines of package prof makes them
# wait for each other so that there is something to profile; the package itself has none.
set -eu
[ "$1" = concurrent ] || [ "$1" = serial ] || { echo "usage: $0 concurrent|serial" >&2; exit 2; }
go list -f '{{.Dir}} {{.ImportPath}}' ./... | while read -r dir path; do
  case $path in */cmd/hone) continue ;; esac
  kind=serial
  if [ "${path##*/}" != prof ] &&
    grep -qE '"sync|\bgo func|\bgo [a-zA-Z.]+\(|\.Go\(|\bchan |t\.Parallel\(' "$dir"/*.go; then
    kind=concurrent
  fi
  [ "$kind" != "$1" ] || echo "$path"
done
