#!/usr/bin/env bash
# The tests of the modules that are not hone's own, with the arguments of go test: those of one that fails do not keep the others
# from being run.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
code=0
for dir in "$root"/cmd/hone-* "$root"/bench "$root"/ui "$root"/tools/site; do
  echo "in ${dir#"$root"/}:"
  (cd "$dir" && bash "$root/tools/gotest.sh" "$@" ./...) || code=1
done
exit "$code"
