#!/usr/bin/env bash
# Writes the comment: the first time as a new one, later instead of the old one, which a hidden marker tells apart.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"

case $KEY in
  '' | *[!A-Za-z0-9._-]*) stop 2 "the input key \"$KEY\" has other characters than letters, digits, dots, dashes and underscores" ;;
esac
case $NUMBER in
  '' | *[!0-9]*) stop 2 "\"$NUMBER\" is not the number of a pull request" ;;
esac
marker="<!-- hone comment: $KEY -->"
comments=/repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments
dir=$(mktemp -d "$RUNNER_TEMP/hone-post.XXXXXX")

# old_comment prints the number of the comment to replace, or nothing. The author counts, too: anyone can write the marker, and the
# token may change the comments of others.
old_comment() {
  local page status
  for page in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    status=$(api GET "$comments?per_page=100&page=$page" "$dir/page")
    [ "$status" = 200 ] || stop 7 "GitHub does not list the comments of pull request $NUMBER (status $status)"
    jq -r --arg marker "$marker" --arg author "$AUTHOR" \
      '[.[] | select(.user.login == $author and (.body // "" | startswith($marker)))] | first | .id // empty' "$dir/page" >"$dir/id" ||
      stop 7 "GitHub's list of the comments of pull request $NUMBER cannot be read"
    if [ -s "$dir/id" ]; then
      cat "$dir/id"
      return
    fi
    [ "$(jq length "$dir/page")" = 100 ] || return 0
  done
}

measured=$(event '.workflow_run.head_sha // .pull_request.head.sha')
run=$(event .workflow_run.html_url)
run=${run:-$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID}
# The line about its origin stands first: below, the text could hide it.
jq -n --arg marker "$marker" --rawfile text "$MARKDOWN" --arg measured "${measured:0:12}" --arg run "$run" '
  {body: ($marker + "\n<sub>Measured at " + $measured + " by [this run](" + $run + "), which executes the code of the pull request. "
    + "Its artefact has the report and the ledger.</sub>\n\n" + $text)}' >"$dir/body"

old=$(old_comment)
if [ -n "$old" ]; then
  status=$(api PATCH "/repos/$GITHUB_REPOSITORY/issues/comments/$old" "$dir/answer" "$dir/body")
else
  status=$(api POST "$comments" "$dir/answer" "$dir/body")
fi
case $status in
  200 | 201)
    url=$(jq -r '.html_url // empty' "$dir/answer")
    echo "comment: $url"
    output url "$url"
    ;;
  403)
    [ "$GITHUB_EVENT_NAME" = pull_request ] || stop 7 "the token may not comment (status 403): the job needs the permission pull-requests: write"
    annotate notice "no comment: the token may only read, as it does for forks. The summary has the result; docs/ci.md shows a second workflow that may comment"
    ;;
  *) stop 7 "GitHub refuses the comment (status $status): $(jq -r '.message // empty' "$dir/answer" 2>/dev/null | head -c 300)" ;;
esac
