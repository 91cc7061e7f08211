#!/usr/bin/env bash
# Builds hone under another release of Go, and runs the tests of what depends on the
# toolchain: the probe in the programs, the runtime's metrics, profiles and gctrace lines,
# the object files, heap dumps, and the fields of crypto/tls that tlsidle knows. A release that can neither be found in
# the module cache nor downloaded is skipped, and that is said.
set -eu
export GOTOOLCHAIN=$1 CGO_ENABLED=0
if ! said=$(go version 2>&1); then
  printf 'SKIPPED: tests under %s, which is neither in the module cache nor can be downloaded:\n%s\n' "$1" "$said"
  exit 0
fi
echo "$said"
go build -trimpath -ldflags=-w -o /dev/null ./cmd/hone
gotest='bash tools/gotest.sh -timeout 5m'
# The tests of tlsidle mostly wait for the ends of connections: the others compute meanwhile.
bash tools/beside.sh bin/newer-waiting "$gotest ./services/tlsidle" "
  code=0
  $gotest ./probe ./internal/program/gctrace ./internal/program/sqltrace ./internal/program/metrics/goruntime || code=1
  $gotest -run 'Kind|Delta|Site' ./prof || code=1
  $gotest -run 'Probe|Runtime|Metrics|Histogram|Toolchain|Layout|BuildOf' ./internal/program/build \
    ./internal/program/probeclient ./internal/program/subject || code=1
  $gotest -run 'ReachAChange' ./internal/program/samecode || code=1
  $gotest -run 'HoldersAre|NothingHolds' ./prof/holders || code=1
  exit \$code"
