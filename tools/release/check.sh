#!/usr/bin/env bash
# Checks what GoReleaser has left in bin/release: all files are there and whole, and the program for this machine names
# the commit that it was built from.
set -eu
cd "$(dirname "$0")/../.."
commit=$(git rev-parse HEAD)
cd bin/release
fault() { echo "bin/release: $*" >&2; exit 1; }

sha256sum --quiet --check checksums.txt || fault "checksums.txt is wrong"
for want in "4 hone_*.tar.gz" "4 hone_*.cdx.json" "4 hone-agent_*.cdx.json" "4 hone-metrics_*.cdx.json" "4 hone-share_*.cdx.json" "4 hone-sign_*.cdx.json" "2 hone_*.deb" "2 hone-*.rpm" "2 hone_*.apk"; do
  # shellcheck disable=SC2086 # the pattern has to expand
  set -- ${want%% *} ${want#* }
  [ $(($# - 1)) = "$1" ] && [ -e "$2" ] || fault "$(($# - 1)) files ${want#* }, want $1"
  shift
  for file in "$@"; do
    grep -q "  $file\$" checksums.txt || fault "checksums.txt lacks $file"
  done
done
for bom in hone*_*.cdx.json; do
  grep -q '"purl": "pkg:golang/github.com/spf13/cobra@' "$bom" || fault "$bom does not list the modules"
done

system=$(go env GOHOSTOS)_$(go env GOHOSTARCH)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tar -xzf hone_*_"$system".tar.gz -C "$dir"
for file in hone hone-agent hone-metrics hone-share hone-sign LICENSE README.md CHANGELOG.md INSTALL.md man/man1/hone-compare.1 completions/hone.bash completions/hone.zsh completions/hone.fish; do
  [ -s "$dir/$file" ] || fault "the archive of $system lacks $file"
done
said=$("$dir/hone" version --json)
case $said in *"\"commit\": \"$commit\""*) ;; *) fault "hone of $system is not of the commit $commit: $said" ;; esac
"$dir/hone" version
if command -v dpkg-deb >/dev/null; then
  deb=$(ls hone_*_"$(go env GOHOSTARCH)".deb)
  list=$(dpkg-deb --contents "$deb")
  for file in /usr/bin/hone /usr/bin/hone-agent /usr/bin/hone-metrics /usr/bin/hone-share /usr/bin/hone-sign /usr/share/man/man1/hone.1 /usr/share/bash-completion/completions/hone /usr/share/zsh/vendor-completions/_hone /usr/share/fish/vendor_completions.d/hone.fish; do
    case $list in *".$file"*) ;; *) fault "$deb lacks $file" ;; esac
  done
  dpkg-deb --field "$deb" Package Version Recommends
fi
find . -maxdepth 1 -type f -name 'hone*' -printf '%k kB  %f\n' | sort -k 3
