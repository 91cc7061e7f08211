#!/usr/bin/env bash
# Each rung of the visitor counter's ladder against the one before it, as two versions of
# one benchmark, and whether hone calls the one that makes it slower slower. Needs bin/hone
# and this directory. BUDGET is the most time for a pair, 60s without it.
set -eu
cd "$(dirname "$0")/../services/visits"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
wrong=0
while read -r a b want; do
  echo "== $a -> $b"
  code=0 # 1 is slower, 8 undecided
  ../../bin/hone bench . --vs ./ --identical --bench 'Stage$' --budget "${BUDGET:-60s}" --quiet \
    --env "A:VISITS_STAGE=$a" --env "B:VISITS_STAGE=$b" --ledger "$out/ledger" -o "$out/results.txt" \
    </dev/null >"$out/report" || code=$?
  if [ "$code" != 0 ] && [ "$code" != 1 ] && [ "$code" != 8 ]; then
    cat "$out/report"
    exit "$code"
  fi
  awk '/^(B is|undecided:)/ { print } / per operation, A -> B$/ { measure = $1 }
    /^  Stage/ { sub(/^ *[^ ]+ +/, ""); print measure ": " $0 }' "$out/report"
  if [ -n "$want" ] && ! grep -q "^B is $want than A" "$out/report"; then
    echo "WRONG: want $want"
    wrong=1
  fi
done <<'RUNGS'
start fprintf slower
fprintf pooled faster
pooled pooled-log faster
pooled-log zerolog faster
zerolog bytes faster
bytes final
final sharded faster
RUNGS
exit $wrong
