#!/usr/bin/env bash
# beside.sh FILE BESIDE MAIN runs the shell commands BESIDE and MAIN at the same time. What BESIDE says goes to FILE, and is
# printed after both have ended. It fails if one of them does.
set -u
mkdir -p "$(dirname "$1")"
{
  bash -c "$2"
  code=$?
  echo "what ran at the same time took $SECONDS s"
  exit "$code"
} >"$1" 2>&1 &
beside=$!
bash -c "$3"
code=$?
wait "$beside" || code=1
cat "$1"
exit "$code"
