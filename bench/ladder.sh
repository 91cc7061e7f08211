#!/usr/bin/env bash
# Each stage of the framed server against the one before it, 100 connections, depth 16.
# Published figures: services/framed/README.md.
set -eu
cd "$(dirname "$0")/.."
program=./services/framed/cmd/framed
for pair in "raw buffered" "buffered pooled" "pooled batched" "buffered batched"; do
  read -r a b <<<"$pair"
  ./bin/hone compare "$program -stage $a" "$program -stage $b" --quiet \
    --target 'framed://127.0.0.1:{port}' -c 100 --depth 16 -d 15s -- -addr '127.0.0.1:{port}'
  echo
done
