package build

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// WithTags returns the build flags of a variant with further build tags. go takes the last -tags
// of GOFLAGS and of the command line, so those that are there are repeated in it. goflags is the
// GOFLAGS of hone's own environment; one in the variant's takes its place.
func WithTags(goflags string, v Variant, tags []string) ([]string, error) {
	for _, entry := range v.Env {
		if value, found := strings.CutPrefix(entry, "GOFLAGS="); found {
			goflags = value
		}
	}
	before, err := gocommand.SplitFlags(goflags)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read GOFLAGS: %w", err)
	}
	known := ""
	for _, f := range gocommand.ReadFlags(slices.Concat(before, v.BuildFlags)) {
		if f.Name == "tags" {
			known = f.Value
		}
	}
	// Tags are separated by commas; spaces are the older way (go help build, -tags).
	all := strings.FieldsFunc(known, func(r rune) bool { return r == ',' || strings.ContainsRune(gocommand.Space, r) })
	for _, tag := range tags {
		if !slices.Contains(all, tag) {
			all = append(all, tag)
		}
	}
	return slices.Concat(v.BuildFlags, []string{"-tags=" + strings.Join(all, ",")}), nil
}
