#!/usr/bin/env bash
# Each rung of the visitor counter's ladder against the one before it, and whether hone
# calls the one that makes it slower slower. Needs bin/hone and this directory.
set -eu
cd "$(dirname "$0")"
wrong=0
while read -r a b want; do
  echo "== $a -> $b"
  ../bin/hone compare "./visits/cmd/visits -stage $a" "./visits/cmd/visits -stage $b" --quiet --no-profile \
    --ledger "${LEDGER:-.hone}" --target 'http://127.0.0.1:{port}/hello?name=gopher&color=blue' -c 50 --budget 60s \
    -- -addr '127.0.0.1:{port}' </dev/null >visits.out || [ $? = 8 ]
  grep -E '^(B is|undecided|measurement)' visits.out
  if [ -n "$want" ] && ! grep -q "^B is $want than A" visits.out; then
    echo "WRONG: want $want"
    wrong=1
  fi
done <<'RUNGS'
regexp regexp-once faster
regexp-once loop
loop header
header logline faster
logline fprintf slower
fprintf pooled faster
pooled query
query narrow
RUNGS
rm -f visits.out
exit $wrong
