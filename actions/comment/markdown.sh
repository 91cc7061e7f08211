#!/usr/bin/env bash
# Gets the Markdown of the comment. The job that wrote it executed the code of a pull request, perhaps of a stranger: size, form and
# content are checked, nothing of it is executed, printed, or written under a name that it chose.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"
need curl jq unzip iconv

most=65000 # bytes; GitHub takes 65,536 characters
dir=$(mktemp -d "$RUNNER_TEMP/hone-comment.XXXXXX")

# artifact_id prints the number of the newest artefact of that name, or nothing.
artifact_id() {
  local status run name
  run=$(event .workflow_run.id)
  name=$(jq -rn --arg name "$ARTIFACT" '$name | @uri')
  status=$(api GET "/repos/$GITHUB_REPOSITORY/actions/runs/$run/artifacts?per_page=100&name=$name" "$dir/list")
  [ "$status" = 200 ] || stop 7 "GitHub does not list the artefacts of the run (status $status): the job needs the permission actions: read"
  jq -r --arg name "$ARTIFACT" --argjson most "$most" '
    [.artifacts[] | select(.name == $name and (.expired | not))] | max_by(.id)
    | if . == null then empty elif .size_in_bytes > $most then "too-big" else .id end' "$dir/list" ||
    stop 7 "GitHub's list of the artefacts cannot be read"
}

# download ID gets the artefact, which is a zip of one file.
download() {
  local names status
  # The size in the list is GitHub's. The file is bounded nevertheless (curl may not bound a transfer whose length it is not
  # told), and so is what comes out of the zip.
  status=$(ulimit -f $((2 * most / 1024)) && curl --silent --show-error --location --max-time 60 --retry 2 --max-filesize $((2 * most)) --output "$dir/zip" --write-out '%{http_code}' \
    --header @<(printf 'Authorization: Bearer %s\n' "$TOKEN") --header 'X-GitHub-Api-Version: 2022-11-28' \
    "${GITHUB_API_URL%/}/repos/$GITHUB_REPOSITORY/actions/artifacts/$1/zip") || status="$status, curl refused"
  [ "$status" = 200 ] || stop 4 "the artefact cannot be downloaded, or is too big (status $status)"
  [ "$(wc -c <"$dir/zip")" -le $((2 * most)) ] || stop 4 "the artefact is too big for a comment"
  names=$(unzip -Z1 "$dir/zip" 2>/dev/null | head -c 1000) || stop 4 "the artefact is no zip file"
  [ "$names" = comment.md ] || stop 4 "the artefact does not hold comment.md alone: no comment was written"
  # The content goes to standard output, so a name in the zip never becomes a path here. head ends what is larger than its list says.
  { unzip -P '' -p "$dir/zip" comment.md </dev/null 2>/dev/null || true; } | { head -c $((most + 1)) || true; } >"$dir/raw"
}

if [ "$GITHUB_EVENT_NAME" = workflow_run ]; then
  id=$(artifact_id)
  case $id in
    '')
      annotate notice "no comment: the run left no artefact $ARTIFACT, so it ended before there was a result"
      exit 0
      ;;
    *[!0-9]*) stop 4 "the artefact is too big for a comment" ;;
  esac
  download "$id"
else
  [ -f "$MARKDOWN_FILE" ] || stop 2 "the input file is the path of the comment's Markdown: \${{ steps.ID.outputs.markdown }} of the compare action"
  head -c $((most + 1)) "$MARKDOWN_FILE" >"$dir/raw"
fi

size=$(wc -c <"$dir/raw")
[ "$size" -gt 0 ] || stop 4 "comment.md is empty or cannot be read: no comment was written"
[ "$size" -le $most ] || stop 4 "comment.md has more than $most bytes: no comment was written"
iconv -f UTF-8 -t UTF-8 "$dir/raw" >/dev/null 2>&1 || stop 4 "comment.md is no text in UTF-8: no comment was written"
[ "$(LC_ALL=C tr -d '\000-\010\013\014\016-\037\177' <"$dir/raw" | wc -c)" -eq "$size" ] || stop 4 "comment.md has control characters: no comment was written"
jq -Rjs -f "$GITHUB_ACTION_PATH/defuse.jq" "$dir/raw" >"$dir/comment.md"
output file "$dir/comment.md"
