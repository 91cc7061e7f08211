package gobench

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
)

const goneText = "gone on side B"

// noteMissing notes the benchmarks of packages that B does not have, or has without benchmarks. They are known by
// their source only.
func (m *measurement) noteMissing(packages []sources.Listed) {
	for _, l := range packages {
		f, err := sources.BenchmarksIn(l.Dir, slices.Concat(l.TestGoFiles, l.XTestGoFiles))
		if err != nil || len(f.Benchmarks) == 0 { // the build would say why
			m.result.Notes = append(m.result.Notes,
				benchmarks.Note{Package: l.ImportPath, Text: "its benchmarks are " + goneText})
			continue
		}
		for _, function := range f.Benchmarks {
			if m.task.chooses(function) {
				name := strings.TrimPrefix(function, "Benchmark")
				m.result.OneSided = append(m.result.OneSided,
					benchmarks.OneSided{Package: l.ImportPath, Name: name, Side: m.sides[0].Name, Text: goneText,
						Pattern: benchtext.Exactly(name)})
			}
		}
	}
}

// chooses says whether --bench and --skip choose a benchmark function, as far as a pattern is about functions: what
// they say of sub-benchmarks is not known from the source.
func (r Task) chooses(function string) bool {
	return benchtext.Chooses(r.Pattern, function) && !benchtext.Skips(r.Skip, function)
}
