#!/usr/bin/env bash
# go test with its arguments, and the skipped tests with their reasons at the end: go
# test by itself prints a package of skipped tests as ok. LONG says which of the long tests run (long.sh): all if it is empty.
# make lint vets everything. -trimpath leaves the directory out of what is compiled, so that all clones share it. COUNT=1
# runs also those tests whose results Go has kept. Test programs, and the programs that tests build, link in half the time without debugging
# information. The times of all tests are added to bin/test-times. The race detector needs cgo; what tests build does without.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
case " $* " in *' -race '*) export CGO_ENABLED=1 && set -- -exec 'env CGO_ENABLED=0' "$@" ;; esac
chosen=$(bash "$root/tools/long.sh" "${LONG:-all}") || exit
GOFLAGS="${GOFLAGS:-} -ldflags=-w" go test -trimpath -v -vet=off ${COUNT:+"-count=$COUNT"} ${chosen:+"$chosen"} "$@" >"$log" 2>&1
status=$?
if [ "$status" -eq 0 ]; then
  grep -E '^(ok|\?) ' "$log"
else
  grep -vE '^ *(=== |--- (PASS|SKIP): )|^PASS$|\[rapid\] OK' "$log"
fi
# What a test says, t.Skip's reason last, stands below the line that names it; a story's is in its command.
awk '/^ *=== / { test = $3 }
  match($0, /_test\.go:[0-9]+: /) { said[test] = substr($0, RSTART + RLENGTH) }
  match($0, /^ *> .*skip \047/) { said[test] = substr($0, RSTART + RLENGTH, length($0) - RSTART - RLENGTH) }
  /^ *--- SKIP: / { print "SKIPPED: " $3 ": " said[$3] }' "$log"
mkdir -p "$root/bin"
# The line of a package stands below those of its tests.
awk -v file="$root/bin/test-times" '
  NR == FNR { if (/^ *[0-9]/) long[$2]; next }
  /^ *--- (PASS|FAIL): / { times[$3] = substr($4, 2) + 0 }
  /^(ok|FAIL)[ \t]/ && NF > 2 {
    for (test in times) {
      printf "%7.2f s  %s %s\n", times[test], $2, test >>file
      parent = test; sub("/.*", "", parent)
      if (times[test] >= 20 && !(test in long || parent in long || test ~ /^Test(Scripts|Stories|README)$/))
        printf "LONG, and not in tools/long.txt: %s %s, %.0f s\n", $2, test, times[test]
    }
    delete times
  }' "$root/tools/long.txt" "$log"
echo "these tests took $SECONDS s"
# CI keeps the end of what it prints: the failed lines of stories, and the names of failed tests, stand there.
[ "$status" -eq 0 ] || grep -E '^ *FAIL: |^ *--- FAIL: ' "$log"
exit "$status"
