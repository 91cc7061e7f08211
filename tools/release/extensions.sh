#!/usr/bin/env bash
# Tags the extensions of a version of hone whose tag is published: a commit beside main, in which their go.mod name that
# version instead of the directory above them, since the go command installs no module with a replace line.
#
#   bash tools/release/extensions.sh v1.2.3 && git push origin cmd/hone-metrics/v1.2.3 ...
#   bash tools/release/extensions.sh --check     # all of it in a copy, installed from there
set -eu
cd "$(dirname "$0")/../.."
version=${1:?usage: $0 VERSION | --check}

# In the copy the go command and git find the repository under its name, at a version that never was: the go command keeps
# what it has once seen of a version.
if [ "$version" = --check ]; then
  version=v0.0.0-check.$(date +%s) copy=$(mktemp -d) modules=$(go env GOMODCACHE)
  remove() {
    for module in "" $(printf '/%s ' cmd/hone-*); do
      chmod -R u+w "$modules/github.com/gohone/hone$module@$version" 2>/dev/null || continue
      rm -rf "$modules/github.com/gohone/hone$module@$version" "$modules/cache/download/github.com/gohone/hone$module/@v/$version".*
    done
    rm -rf "$copy"
  }
  trap remove EXIT
  git clone -q . "$copy/hone"
  git -C "$copy/hone" tag "$version"
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.$copy/hone.insteadOf" GIT_CONFIG_VALUE_0=https://github.com/gohone/hone
  export GOPRIVATE=github.com/gohone/hone CGO_ENABLED=0 GOBIN=$copy/bin
  bash "$copy/hone/tools/release/extensions.sh" "$version"
  for dir in cmd/hone-*; do
    (cd "$copy" && go install "github.com/gohone/hone/$dir@$version" && "bin/${dir##*/}" --help >/dev/null)
    echo "installed by its tag: ${dir##*/}"
  done
  exit
fi

git diff --quiet HEAD || { echo "$0: there are changes that are not committed" >&2; exit 2; }
was=$(git symbolic-ref -q --short HEAD || git rev-parse HEAD)
trap 'git checkout -qf "$was"' EXIT
git checkout -q --detach "$version"
for dir in cmd/hone-*; do
  (cd "$dir" && go mod edit -dropreplace=github.com/gohone/hone -require="github.com/gohone/hone@$version" && GOWORK=off go mod tidy)
done
git -c user.name="${GIT_AUTHOR_NAME:-hone}" -c user.email="${GIT_AUTHOR_EMAIL:-hone@users.noreply.github.com}" commit -qam "The extensions name hone $version"
for dir in cmd/hone-*; do
  git tag "$dir/$version"
  echo "git push origin $dir/$version"
done
