#!/usr/bin/env bash
# Tests hone's pages with axe-core, which checks accessibility. It comes from the npm registry, in one version whose
# checksum stands here, and is kept in bin/.
set -eu
version=4.14.1
sum=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
root=$(cd "$(dirname "$0")/.." && pwd)
packed=$root/bin/axe-core-$version.tgz

command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || {
  echo "make axe needs a browser, and there is no chromium in PATH: apt-get install chromium" >&2; exit 1; }
if [ ! -f "$packed" ]; then
  command -v npm >/dev/null || { echo "make axe fetches axe-core with npm, which is not in PATH: apt-get install npm" >&2; exit 1; }
  mkdir -p "$root/bin"
  npm pack --silent --pack-destination "$root/bin" "axe-core@$version" >/dev/null || {
    echo "npm cannot fetch axe-core $version: check the network, or put axe-core-$version.tgz into bin/" >&2; exit 1; }
fi
echo "$sum  $packed" | sha256sum --check --quiet || {
  echo "bin/axe-core-$version.tgz is not the file that was published: rm it, and run make axe again" >&2; exit 1; }
tar -xzf "$packed" -C "$root/bin" --strip-components=1 package/axe.min.js
cd "$root/ui"
HONE_AXE=$root/bin/axe.min.js exec "${GO:-go}" test -count=1 -tags axe -run '^TestAxe$' ./browser
