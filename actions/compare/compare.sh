#!/usr/bin/env bash
# Measures the checkout against its base, and writes reports, comment and ledger into one directory. It ends with 0
# when there is something to show, whatever the outcome: verdict.sh fails the job, after the uploads.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"
# shellcheck source=actions/compare/base.sh
. "$GITHUB_ACTION_PATH/base.sh"

refuse_windows
case ${GITHUB_EVENT_NAME:-} in
  pull_request_target | workflow_run | issue_comment)
    stop 2 "this action executes the code of the pull request, and a job on $GITHUB_EVENT_NAME has a token that may write: use on: pull_request" ;;
esac
case $UNDECIDED in warn | fail) ;; *) stop 2 "the input undecided is warn or fail, not \"$UNDECIDED\"" ;; esac
case $TRUST in true | false) ;; *) stop 2 "the input trust is true or false, not \"$TRUST\"" ;; esac
need git jq tar
command -v hone >/dev/null || stop 7 "hone is not installed: use gohone/hone/actions/setup in a step before this one"
cd "$WORKING_DIRECTORY"

out=$(mktemp -d "$RUNNER_TEMP/hone.XXXXXX")
work=$(mktemp -d "$RUNNER_TEMP/hone-work.XXXXXX")
ledger=$work/ledger

# config_file prints the path of the hone.yaml that hone would find, or nothing.
config_file() {
  local dir top
  dir=$(pwd -P)
  top=$(cd "$(git rev-parse --show-toplevel)" && pwd -P)
  while :; do
    [ ! -e "$dir/hone.yaml" ] || { printf '%s' "$dir/hone.yaml"; return; }
    [ "$dir" != "$top" ] && [ "$dir" != / ] || return 0
    dir=$(dirname "$dir")
  done
}

# run_hone NAME ARGS... executes hone. Its Markdown goes to NAME.md, what it says to NAME.log and the job's log, its
# exit code to the variable code. The files that GitHub reads from a step are no business of the program that is measured.
run_hone() {
  local name=$1
  shift
  printf 'hone'
  printf ' %q' "$@"
  printf '\n'
  set +e
  {
    env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STEP_SUMMARY -u GITHUB_STATE hone "$@" 2>&1 >&3 3>&- | tee "$work/$name.log"
    code=${PIPESTATUS[0]}
  } 3>"$work/$name.md"
  set -e
  printf '%s ends with exit code %s\n' "$name" "$code"
}

# gates TEXT adds a flag to args for each gate.
gates() {
  local gate
  split "$1"
  for gate in ${words[@]+"${words[@]}"}; do args+=(--gate "$gate"); done
}

# more TEXT adds the words of an input to args.
more() {
  split "$1"
  args+=(${words[@]+"${words[@]}"})
}

compare() {
  local config args words
  args=(compare)
  case $PACKAGE in
    '') ;;
    . | ./*) args+=("$base:./${PACKAGE#./}" "$PACKAGE") ;;
    *) stop 2 "the package \"$PACKAGE\" does not begin with ./" ;;
  esac
  args+=(--ledger "$ledger" --markdown)
  [ -z "$TARGET" ] || args+=(--target "$TARGET")
  [ -z "$BUDGET" ] || args+=(--budget "$BUDGET")
  gates "$GATES"
  more "$COMPARE_FLAGS"
  split "$PROGRAM_ARGS"
  [ ${#words[@]} = 0 ] || args+=(-- "${words[@]}")
  config=''
  [ -n "$PACKAGE" ] || config=$(config_file)
  if [ -n "$config" ]; then
    use_config "$config"
  fi
  run_hone compare "${args[@]}"
}

# use_config FILE makes hone.yaml ready for the measurement.
use_config() {
  # A pull request can change hone.yaml, and with it its own gates.
  if ! git diff --quiet --no-ext-diff "$base" -- "$1"; then
    changed="hone.yaml differs from that of the base: this pull request may have changed its own gates."
    annotate warning "$changed"
  fi
  name_base
  # hone executes what a hone.yaml asks for only if its user trusts the file. Here that is the file of the pull request, which a
  # stranger may have written. It is trusted nevertheless, for this measurement: the job builds and executes the code of the same
  # pull request anyway, so the file can do nothing that the code could not, and the job has no secrets (see the refusal above).
  if [ "$TRUST" = true ]; then
    trap 'hone trust --forget >/dev/null 2>&1 || true' EXIT
    hone trust || true # if it cannot be read, hone compare says why
  fi
}

bench() {
  local args words
  args=(bench)
  more "$BENCH"
  args+=(--vs "$base" --ledger "$ledger" --markdown)
  [ -z "$BENCH_BUDGET" ] || args+=(--budget "$BENCH_BUDGET")
  gates "$BENCH_GATES"
  more "$BENCH_FLAGS"
  run_hone bench "${args[@]}"
}

# meaning CODE puts an exit code into words.
meaning() {
  case $1 in
    0) echo "passed" ;;
    1) echo "regression" ;;
    2) echo "bad input" ;;
    3) echo "a variant or a benchmark does not build, start or stay up" ;;
    4) echo "invalid measurement" ;;
    5) echo "the ledger cannot be written" ;;
    6) echo "hone.yaml is not trusted" ;;
    7) echo "this machine cannot measure it" ;;
    8) echo "undecided, which is not a pass" ;;
    130) echo "interrupted" ;;
    *) echo "a fault of hone itself" ;;
  esac
}

# section NAME prints the Markdown of a measurement; if it has none, the end of what hone said. That is indented, so that nothing in it is markup.
section() {
  if [ -s "$work/$1.md" ]; then
    cat "$work/$1.md"
    return
  fi
  printf '### hone %s: no result (exit %s: %s)\n\n' "$1" "$code" "$(meaning "$code")"
  tail -n 30 "$work/$1.log" | LC_ALL=C tr -d '\000-\010\013-\037\177' | jq -Rr '"    " + .[0:300]'
}

# keep NAME notes the name that a measurement has in the ledger, and copies its report.
keep() {
  local id
  id=$(sed -n 's|^report: .*/\([0-9a-z]*\)\.html$|\1|p' "$work/$1.log" | tail -n 1)
  [ -n "$id" ] || return 0
  cp "$ledger/reports/$id.html" "$out/report-$1-$id.html"
  # summary.sh draws a picture from it. Without it there is no picture.
  if hone show "$id" --ledger "$ledger" --json >"$work/$1.json"; then
    mv "$work/$1.json" "$out/$1.json"
  fi
  receipt "$1" "$id"
}

