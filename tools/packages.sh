#!/usr/bin/env bash
# Prints those packages with tests that start goroutines or share memory (concurrent), or all others
# (serial), cmd/hone left out: its stories run the real hone, which is built without the race
# detector. They are those of the module in the working directory. The detector has nothing to see in serial packages, and takes two to ten times as
# long; goroutines that only a test starts are processes' and servers' beside what is tested.
# internal/conduct/loadtest measures with all the goroutines of package load.
set -eu
[ "$1" = concurrent ] || [ "$1" = serial ] || { echo "usage: $0 concurrent|serial" >&2; exit 2; }
# Not what stands in a text or a comment: rules about code name sync and channels.
concurrent='^[[:space:]]*"sync(/atomic)?"$|^[^"`/]*(\bgo func|\bgo [a-zA-Z.]+\(|\.Go\(|\bchan )'
go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}} {{.ImportPath}} {{range .GoFiles}}{{.}} {{end}}{{end}}' ./... | while read -r dir path files; do
  case $path in */cmd/hone) continue ;; esac
  kind=serial
  # shellcheck disable=SC2086 # the files are words
  if [ "${path##*/}" = loadtest ] ||
    { [ -n "$files" ] && (cd "$dir" && grep -qE "$concurrent" $files); }; then
    kind=concurrent
  fi
  [ "$kind" != "$1" ] || echo "$path"
done
