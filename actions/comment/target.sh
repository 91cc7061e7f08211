#!/usr/bin/env bash
# Finds the number of the pull request: from the event and from GitHub, never from what the measuring job wrote.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"
need curl jq

# nothing TEXT ends the step without a pull request, which is not an error.
nothing() {
  annotate notice "no comment: $1"
  exit 0
}

case $GITHUB_EVENT_NAME in
  pull_request)
    output number "$(event .pull_request.number)"
    exit 0
    ;;
  workflow_run) ;;
  *) stop 2 "this action comments on pull_request and on workflow_run, not on $GITHUB_EVENT_NAME" ;;
esac
[ "$(event .workflow_run.event)" = pull_request ] || nothing "the run was not for a pull request"
sha=$(event .workflow_run.head_sha)
owner=$(event .workflow_run.head_repository.owner.login)
branch=$(event .workflow_run.head_branch)
if [ -z "$sha" ] || [ -z "$owner" ] || [ -z "$branch" ]; then
  nothing "the event does not say what was measured; the fork may be deleted"
fi

# The event names the pull request only if it comes from the same repository. For a fork its list is empty, so GitHub is asked for
# the open pull requests of the branch, and the one whose head was measured counts.
answer=$(mktemp "$RUNNER_TEMP/hone-pulls.XXXXXX")
head=$(jq -rn --arg head "$owner:$branch" '$head | @uri')
status=$(api GET "/repos/$GITHUB_REPOSITORY/pulls?state=open&per_page=100&head=$head" "$answer")
[ "$status" = 200 ] || stop 7 "GitHub does not list the pull requests (status $status): the job needs the permission pull-requests: write"
numbers=$(jq -r --arg sha "$sha" --arg repository "$(event .workflow_run.head_repository.id)" \
  '[.[] | select(.head.sha == $sha and (.head.repo.id | tostring) == $repository) | .number | numbers] | join(" ")' "$answer") ||
  stop 7 "GitHub's list of the pull requests cannot be read"
case $numbers in
  '') nothing "no open pull request has the head $sha: it was closed, or has newer commits, which are measured by a run of their own" ;;
  *' '*) nothing "several pull requests ($numbers) have the head $sha, and it is not known which of them was measured" ;;
esac
output number "$numbers"