# receipt NAME ID writes the receipt of a measurement into the artefact, and notes a line on it for the comment.
receipt() {
  local file=$out/receipt-$1.json tries
  hone show "$2" --ledger "$ledger" --receipt "$file" >"$work/receipt.log" 2>&1 || return 0
  tries=$(jq -r '"number \(.receipt.tries.place) of \(.receipt.tries.of)"' "$file" 2>/dev/null) || return 0
  receipts+="Receipt of hone $1: \`receipt-$1.json\` in the artefact, $tries of these trees. \`hone verify\` measures it again."$'\n'
  [ "${SIGN:-false}" = true ] || return 0
  if hone sign "$file" >"$work/sign.log" 2>&1; then
    receipts+="It is signed by this job: \`hone sign --verify\`."$'\n'
  else
    echo "::warning::the receipt of hone $1 is not signed: $(head -c 300 "$work/sign.log" | tr -d '\r' | tr '\n' ' ')"
  fi
}

# worse A B prints the exit code that counts: a fault before a regression, that before undecided.
worse() {
  local code
  for code in "$1" "$2"; do
    case $code in 0 | 1 | 8) ;; *) echo "$code"; return ;; esac
  done
  case "$1 $2" in
    *1*) echo 1 ;;
    *8*) echo 8 ;;
    *) echo 0 ;;
  esac
}

changed=''
receipts=''
worst=0
find_base
measured=0
comment=$out/comment.md
: >"$comment"
if [ "$PACKAGE" != none ] && { [ -n "$PACKAGE" ] || [ -n "$(config_file)" ]; }; then
  compare
  { section compare; echo; } >>"$comment"
  keep compare
  worst=$code measured=1
fi
if [ -n "$BENCH" ]; then
  bench
  section bench >"$work/bench-section.md"
  keep bench
  # GitHub takes 65,536 characters, and the comment's job adds some.
  if [ $(($(wc -c <"$comment") + $(wc -c <"$work/bench-section.md"))) -gt 60000 ]; then
    printf '### hone bench: exit %s: %s\n\nThe tables are too long for a comment. They are in the artefact of the run.\n' "$code" "$(meaning "$code")" >>"$comment"
    cp "$work/bench-section.md" "$out/bench.md"
  else
    { printf '### hone bench\n\n'; cat "$work/bench-section.md"; } >>"$comment"
  fi
  worst=$(worse "$worst" "$code") measured=1
fi
[ $measured = 1 ] || stop 2 "nothing to measure: give the input package or bench, or write a hone.yaml with hone init"
[ -z "$changed" ] || printf '\n**Note:** %s\n' "$changed" >>"$comment"
[ -z "$receipts" ] || printf '\n%s' "$receipts" >>"$comment"
[ "$(wc -c <"$comment")" -le 62000 ] || stop 70 "the comment has more than 62,000 bytes"

# The ledger goes into one file, since names in an artefact are restricted. The key stays here: with it short values of --env
# could be guessed from what the ledger keeps of them.
if [ -d "$ledger" ]; then
  tar -czf "$out/ledger.tar.gz" -C "$work" --exclude ledger/key --exclude ledger/reserve --exclude ledger/lock --exclude ledger/tmp ledger
fi
case $worst in
  0) outcome=passed ;;
  1) outcome=regression ;;
  4) outcome=invalid ;;
  8) outcome=undecided ;;
  *) outcome=error ;;
esac
output code "$worst"
output outcome "$outcome"
output directory "$out"
output markdown "$comment"
