#!/usr/bin/env bash
# The first minute with hone on a bare Debian: makes one by debootstrap, with Go beside it and no Go caches, installs what
# make release has left in bin/release, once the .deb and once the archive, and runs hone there, each command timed.
# The transcript goes to stdout and bin/firstminute.txt. It needs root, debootstrap, and the network for packages and modules.
#
#   SERVICE=DIR   a checkout of a Go service whose main package is in its root, for hone run and hone compare; without it
#                 hone runs a service of a few lines that is written here
#   GOROOT=DIR    the Go that the machine gets; that of the go command, if empty
#   SUITE, MIRROR, WORK: Debian's release, its mirror, and a directory for it all (2 GB)
set -eu
cd "$(dirname "$0")/.."
for need in debootstrap unshare chroot; do
  command -v "$need" >/dev/null || { echo "$need not found: apt-get install debootstrap util-linux" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "debootstrap and chroot need root" >&2; exit 1; }
# In a mount namespace of its own: what is mounted below goes away with this script, whatever ends it.
[ "${FIRSTMINUTE_INSIDE:-}" = 1 ] || FIRSTMINUTE_INSIDE=1 exec unshare --mount --pid --fork --kill-child -- bash "$PWD/bench/firstminute.sh"

arch=$(go env GOHOSTARCH)
goroot=${GOROOT:-$(go env GOROOT)}
deb=$(ls "$PWD"/bin/release/hone_*_"$arch".deb 2>/dev/null) || { echo "no package in bin/release: make release" >&2; exit 1; }
tarball=$(ls "$PWD"/bin/release/hone_*_linux_"$arch".tar.gz)
own=
if [ -z "${WORK:-}" ]; then
  own=$(mktemp -d)
  WORK=$own
fi
trap '[ -z "$own" ] || rm -rf --one-file-system "$own"' EXIT
mkdir -p "$WORK" bin
transcript=$PWD/bin/firstminute.txt
: >"$transcript"
say() { printf '%s\n' "$*" | tee -a "$transcript"; }

if [ ! -e "$WORK/base/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=ca-certificates,git "${SUITE:-bookworm}" "$WORK/base" ${MIRROR:+"$MIRROR"} >"$WORK/debootstrap.log" 2>&1 ||
    { tail -n 5 "$WORK/debootstrap.log" >&2; exit 1; }
fi

# machine NAME: a copy of the base with Go, a user, and the network settings of this machine.
machine() {
  root=$WORK/$1
  rm -rf --one-file-system "$root"
  cp -a "$WORK/base" "$root"
  mkdir -p "$root/usr/local/go" "$root/proc" "$root/dev" "$root/sys"
  mount --bind "$goroot" "$root/usr/local/go"
  mount -o remount,bind,ro "$root/usr/local/go"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  mount --bind /sys "$root/sys"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # The certificate authorities of this machine, for networks with one of their own.
  cp -L "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/ssl/certs/ca-certificates.crt"
  chroot "$root" useradd --create-home --shell /bin/bash ann
}

seconds() { date +%s.%N; }

# as USER COMMAND: runs it in the machine, shows it with its output and how long it took. Exit codes of verdicts are no fault.
as() {
  local user=$1 code=0 began
  shift
  say "$([ "$user" = root ] && echo '#' || echo '$') $*"
  began=$(seconds)
  env -i TERM=dumb HOME="$([ "$user" = root ] && echo /root || echo /home/"$user")" GOPROXY="$(go env GOPROXY)" GOSUMDB="$(go env GOSUMDB)" \
    PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot --userspec="$user:$user" "$root" /bin/bash -c "cd ~ && { ${in:+cd $in && }$*; }" >"$WORK/out" 2>"$WORK/err" || code=$?
  tee -a "$transcript" <"$WORK/out"
  case $code in
  0) ;;
  1 | 4 | 8) say "(exit $code)" ;;
  *) cat "$WORK/err" >&2; say "(exit $code)"; exit 1 ;;
  esac
  say "$(awk -v a="$began" -v b="$(seconds)" 'BEGIN { printf "[%.1f s]", b - a }')"
  say ""
}

service() {
  mkdir "$root/home/ann/service"
  if [ -n "${SERVICE:-}" ]; then
    git -C "$SERVICE" archive HEAD | tar -x -C "$root/home/ann/service"
  else
    cat >"$root/home/ann/service/go.mod" <<'MOD'
module example.com/service

go 1.26
MOD
    cat >"$root/home/ann/service/main.go" <<'GO'
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello, %s\n", r.URL.Path) })
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
GO
  fi
  chroot "$root" chown -R ann:ann /home/ann/service
}

say "$(date -u +%F), $(nproc) CPUs, $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(cat "$WORK/base/etc/debian_version" | sed 's/^/Debian /'), $("$goroot/bin/go" env GOVERSION)"
say ""
say "The package, on a machine with Go, git and no Go caches:"
say ""
machine package
cp "$deb" "$root/tmp/hone.deb"
service
as root dpkg -i /tmp/hone.deb
as ann hone version
as ann hone doctor
in=service as ann "hone run . -d 5s --quiet${ARGS:+ -- $ARGS}"
as ann "hone demo --quiet >demo.txt; tail -n 1 demo.txt"
as ann "hone demo --quiet >demo.txt; tail -n 1 demo.txt; grep -E '^(B is|refused:)' demo.txt"

say "The archive, on another one:"
say ""
machine archive
cp "$tarball" "$root/tmp/hone.tar.gz"
service
as root tar -C /usr/local/bin -xzf /tmp/hone.tar.gz hone
as ann hone version
in=service as ann "hone run . -d 5s --quiet${ARGS:+ -- $ARGS}"
say "The transcript is in bin/firstminute.txt."
