#!/usr/bin/env bash
# Ends the job as the exit code of hone says.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"

case $CODE in
  0) echo "hone: passed" ;;
  8)
    [ "$UNDECIDED" = warn ] || stop 8 "undecided, which is not a pass: read the summary, or raise the budget"
    annotate warning "undecided, which is not a pass: read the summary, or raise the budget"
    ;;
  1) stop 1 "regression: a gate failed, or something is slower; what the summary calls confirmed was measured a second time" ;;
  4) stop 4 "invalid measurement: it shows neither a pass nor a regression; the summary says why" ;;
  6) stop 6 "hone.yaml is not trusted: set the input trust to true, or trust it on this runner with hone trust" ;;
  [1-9] | [1-9][0-9] | [1-9][0-9][0-9]) stop "$CODE" "hone ended with exit code $CODE: the summary has its message" ;;
  *) stop 70 "there is no exit code: \"$CODE\"" ;;
esac
