# shellcheck shell=bash
# Finds the commit that the checkout is compared with.

# commit NAME prints the commit that a name means here, or nothing.
commit() {
  git rev-parse --verify --quiet --end-of-options "$1^{commit}" || true
}

# find_base sets base to a short name of the commit, and base_branch to the branch that the event is based on, if there is one.
find_base() {
  local merged found
  git rev-parse --is-inside-work-tree >/dev/null ||
    stop 2 "git finds no repository here (its message is in the log): use actions/checkout with fetch-depth: 0"
  base_branch=$(event '.pull_request.base.ref // (.merge_group.base_ref // "" | sub("^refs/heads/"; ""))')
  merged=$(event .pull_request.head.sha)
  if [ -n "$BASE" ]; then
    found=$(commit "$BASE")
    [ -n "$found" ] || found=$(commit "refs/remotes/origin/$BASE")
    [ -n "$found" ] || { fetch_branch "$BASE"; found=$(commit "refs/remotes/origin/$BASE"); }
  elif [ -n "$merged" ] && [ "$(commit 'HEAD^2')" = "$merged" ]; then
    found=$(commit 'HEAD^1') # GitHub's merge of head into base: what it adds to base is the change
  else
    case $base_branch$(event .before) in
      '') stop 2 "the event ${GITHUB_EVENT_NAME:-} has no base: give the input base" ;;
    esac
    found=$(fork_point)
    [ -n "$found" ] || { fetch_branch "$base_branch"; found=$(fork_point); }
  fi
  [ -n "$found" ] || stop 2 "the base ${BASE:-$base_branch} is not in this checkout: use actions/checkout with fetch-depth: 0, or give the input base"
  base=$(git rev-parse --short=12 "$found")
  printf 'base: %s\n' "$(git log -1 --format='%h %s' "$found")"
}

# fork_point prints the last commit that the checkout shares with what the event is based on, or nothing.
fork_point() {
  local from
  for from in "$(event '.pull_request.base.sha // .merge_group.base_sha // .before')" "${base_branch:+refs/remotes/origin/$base_branch}"; do
    if [ -n "$from" ] && git merge-base "$from" HEAD 2>/dev/null; then
      return
    fi
  done
  return 0
}

# fetch_branch BRANCH brings a branch here, and the history up to it where the checkout is shallow.
fetch_branch() {
  local depth=()
  git check-ref-format --branch "$1" >/dev/null 2>&1 || return 0
  [ "$(git rev-parse --is-shallow-repository)" = false ] || depth=(--unshallow)
  printf 'fetch %s\n' "$1"
  git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "+refs/heads/$1:refs/remotes/origin/$1" || true
}

# name_base gives the base the name of its branch, since the baseline of hone.yaml names that branch, and a checkout of a pull
# request has no local branches.
name_base() {
  local here
  [ -n "$base_branch" ] || return 0
  here=$(git symbolic-ref --quiet HEAD || true)
  [ "$here" != "refs/heads/$base_branch" ] || return 0
  git update-ref "refs/heads/$base_branch" "$(commit "$base")"
  printf 'branch %s is %s\n' "$base_branch" "$base"
}
