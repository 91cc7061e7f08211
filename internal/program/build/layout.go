package build

import (
	"fmt"
	"go/version"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// layoutVersion is the first Go whose linker knows -randlayout.
const layoutVersion = "go1.23"

// LayoutSeeds draws k different seeds for Variant.Layout. All variants of a comparison
// take the same ones: variants with equally many functions then get the same order, and
// what the order costs cancels in part, while every block samples another layout.
func LayoutSeeds(seed uint64, k int) []int64 {
	r := rand.New(rand.NewPCG(seed, 0))
	var seeds []int64
	for len(seeds) < k {
		// 31 bits: short in a file's name, and exact in every reader of JSON.
		if s := int64(r.Int32()); s != 0 && !slices.Contains(seeds, s) {
			seeds = append(seeds, s)
		}
	}
	return seeds
}

// layoutDir is the directory of a layout's executable in that of its variant: the
// executable itself keeps its name, and all paths of a variant are equally long, since
// the length of a program's arguments moves its stack.
func layoutDir(layout int64) string { return fmt.Sprintf("layout-%010d", layout) }

// withLayout returns build flags that also give the linker a seed for the order of functions.
func withLayout(goflags string, flags []string, layout int64) ([]string, error) {
	used, err := UsesLinkFlag(goflags, flags, "-randlayout")
	switch {
	case err != nil:
		return nil, err
	case used != "":
		return nil, fail.New(fail.BadInput,
			"the linker flag -randlayout is in use (%s), and hone sets it for --set layouts", used).
			WithHint("leave out one of the two")
	}
	return WithLinkFlags(goflags, flags, fmt.Sprintf("-randlayout=%d", layout))
}

// UsesLinkFlag returns the -ldflags, of GOFLAGS or of build flags, that have a flag of the linker
// already; "" if none has.
func UsesLinkFlag(goflags string, flags []string, name string) (string, error) {
	all, err := WithLinkFlags(goflags, flags, "")
	if err != nil {
		return "", err
	}
	for _, word := range all {
		if strings.Contains(word, name) {
			return word, nil
		}
	}
	return "", nil
}

// WithLinkFlags returns build flags that also give the linker more flags. goflags is go's
// GOFLAGS, flags are those of the build. For a package go takes the last -ldflags of those that
// apply to it, GOFLAGS first, so each of them gets more, and one before all of them serves if
// none applies.
func WithLinkFlags(goflags string, flags []string, more string) ([]string, error) {
	before, err := gocommand.SplitFlags(goflags)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read GOFLAGS: %w", err)
	}
	all := []string{"-ldflags=" + more}
	for _, f := range gocommand.ReadFlags(before) {
		if f.Name == "ldflags" {
			all = append(all, "-ldflags="+appendLinkFlag(f.Value, more))
		}
	}
	for _, f := range gocommand.ReadFlags(flags) {
		if f.Name == "ldflags" {
			all = append(all, "-ldflags="+appendLinkFlag(f.Value, more))
			continue
		}
		all = append(all, f.Words...)
	}
	return all, nil
}

// appendLinkFlag adds a flag to a value of -ldflags, which is flags or pattern=flags.
// What go refuses stays as it is, for go to refuse.
func appendLinkFlag(value, flag string) string {
	if trimmed := strings.TrimSpace(value); trimmed != "" && trimmed[0] != '-' &&
		(strings.Index(trimmed, "=") <= 0 || trimmed[0] == '\'' || trimmed[0] == '"') {
		return value
	}
	return strings.TrimLeft(value+" "+flag, gocommand.Space)
}

// checkLayoutVersion refuses a toolchain whose linker cannot shuffle functions.
func checkLayoutVersion(goVersion string) error {
	if v := gocommand.ReleaseOf(goVersion); version.IsValid(v) && version.Compare(v, layoutVersion) < 0 {
		return fail.New(fail.BadInput, "the linker of %s cannot change the layout of the code", goVersion).
			WithHint("choose %s or newer (--toolchain), or leave --set layouts out", layoutVersion)
	}
	return nil
}
