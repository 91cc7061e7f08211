#!/usr/bin/env bash
# Builds the container image of hone for linux/amd64 and linux/arm64, without a daemon and without a base from a
# registry (tools/image), and tests it: bin/image is its OCI layout, bin/image-sbom its lists of modules.
# With a tag as argument it pushes the image to $IMAGE under that tag, and as latest unless it is a candidate, and prints its name with the digest to stdout.
#
#   bash tools/release/image.sh [TAG]
set -eu
cd "$(dirname "$0")/../.."
image=${IMAGE:-ghcr.io/gohone/hone} tag=${1:-}
tools=$PWD/bin/tools layout=$PWD/bin/image sboms=$PWD/bin/image-sbom

CGO_ENABLED=0 GOFLAGS= GOWORK=off go build -modfile=tools/image/go.mod -ldflags='-s -w' -o "$tools/" github.com/google/ko
(cd tools/image && CGO_ENABLED=0 GOFLAGS= GOWORK=off go build -ldflags='-s -w' -o "$tools/" .)

HONE_VERSION=${tag:-v0.0.1-snapshot.$(git rev-parse --short HEAD)}
HONE_COMMIT=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
HONE_DATE=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
export HONE_VERSION HONE_COMMIT HONE_DATE SOURCE_DATE_EPOCH
export KO_CONFIG_PATH=$PWD/tools/image/ko.yaml KO_DOCKER_REPO=$image
labels=org.opencontainers.image.source=https://github.com/gohone/hone,org.opencontainers.image.licenses=Apache-2.0
labels=$labels,org.opencontainers.image.version=$HONE_VERSION,org.opencontainers.image.revision=$HONE_COMMIT

# ko puts one program into an image: the extensions are in the base.
HONE_EXTENSIONS=$PWD/bin/image-extensions
export HONE_EXTENSIONS
rm -rf "$layout" "$sboms" "$HONE_EXTENSIONS"
mkdir -p "$layout" "$sboms"
stamp=github.com/gohone/hone/internal/spec/cli.stamped
for arch in amd64 arm64; do
  for dir in cmd/hone-*; do
    CGO_ENABLED=0 GOOS=linux GOARCH=$arch go build -C "$dir" -trimpath -buildvcs=false \
      -ldflags="-s -w -X ${stamp}Version=$HONE_VERSION -X ${stamp}Commit=$HONE_COMMIT -X ${stamp}Date=$HONE_DATE" -o "$HONE_EXTENSIONS/$arch/" .
  done
done
set -- --bare --sbom-dir "$sboms" --image-label "$labels" ./cmd/hone
"$tools/image" "$tools/ko" build --push=false --oci-layout-path "$layout" "$@"
(cd tools/image && CGO_ENABLED=0 GOFLAGS= GOWORK=off go test -count=1 -v -args -layout "$layout" -version "$HONE_VERSION")
case $tag in
'') ;;
*-*) "$tools/image" "$tools/ko" build --tags "$tag" "$@" ;; # a release candidate
*) "$tools/image" "$tools/ko" build --tags "$tag,latest" "$@" ;;
esac
