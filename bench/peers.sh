#!/usr/bin/env bash
# Installs the load generators that hone is measured against, at pinned versions, into
# a cache directory (HONE_BENCH_CACHE, else hone-bench in the user's cache), and says
# what it could not install and why. What is there already is kept. It always exits 0
# unless the directory cannot be made: a benchmark runs with the peers it finds.
#
#   bash bench/peers.sh [NAME...]
set -u
cache=${HONE_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hone-bench}
mkdir -p "$cache/bin" "$cache/build" || exit 1
missing=0

report() { # NAME VERSION RESULT [LOG]
  if [ "$3" = 0 ]; then
    echo "$2" >"$cache/bin/$1.version"
    echo "$1 $2: installed"
  else
    missing=$((missing + 1))
    echo "$1 $2: not installed: $(grep -v '^go: downloading' "$4" | tail -n 1)"
    echo "  all of it: $4"
  fi
}

present() { # NAME VERSION
  [ -x "$cache/bin/$1" ] && [ "$(cat "$cache/bin/$1.version" 2>/dev/null)" = "$2" ] &&
    echo "$1 $2: present"
}

# A small module that requires the peer, instead of go install PKG@VERSION, which also
# asks for the list of versions, and that is refused for some modules.
go_peer() { # NAME VERSION MODULE [PACKAGE]
  present "$1" "$2" && return
  local dir=$cache/build/$1 log=$cache/build/$1.log
  rm -rf "$dir" && mkdir -p "$dir"
  printf 'module peer\n\ngo 1.24\n\nrequire %s %s\n' "$3" "$2" >"$dir/go.mod"
  (cd "$dir" && CGO_ENABLED=0 GOFLAGS= GOWORK=off nice -n 10 \
    go build -p 1 -mod=mod -o "$cache/bin/$1" "${4:-$3}") >"$log" 2>&1
  report "$1" "$2" $? "$log"
}

cargo_peer() { # NAME VERSION
  present "$1" "$2" && return
  local log=$cache/build/$1.log
  if ! command -v cargo >/dev/null; then
    echo "no cargo: install Rust" >"$log"
    report "$1" "$2" 1 "$log"
    return
  fi
  # --locked: the newest versions of its dependencies want a newer compiler.
  CARGO_TARGET_DIR=$cache/build/$1 nice -n 10 cargo install --jobs 1 --locked \
    --root "$cache" --version "$2" "$1" >"$log" 2>&1
  report "$1" "$2" $? "$log"
  rm -rf "$cache/build/$1" # some hundred MB
}

# A package of the system: named, never installed from here, because that needs root.
system_peer() { # NAME PACKAGE
  if command -v "$1" >/dev/null; then
    echo "$1: present ($(command -v "$1"))"
  else
    missing=$((missing + 1))
    echo "$1: not installed: run apt-get install $2"
  fi
}

install_peer() {
  case $1 in
  wrk) system_peer wrk wrk ;;
  h2load) system_peer h2load nghttp2-client ;;
  vegeta) go_peer vegeta v12.12.0 github.com/tsenart/vegeta/v12 ;;
  hey) go_peer hey v0.1.4 github.com/rakyll/hey ;;
  bombardier) go_peer bombardier v1.2.6 github.com/codesenberg/bombardier ;;
  fortio) go_peer fortio v1.57.3 fortio.org/fortio ;;
  k6) go_peer k6 v0.57.0 go.k6.io/k6 ;;
  oha) cargo_peer oha 1.8.0 ;;
  ghz) go_peer ghz v0.121.0 github.com/bojand/ghz github.com/bojand/ghz/cmd/ghz ;;
  *)
    missing=$((missing + 1))
    echo "$1: unknown; known are wrk h2load vegeta hey bombardier fortio k6 oha ghz"
    ;;
  esac
}

[ $# -gt 0 ] || set -- wrk h2load vegeta hey bombardier fortio k6 oha ghz
for name in "$@"; do install_peer "$name"; done
[ "$missing" = 0 ] || echo "$missing of $# missing: the benchmarks run without them"
