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
# A repository without a remote: GoReleaser would know no commit. A snapshot of one without a tag is of v0.0.1.
if ! git ls-remote --get-url >/dev/null 2>&1; then
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/gohone/hone.git
fi
PATH=$tools:$PATH exec goreleaser "$@"
