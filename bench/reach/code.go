package reach

import (
	"context"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gohone/hone/bench/counters"
)

// sameCode says whether the compiler makes the same of a function on both sides: its instructions and those of its
// function literals, without positions, and the package's unnamed data.
func sameCode(ctx context.Context, sides [2]side, f counters.Function) bool {
	return sameListing(ctx, sides, func(s side) string { return path.Join(s.root, f.Dir) }, "build", func(s side,
		listing string) string {
		return ofFunction(listing, s.path(f.Dir), f.Name, true)
	})
}

// sameBenchmark says so of a benchmark function, with what the compiler inlines in it: that may be a part of a function
// that differs, without what differs of it.
func sameBenchmark(ctx context.Context, sides [2]side, benchmark string) bool {
	name, _, _ := strings.Cut("Benchmark"+benchmark, "/")
	return sameListing(ctx, sides, func(s side) string { return s.dir }, "test -c -o /dev/null", func(s side,
		listing string) string {
		rel, err := filepath.Rel(s.root, s.dir)
		if err != nil {
			return ""
		}
		own := s.path(filepath.ToSlash(rel))
		return ofFunction(listing, own, name, false) + ofFunction(listing, own+"_test", name, false)
	})
}

// sameListing compares a part of what the compiler says of a package (-S) on both sides. A build that fails is none.
func sameListing(ctx context.Context, sides [2]side, dir func(side) string, build string,
	part func(s side, listing string) string) bool {
	var made [2]string
	for i, s := range sides {
		cmd := exec.CommandContext(ctx, "go", append(strings.Fields(build), "-gcflags=-S", ".")...)
		cmd.Dir = dir(s)
		text, err := cmd.CombinedOutput()
		if err != nil {
			return false
		}
		made[i] = part(s, string(text))
	}
	return made[0] != "" && made[0] == made[1]
}

// position is one in a line of the listing, or the number of a temporary variable.
var position = regexp.MustCompile(`\([^()]*\.(go|s):\d+\)|\.\.autotmp_\d+`)

// ofFunction are the lines of a function in the listing of the compiler (-S), with all unnamed data of its package if
// that is wanted. A symbol begins without a tab.
func ofFunction(listing, pkg, name string, data bool) string {
	var b strings.Builder
	name, _, _ = strings.Cut(name, "#")
	in, found := false, false
	for line := range strings.Lines(listing) {
		if line[0] != '\t' && line[0] != '#' {
			symbol, _, _ := strings.Cut(line, " ")
			own, ok := strings.CutPrefix(symbol, pkg+".")
			own = plain("x." + own)
			function := ok && (own == name || strings.HasPrefix(own, name+"."))
			in, found = ok && data && strings.HasPrefix(own, ".stmp_") || function, found || function
		}
		// Raw bytes of instructions hold offsets into tables of lines, and the lines above say the same.
		// The listing writes NOP where inlined code begins. It is not an instruction.
		if in && line[0] != '#' && !strings.HasSuffix(line, "\tNOP\n") {
			b.WriteString(position.ReplaceAllString(line, ""))
		}
	}
	if !found {
		return ""
	}
	return b.String()
}
