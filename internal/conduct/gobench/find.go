package gobench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// find runs all benchmarks of a package once on one side, which lists them. Those that fail
// are noted. If one of them ends the process, the others are run without it.
func (m *measurement) find(ctx context.Context, p *pkg, side, procs int) (benchtext.Listing, error) {
	skip := p.skips(m.task.Skip)
	for {
		e, err := m.run(ctx, p, execution{binaryOf: binaryOf{side: side}, pattern: m.task.Pattern, procs: procs, length: "1x",
			more: append(skipFlag(skip), "-test.v")})
		var on *sources.FailedOn
		if err != nil && !errors.As(err, &on) {
			return benchtext.Listing{}, err
		}
		l := benchtext.ReadListing(e.Stdout)
		ender := l.Running(procs, e.Stderr)
		if ender == "" {
			return l, m.loseListed(p, side, l, err)
		}
		if fault := m.endedIn(p, side, ender, e); !m.lose(p.path, ender, fault) {
			return l, fault
		}
		skip = strings.TrimPrefix(skip+"|"+benchtext.Exactly(ender), "|")
	}
}

func skipFlag(pattern string) []string {
	if pattern == "" {
		return nil
	}
	return []string{"-test.skip=" + pattern}
}

// loseListed notes the benchmarks that failed, each with what it said. If the process
// failed and none of them did, the error is the package's.
func (m *measurement) loseListed(p *pkg, side int, l benchtext.Listing, err error) error {
	for _, f := range l.Failed {
		m.lose(p.path, f.Name, m.sides[side].Failure("benchmark %s of %s failed\n%s", f.Name, p.path, f.Text).
			WithHint("run it alone: go test -run '^$' -bench '%s' -benchtime 1x %s%s", benchtext.Exactly(f.Name), p.path,
				argsOf(m.task.Args)))
	}
	if err == nil || len(l.Failed) > 0 || m.lose(p.path, "", err) {
		return nil
	}
	return err
}

// endedIn is the failure of a benchmark that ended its process.
func (m *measurement) endedIn(p *pkg, side int, name string, e process.Ending) error {
	if at := strings.LastIndex(e.Stdout, "Benchmark"+name+"\n"); at >= 0 {
		e.Stdout = e.Stdout[at:] // what ran before is not to blame
	}
	why := cmp.Or(e.Why, "ended the process without an error")
	return m.sides[side].Failure("benchmark %s of %s %s\n%s", name, p.path, why, e.LastWords()).
		WithHint("run it alone: go test -run '^$' -bench '%s' -benchtime 1x %s%s", benchtext.Exactly(name), p.path,
			argsOf(m.task.Args))
}

// match returns the results that both sides have, B's order. What only one side has is
// noted: it was skipped, it failed, or it is gone or new.
func (m *measurement) match(p *pkg, procs int, found [2]benchtext.Listing) (both [][2]*benchfmt.Result) {
	m.noteSkipped(p, found)
	for side, text := range []string{goneText, "new on side B: nothing to compare with"} {
		other := found[1-side]
		for _, r := range found[side].Results {
			name := benchtext.PlainName(string(r.Name), procs)
			switch {
			case benchtext.Named(other.Results, string(r.Name)) != nil || contains(other.Skipped, name) ||
				contains(other.Failed, name):
			case m.ended(p, 1-side, name):
			default:
				m.result.OneSided = append(m.result.OneSided,
					benchmarks.OneSided{Package: p.path, Name: string(r.Name), Side: m.sides[side].Name, Text: text,
						Pattern: benchtext.Exactly(name)})
			}
		}
	}
	for _, b := range found[1].Results {
		if a := benchtext.Named(found[0].Results, string(b.Name)); a != nil {
			both = append(both, [2]*benchfmt.Result{a, b})
		}
	}
	return both
}

// ended says whether a benchmark, or one that it is part of, is noted as a failure of a side.
func (m *measurement) ended(p *pkg, side int, name string) bool {
	for _, f := range m.result.Failures {
		if f.Package == p.path && f.Side == m.sides[side].Name && (f.Name == "" || isWithin(name, f.Name)) {
			return true
		}
	}
	return false
}

func (m *measurement) noteSkipped(p *pkg, found [2]benchtext.Listing) {
	for side, l := range found {
		for _, s := range l.Skipped {
			where, twice := m.sides[side].Name, contains(found[1-side].Skipped, s.Name)
			if twice && side == 0 {
				continue
			}
			if twice {
				where = fmt.Sprintf("%s and %s", m.sides[0].Name, m.sides[1].Name)
			}
			m.noteOnce(benchmarks.Skipped{Package: p.path, Name: s.Name, Side: where, Reason: s.Text})
		}
	}
}

// noteOnce notes a skipped benchmark, once for all values of GOMAXPROCS.
func (m *measurement) noteOnce(s benchmarks.Skipped) {
	for _, known := range m.result.Skipped {
		if known == s {
			return
		}
	}
	m.result.Skipped = append(m.result.Skipped, s)
}

// contains says whether a benchmark, or one that it is part of, is among the remarks.
func contains(remarks []benchtext.Remark, name string) bool {
	for _, r := range remarks {
		if isWithin(name, r.Name) {
			return true
		}
	}
	return false
}

// isWithin says whether a benchmark is another one or a part of it.
func isWithin(name, other string) bool { return name == other || strings.HasPrefix(name, other+"/") }
