#!/usr/bin/env bash
# The tests of the modules that are not hone's own, those of what is concurrent with the arguments: -race, or none. A module
# that fails does not keep the others from being tested.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
code=0
mkdir -p "$root/bin"
# tests KIND ARG... tests the packages of a kind of the module in this directory, with the arguments of go test.
tests() {
  packages=$(bash "$root/tools/packages.sh" "$1") || return
  # shellcheck disable=SC2086 # the packages are words
  [ -z "$packages" ] || bash "$root/tools/gotest.sh" "${@:2}" -timeout 15m $packages
}
# module DIR [ARG...] tests the packages of the module in a directory.
module() {
  echo "in ${1#"$root"/}:"
  (cd "$1" && tests concurrent "${@:2}"; concurrent=$?; tests serial && exit "$concurrent")
}
# The tests of the agents mostly wait, for the ends of loads and for what is lost: the other modules are tested meanwhile.
module "$root/cmd/hone-agent" "$@" >"$root/bin/test-agent" 2>&1 &
agent=$!
for dir in "$root"/cmd/hone-* "$root"/bench "$root"/ui "$root"/tools "$root"/tools/site; do
  [ "$dir" = "$root/cmd/hone-agent" ] || module "$dir" "$@" || code=1
done
wait "$agent" || code=1
cat "$root/bin/test-agent"
exit "$code"
