#!/usr/bin/env bash
# What needs no change of source, on two reference services: the settings that hone tries on a run,
# the sweep of the collector, and the cost of features. docs/tune.md has the figures.
set -eu
cd "$(dirname "$0")/.."
ledger=$(mktemp -d)
trap 'rm -rf "$ledger"' EXIT
here=(--ledger "$ledger/.hone" --quiet)

# verify TARGET PACKAGE STAGE FLAGS...: run it, and try settings on the run.
verify() {
  local target=$1 package=$2 stage=$3
  shift 3
  echo "== hone advise --verify: $package -stage $stage"
  run=$(./bin/hone run "$package" "${here[@]}" --target "$target" "$@" -d 5s --profile-time 4s --json \
    -- -stage "$stage" -addr '127.0.0.1:{port}' | sed -n 's/^  "id": "\(.*\)",$/\1/p')
  ./bin/hone advise --verify "$run" "${here[@]}" --target "$target"
  echo
}
chat='chat://127.0.0.1:{port}?room=10'
verify "$chat" ./services/chat/cmd/chat naive -c 50
verify 'framed://127.0.0.1:{port}' ./services/framed/cmd/framed reactor -c 100 --depth 16
echo "== hone tune gc: chat naive within 64 MiB"
./bin/hone tune gc ./services/chat/cmd/chat "${here[@]}" --target "$chat" -c 50 --memory-limit 64MiB -- -stage naive -addr '127.0.0.1:{port}'
echo
echo "== hone ablate: chat naive"
./bin/hone ablate ./services/chat/cmd/chat "${here[@]}" --target "$chat" -c 50 --without compression=arg:-compress=false \
  --without lines=arg:-lines=false -- -stage naive -addr '127.0.0.1:{port}'
