#!/usr/bin/env bash
# Commits a file to a branch of its own, and opens a pull request for it, or updates the one that is open.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"
need git jq curl

# checked_inputs ends the step if an input would write outside of the repository, or to a branch that others use.
checked_inputs() {
  local name
  for name in "$CONTENT" "$MARKDOWN"; do
    [ -s "$name" ] || stop 2 "the file \"$name\" is missing or empty: use actions/download-artifact in a step before this one"
  done
  case /$TO/ in
    // | //* | */../* | */.git/*) stop 2 "the input path \"$TO\" is not a path within the repository" ;;
  esac
  git check-ref-format --branch "$BRANCH" >/dev/null 2>&1 || stop 2 "the input branch \"$BRANCH\" is not a name of a branch"
  [ "$BRANCH" != "$BASE" ] || stop 2 "the inputs branch and base are both \"$BASE\": the branch is overwritten, so give it a name of its own"
  [ "$(wc -c <"$MARKDOWN")" -le 62000 ] || stop 2 "the report has more than 62,000 bytes, and GitHub takes 65,536 characters"
}

# pushed commits the file and pushes the branch. It is false if the repository has the file already.
pushed() {
  mkdir -p "$(dirname "$TO")"
  cp "$CONTENT" "$TO"
  git add -- "$TO"
  ! git diff --cached --quiet -- "$TO" || return 1
  git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
    commit --quiet --no-verify --message "$TITLE" -- "$TO"
  git push --quiet --force origin "HEAD:refs/heads/$BRANCH" ||
    stop 7 "the branch $BRANCH cannot be pushed: the job needs the permission contents: write, and actions/checkout its token (persist-credentials)"
}

# open_pull prints the number of the open pull request of the branch, or nothing.
open_pull() {
  local status head
  head=$(jq -rn --arg head "${GITHUB_REPOSITORY%%/*}:$BRANCH" '$head | @uri')
  status=$(api GET "$pulls?state=open&per_page=1&head=$head" "$dir/open")
  [ "$status" = 200 ] || stop 7 "GitHub does not list the pull requests (status $status): the job needs the permission pull-requests: write"
  jq -r '.[0].number // empty' "$dir/open"
}

checked_inputs
dir=$(mktemp -d "$RUNNER_TEMP/hone-propose.XXXXXX")
pulls=/repos/$GITHUB_REPOSITORY/pulls
if ! pushed; then
  annotate notice "no pull request: $TO has this content already"
  output url ''
  exit 0
fi
jq -n --arg title "$TITLE" --arg head "$BRANCH" --arg base "$BASE" --rawfile text "$MARKDOWN" \
  --arg run "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" \
  '{$title, $head, $base, body: ("<sub>Measured by [this run](" + $run + ").</sub>\n\n" + $text)}' >"$dir/pull"
number=$(open_pull)
if [ -n "$number" ]; then
  status=$(api PATCH "$pulls/$number" "$dir/answer" "$dir/pull")
else
  status=$(api POST "$pulls" "$dir/answer" "$dir/pull")
fi
case $status in
  200 | 201)
    url=$(jq -r '.html_url // empty' "$dir/answer")
    echo "pull request: $url"
    output url "$url"
    ;;
  403) stop 7 "the token may not open pull requests (status 403): the job needs the permission pull-requests: write, and the repository the setting \"Allow GitHub Actions to create pull requests\"" ;;
  *) stop 7 "GitHub refuses the pull request (status $status): $(jq -r '.message // empty' "$dir/answer" 2>/dev/null | head -c 300)" ;;
esac
