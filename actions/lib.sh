# shellcheck shell=bash
# Functions that the scripts of the actions share. They do without what bash 3.2 does not have: macOS has no newer one.

# annotate KIND TEXT writes a notice, warning or error that GitHub shows on the page of the run. It goes to stderr, which
# GitHub reads as well, since the output of a function may be the value of a variable.
annotate() {
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '::%s title=hone::%s\n' "$1" "$text" >&2
}

# stop CODE TEXT ends the step with an error.
stop() {
  annotate error "$2"
  exit "$1"
}

# output NAME VALUE sets an output of the step. A value of several lines could set others, so it is refused.
output() {
  case $2 in
    *$'\n'* | *$'\r'*) stop 2 "the output $1 would have several lines" ;;
  esac
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# refuse_windows ends the step on a system that hone does not measure on.
refuse_windows() {
  case ${RUNNER_OS:-} in
    Linux | macOS) ;;
    *) stop 7 "hone measures on Linux and macOS, and this runner has ${RUNNER_OS:-an unknown system}: use runs-on: ubuntu-latest" ;;
  esac
}

# need NAME... ends the step if a program is not installed.
need() {
  local name
  for name; do
    command -v "$name" >/dev/null || stop 7 "the program $name is not installed on this runner: install it in a step before this one"
  done
}

# split TEXT puts the words of an input into the array words. Quotes and backslashes group as in a shell. Nothing
# is expanded or executed, since a word may come from a stranger.
split() {
  local word file
  words=()
  case $1 in
    *[![:space:]]*) ;;
    *) return 0 ;;
  esac
  file=$(mktemp)
  printf '%s\n' "$1" | xargs printf '%s\0' >"$file" 2>/dev/null || stop 2 "this input has a quote without its end: $1"
  while IFS= read -r -d '' word; do words+=("$word"); done <"$file"
  rm -f "$file"
}

# event FILTER prints a field of the event, or nothing.
event() {
  jq -r "$1 // empty" "$GITHUB_EVENT_PATH"
}

# api METHOD PATH ANSWER [JSON] asks GitHub's API. The answer goes to the file ANSWER, and its status is printed; 000 means
# that there was no answer. JSON is a file to send. The token goes to curl by a pipe, so that no list of processes shows it.
api() {
  local more=()
  case $1 in
    GET) more=(--retry 2) ;;
    *) more=(--header 'Content-Type: application/json' --data-binary "@$4") ;; # not sent twice: it could have been done
  esac
  curl --silent --show-error --max-time 60 --request "$1" --output "$3" --write-out '%{http_code}' "${more[@]}" \
    --header @<(printf 'Authorization: Bearer %s\n' "$TOKEN") \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
    "${GITHUB_API_URL%/}$2" || true
}
