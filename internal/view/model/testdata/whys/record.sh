#!/usr/bin/env bash
# Records the views of TestTheFirstWhyNamesTheEdit anew: bash record.sh HONE [NAME...], with the path of a built hone.
# Each edit of the shop is compared with the shop as it is, under load; that takes about two minutes for each.
set -eu
hone=$(realpath "$1"); shift
here=$(cd "$(dirname "$0")" && pwd)
shop=$here/../../../../../cmd/hone/testdata/shop
[ $# -gt 0 ] || set -- $(cd "$here" && ls -d */ | tr -d /)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cmd"
cp -r "$shop/cmd/server" "$work/cmd/server"
cd "$work"
printf 'module example.com/shop\n\ngo 1.26\n' > go.mod
git init -q -b base .
commit() { git add -A && git -c user.name=recorder -c user.email=recorder@example.com commit -qm "$1"; }
commit base
for name in "$@"; do
	git checkout -q -B "$name" base
	git apply "$here/$name/edit.patch"
	commit "$name"
	address=127.0.0.1:{port}
	"$hone" compare base:./cmd/server "$name:./cmd/server" --set answers.may-differ --profile-time 8s --budget 150s \
		--target "http://$address$(cat "$here/$name/path")" -- -addr "$address" | tee out || true
	for side in A B; do
		run=$(sed -n "s/^$side: .*, run \([0-9a-f]*\))$/\1/p" out)
		"$hone" advise "$run" --save "$here/$name/$(echo $side | tr AB ab).view" > /dev/null
	done
	# A view has no exact counts of allocations; the comparison says what they come to.
	"$hone" show "$(sed -n 's/^next: hone show \([0-9a-f]*\) .*/\1/p' out)" --json |
		python3 -c 'import json, sys; c = json.load(sys.stdin)["comparison"]["contests"][0]; print(json.dumps(c.get("why_allocs", {}), indent=1))' \
			> "$here/$name/allocs.json"
done
