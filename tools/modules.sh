#!/usr/bin/env bash
# The tests of the modules that are not hone's own, those of what is concurrent with the arguments: -race, or none. A module
# that fails does not keep the others from being tested.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
race=${1:-}
code=0
mkdir -p "$root/bin"
# tests KIND ARG... tests the packages of a kind of the module in this directory, with the arguments of go test.
tests() {
  packages=$(bash "$root/tools/packages.sh" "$1") || return
  # shellcheck disable=SC2086 # the packages are words
  [ -z "$packages" ] || bash "$root/tools/gotest.sh" "${@:2}" -timeout 15m $packages
}
# module DIR tests the packages of the module in a directory.
module() {
  echo "in ${1#"$root"/}:"
  (cd "$1" && tests concurrent ${race:+"$race"}; concurrent=$?; tests serial && exit "$concurrent")
}
# lane FILE DIR... tests modules one after the other. What it says goes to the file.
lane() {
  file=$1 code=0
  shift
  for dir; do
    module "$dir" || code=1
  done >"$file" 2>&1
  return "$code"
}
# Two lanes of the same length: the tests of the agents and of the pages mostly wait, those of the others compute.
others=()
for dir in "$root"/cmd/hone-* "$root"/bench "$root"/tools "$root"/tools/site; do
  [ "$dir" = "$root/cmd/hone-agent" ] || others+=("$dir")
done
lane "$root/bin/test-waiting" "$root/cmd/hone-agent" "$root/ui" &
waiting=$!
lane "$root/bin/test-computing" "${others[@]}" || code=1
wait "$waiting" || code=1
cat "$root/bin/test-computing" "$root/bin/test-waiting"
exit "$code"
