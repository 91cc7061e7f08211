#!/usr/bin/env bash
# long.sh LONG prints the argument of go test that chooses from the tests of long.txt: none of them, only them, all, or
# N/PARTS: of PARTS parts of them the one with the number N modulo PARTS. The tests that are not long run in all cases but "only".
set -eu
case $1 in
  all) exit ;;
  none | only) part=-1 parts=1 ;;
  *[0-9]/[1-9]*) parts=${1#*/} && part=$((${1%/*} % parts)) ;;
  *) echo "LONG is $1: use none, only, all, or a part such as 2/8" >&2 && exit 2 ;;
esac
# The lines of a paragraph are sorted by their seconds, so that each goes to the part with the fewest seconds so far.
awk -v flag="$([ "$1" = only ] && echo -run || echo -skip)" -v part="$part" -v parts="$parts" '
  /^#/ { for (i = 0; i < parts; i++) seconds[i] = 0 }
  /^ *[0-9]/ {
    least = 0
    for (i = 1; i < parts; i++) if (seconds[i] < seconds[least]) least = i
    seconds[least] += $1
    if (least == part) next
    gsub(/[][().*+?|^$\\]/, "\\\\&", $2)
    gsub("/", "$/^", $2)
    printf "%s^%s$", (printed++ ? "|" : flag "="), $2
  }
  END { print "" }' "$(dirname "$0")/long.txt"
