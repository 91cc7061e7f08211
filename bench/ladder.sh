#!/usr/bin/env bash
# Each stage of the framed server against the one before it, 100 connections, depth 16.
# Published figures: services/framed/README.md.
set -eu
cd "$(dirname "$0")/.."
program=./services/framed/cmd/framed
while read -r a b published; do
  echo "== $a -> $b (published: $published)"
  ./bin/hone compare "$program -stage $a" "$program -stage $b" --quiet \
    --target 'framed://127.0.0.1:{port}' -c 100 --depth 16 --budget 60s -- -addr '127.0.0.1:{port}' </dev/null
  echo
done <<'PAIRS'
raw buffered 185,000 -> 270,000 requests/s, +46 %
buffered pooled 270,000 -> 292,000 requests/s, +8 %
pooled batched none
buffered batched none
batched reactor none
PAIRS
