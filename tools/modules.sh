#!/usr/bin/env bash
# The tests of the modules that are not hone's own, those of what is concurrent with the arguments: -race, or none. A module
# that fails does not keep the others from being tested.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
code=0
# tests KIND ARG... tests the packages of a kind of the module in this directory, with the arguments of go test.
tests() {
  packages=$(bash "$root/tools/packages.sh" "$1") || return
  # shellcheck disable=SC2086 # the packages are words
  [ -z "$packages" ] || bash "$root/tools/gotest.sh" "${@:2}" -timeout 15m $packages
}
for dir in "$root"/cmd/hone-* "$root"/bench "$root"/ui "$root"/tools/site; do
  echo "in ${dir#"$root"/}:"
  (cd "$dir" && tests concurrent "$@") || code=1
  (cd "$dir" && tests serial) || code=1
done
exit "$code"
