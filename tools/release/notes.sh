#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for a tag: bash tools/release/notes.sh v1.2.3. A release candidate without one
# has the unreleased changes.
set -eu
cd "$(dirname "$0")/../.."
section() { awk -v head="## [$1]" 'index($0, head) == 1 { on = 1; next } on && /^(## |\[)/ { exit } on' CHANGELOG.md; }
text=$(section "${1#v}")
case $1 in *-*) [ -n "$text" ] || text=$(section Unreleased) ;; esac
[ -n "$text" ] || { echo "CHANGELOG.md has no section [${1#v}]" >&2; exit 1; }
printf '%s\n' "$text"
