package subject

import (
	"fmt"
	"go/version"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
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

// withLayout returns build flags that also give the linker a seed for the order of
// functions. goflags is go's GOFLAGS, flags are those of the variant. For a package
// go takes the last -ldflags of those that apply to it, GOFLAGS first, so each of them
// gets the seed, and one before all of them serves if none applies.
func withLayout(goflags string, flags []string, layout int64) ([]string, error) {
	before, err := splitGoFlags(goflags)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read GOFLAGS: %w", err)
	}
	seed := fmt.Sprintf("-randlayout=%d", layout)
	all := []string{"-ldflags=" + seed}
	for _, f := range readGoFlags(before) {
		if f.name == "ldflags" {
			all = append(all, "-ldflags="+appendLinkFlag(f.value, seed))
		}
	}
	for _, f := range readGoFlags(flags) {
		if f.name == "ldflags" {
			all = append(all, "-ldflags="+appendLinkFlag(f.value, seed))
			continue
		}
		all = append(all, f.words...)
	}
	for _, word := range all[1:] {
		if strings.Contains(strings.ReplaceAll(word, seed, ""), "-randlayout") {
			return nil, fail.New(fail.BadInput, "the linker flag -randlayout is in use (%s), and hone sets it for --layouts", word).
				WithHint("leave out one of the two")
		}
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
	return strings.TrimLeft(value+" "+flag, goSpace)
}

// checkLayoutVersion refuses a toolchain whose linker cannot shuffle functions.
func checkLayoutVersion(goVersion string) error {
	if v := releaseOf(goVersion); version.IsValid(v) && version.Compare(v, layoutVersion) < 0 {
		return fail.New(fail.BadInput, "the linker of %s cannot change the layout of the code", goVersion).
			WithHint("choose %s or newer (--toolchain), or leave --layouts out", layoutVersion)
	}
	return nil
}
