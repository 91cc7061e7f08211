package gobench

import (
	"context"
	"os"
	"slices"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/prof"
)

// askCompiler adds what the compiler decided otherwise to the explanations of benchmarks that are called different.
func (m *measurement) askCompiler(ctx context.Context) {
	asked := map[*pkg]conclusion.Compiler{}
	for i := range m.result.Benchmarks {
		found := &m.result.Benchmarks[i]
		at := slices.IndexFunc(m.benches, func(b *bench) bool {
			return b.pkg.path == found.Package && b.name == found.Name
		})
		if at < 0 || len(found.Explained.Claims())+len(found.ExplainedAllocs.Claims()) == 0 {
			continue
		}
		b := m.benches[at]
		m.task.Progress.Phase("ask the compiler what it decided for "+b.name, 0)
		if asked[b.pkg] == nil {
			asked[b.pkg] = conclusion.Compiler(func(ctx context.Context, side int, packages []string) (decisions.Listing, error) {
				return m.decisions(ctx, b.pkg, side, packages)
			}).Remembering()
		}
		cpu := [2][]prof.Capture{of("cpu", b.captures[0]), of("cpu", b.captures[1])}
		conclusion.AskCompiler(ctx, asked[b.pkg], b.code(), cpu,
			conclusion.Measured{CPU: found.Explained, Allocs: found.ExplainedAllocs, Verdicts: found.Verdicts})
	}
}

// decisions are what the compiler decided about some packages in the test binary of a package.
func (m *measurement) decisions(ctx context.Context, p *pkg, side int, packages []string) (decisions.Listing, error) {
	s, r := m.sides[side], p.recipes[side]
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-trimpath", "-o", os.DevNull}, s.Flags, r.overlay,
		build.DecisionFlags(s.Env, s.Flags, packages), []string{"-buildvcs=false", r.path})
	text, err := gocommand.Printed(ctx, "go", s.Env, s.Dir, args...)
	if err != nil {
		return nil, err
	}
	return decisions.Parse(text, ""), nil
}
