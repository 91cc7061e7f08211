#!/usr/bin/env bash
# Runs GoReleaser with these arguments: it and what it calls are built at the versions of their
# modfiles, into bin/tools. Only modules that are not in the go command's cache need the network.
#
#   bash tools/release/goreleaser.sh release --snapshot --clean
set -eu
cd "$(dirname "$0")/../.."
tools=$PWD/bin/tools
tool() { # MODFILE PACKAGE
  CGO_ENABLED=0 GOFLAGS= GOWORK=off go build -modfile="tools/$1/go.mod" -ldflags='-s -w' -o "$tools/" "$2"
}
tool goreleaser github.com/goreleaser/goreleaser/v2
tool sbom github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
PATH=$tools:$PATH exec goreleaser "$@"
