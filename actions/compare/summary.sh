#!/usr/bin/env bash
# Writes the summary of the job: a picture, then the comment.
#
# GitHub shows neither inline SVG nor images in data URIs in a summary, and an image by URL would need a public place. A Mermaid
# chart (xychart) is shown, but has no intervals. So the picture is text: an interval for each measure, on one scale.
set -euo pipefail
# shellcheck source=actions/lib.sh
. "$GITHUB_ACTION_PATH/../lib.sh"

{
  for name in compare bench; do
    [ -f "$DIRECTORY/$name.json" ] || continue
    jq -r -f "$GITHUB_ACTION_PATH/picture.jq" "$DIRECTORY/$name.json" || annotate warning "the picture of hone $name could not be drawn"
    echo
  done
  cat "$DIRECTORY/comment.md"
} >>"$GITHUB_STEP_SUMMARY"
