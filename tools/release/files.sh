#!/usr/bin/env bash
# Makes the manual pages and the completions of hone, from its commands, in bin/release-files.
set -eu
cd "$(dirname "$0")/../.."
export CGO_ENABLED=0
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) # the pages bear the month of the commit
export SOURCE_DATE_EPOCH
out=$PWD/bin/release-files
rm -rf "$out"
mkdir -p "$out/man" "$out/completions"
go test ./cmd/hone -vet=off -count=1 -ldflags=-w -run '^TestManPages$' -args -man "$out/man"
go build -trimpath -buildvcs=false -o "$out/hone" ./cmd/hone
for shell in bash zsh fish; do
  "$out/hone" completion "$shell" >"$out/completions/hone.$shell"
done
rm "$out/hone"
