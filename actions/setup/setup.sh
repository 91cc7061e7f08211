#!/usr/bin/env bash
# Installs hone into a directory of the job, and puts that on the path.
set -euo pipefail
: "${VERSION:?}" "${SOURCE:?}" "${COSIGN:?}" "${REPOSITORY:?}"
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"

refuse_windows
repository=${REPOSITORY%/}
bin=$RUNNER_TEMP/hone-bin
mkdir -p "$bin"

# platform prints the part of an archive's name that says what it runs on.
platform() {
  local system arch
  case $RUNNER_OS in
    Linux) system=linux ;;
    macOS) system=darwin ;;
  esac
  case ${RUNNER_ARCH:-} in
    X64) arch=amd64 ;;
    ARM64) arch=arm64 ;;
    *) stop 7 "there is no release of hone for the architecture ${RUNNER_ARCH:-unknown}: use the input source: module" ;;
  esac
  printf '%s_%s' "$system" "$arch"
}

# fetch URL FILE
fetch() {
  curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$2" "$1" || stop 7 "could not download $1"
}

# released prints the tag of the release that VERSION means.
released() {
  local url
  case $VERSION in
    latest)
      # This page redirects to the newest release. It needs no token and has no rate limit, as the API has.
      url=$(curl --fail --silent --show-error --location --retry 3 --max-time 60 --output /dev/null --write-out '%{url_effective}' \
        "$repository/releases/latest") || stop 7 "could not ask $repository for its latest release"
      case $url in
        */tag/v[0-9]*) printf '%s' "${url##*/}" ;;
        *) stop 2 "$repository has no release: use the input source: module" ;;
      esac
      ;;
    v[0-9]*.*) printf '%s' "$VERSION" ;;
    [0-9]*.*) printf 'v%s' "$VERSION" ;;
    *) stop 2 "the version \"$VERSION\" is no release, such as v1.2.3: a commit or a branch needs the input source: module" ;;
  esac
}

# verify_signature DIR holds checksums.txt against the signature of hone's release workflow.
verify_signature() {
  case $COSIGN in
    off) return ;;
    auto | required) ;;
    *) stop 2 "the input cosign is auto, required or off, not \"$COSIGN\"" ;;
  esac
  if ! command -v cosign >/dev/null; then
    [ "$COSIGN" = auto ] || stop 7 "cosign is not installed: use sigstore/cosign-installer before this action"
    echo "cosign is not installed: the signature of the checksums is not verified"
    return
  fi
  fetch "$downloads/checksums.txt.sigstore.json" "$1/checksums.txt.sigstore.json"
  cosign verify-blob --bundle "$1/checksums.txt.sigstore.json" \
    --certificate-identity "https://github.com/gohone/hone/.github/workflows/release.yml@refs/tags/$tag" \
    --certificate-oidc-issuer https://token.actions.githubusercontent.com "$1/checksums.txt" ||
    stop 7 "the signature of checksums.txt is not that of hone's release workflow: nothing was installed"
}

install_release() {
  local archive dir expected sum
  need curl tar
  tag=$(released)
  case $tag in
    *[!A-Za-z0-9.+-]*) stop 2 "\"$tag\" is not the name of a release" ;;
  esac
  archive=hone_${tag#v}_$(platform).tar.gz
  downloads=$repository/releases/download/$tag
  dir=$(mktemp -d "$RUNNER_TEMP/hone-setup.XXXXXX")
  fetch "$downloads/checksums.txt" "$dir/checksums.txt"
  verify_signature "$dir"
  expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$dir/checksums.txt")
  [ -n "$expected" ] || stop 7 "checksums.txt of $tag does not name $archive"
  fetch "$downloads/$archive" "$dir/$archive"
  if command -v sha256sum >/dev/null; then
    sum=$(sha256sum "$dir/$archive")
  else
    sum=$(shasum -a 256 "$dir/$archive")
  fi
  [ "${sum%% *}" = "$expected" ] || stop 7 "$archive has the SHA-256 ${sum%% *}, and checksums.txt says $expected: nothing was installed"
  tar -tzf "$dir/$archive" | grep -xE 'hone|hone-sign' | tar -xzf "$dir/$archive" -C "$bin" -T -
  rm -rf "$dir"
}

case $SOURCE in
  release) install_release ;;
  module)
    need go
    GOBIN=$bin CGO_ENABLED=0 go install "github.com/gohone/hone/cmd/hone@$VERSION" || stop 3 "go install could not build hone at $VERSION"
    ;;
  ./*)
    need go
    CGO_ENABLED=0 go -C "$SOURCE" build -trimpath -o "$bin/hone" ./cmd/hone || stop 3 "hone does not build in $SOURCE"
    ;;
  *) stop 2 "the input source is release, module, or a path that begins with ./, not \"$SOURCE\"" ;;
esac

version=$("$bin/hone" version)
printf '%s\n' "$version"
printf '%s\n' "$bin" >>"$GITHUB_PATH"
version=${version#hone }
output version "${version%% *}"
