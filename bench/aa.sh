#!/usr/bin/env bash
# False alarms: a server compared with itself, TRIES times 10 s. Prints each verdict
# and fails if more than one try in 20 says faster or slower.
set -eu
cd "$(dirname "$0")/.."
tries=${TRIES:-20}
program='./services/framed/cmd/framed -stage batched'
alarms=0
for i in $(seq "$tries"); do
  line=$(./bin/hone compare "$program" "$program" --quiet --no-profile \
    --target 'framed://127.0.0.1:{port}' -c 100 --depth 16 -d 10s -- -addr '127.0.0.1:{port}' |
    grep -E '^(undecided|B is|no verdict)')
  echo "$i: $line"
  case $line in "B is faster"* | "B is slower"*) alarms=$((alarms + 1)) ;; esac
done
echo "$alarms false alarms in $tries tries"
[ "$alarms" -le $((tries / 20)) ]
