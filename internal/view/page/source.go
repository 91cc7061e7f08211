package page

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

const (
	// wholeFile is how many lines a file may have to be shown as a whole; of a longer one the surroundings of the lines
	// that cost are shown.
	wholeFile = 3000
	// around is how many lines are shown before and behind one that costs.
	around = 8
	// leastCost is the share of a profile from which on a line of a report has its source, and mostFiles how many files
	// have.
	leastCost, mostFiles = 0.005, 40
)

// SourcePath is the address of a source file that a profile names.
func SourcePath(run, kind, file string) string {
	return RunPath(run) + "/source/" + kind + "?file=" + asInBrowsers.Replace(url.QueryEscape(file))
}

// asInBrowsers makes an escaped text what encodeURIComponent makes of it, since addresses are keys of the answers in a
// report.
var asInBrowsers = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// Source reads a source file that the run's profile of that kind names; fail.BadInput for any other file. A file that
// is not found is a Source with an Error.
func (l *Library) Source(run, kind, file string) (*Source, error) {
	r, c, err := l.profiled(run, kind)
	if err != nil {
		return nil, err
	}
	lines := model.LinesOf(c, 0)[file]
	if lines == nil {
		return nil, fail.New(fail.BadInput, "the %s profile of run %s names no file %q", kind, r.Record.ID, file)
	}
	return sourceOf(l.Stored.Source(r.Record), file, lines, wholeFile), nil
}

// SourcesFor are the source files of a run's profile for a report, by their addresses: the pieces around the lines that
// cost.
func (l *Library) SourcesFor(run, kind string) map[string]any {
	r, c, err := l.profiled(run, kind)
	if err != nil {
		return nil // a report shows the profile without source
	}
	return SourcesOf(l.Stored.Source(r.Record), c, r.Record.ID)
}

// SourcesOf is SourcesFor of a capture; run is the name that it has in the addresses. from may be nil.
func SourcesOf(from prof.Sources, c prof.Capture, run string) map[string]any {
	all := map[string]any{}
	if from == nil {
		return all
	}
	lines := model.LinesOf(c, leastCost)
	files := slices.SortedFunc(maps.Keys(lines), func(a, b string) int {
		return cmp.Or(cmp.Compare(lines[b].Total(), lines[a].Total()), cmp.Compare(a, b))
	})
	for _, file := range files[:min(mostFiles, len(files))] {
		if s := sourceOf(from, file, lines[file], 0); s.Error == "" {
			all[SourcePath(run, c.Kind, file)] = s
		}
	}
	return all
}

// sourceOf reads a file, as a whole if it has at most so many lines.
func sourceOf(from prof.Sources, file string, costs model.LineCosts, whole int) *Source {
	s := &Source{Schema: Schema, File: file, Pieces: []model.Snippet{}}
	if from == nil {
		s.Error = "the source of the program is not known"
		return s
	}
	text, err := from.Source(file)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	lines := strings.Split(strings.TrimSuffix(strings.ToValidUTF8(string(text), "\ufffd"), "\n"), "\n")
	if len(lines) <= whole {
		s.Pieces = append(s.Pieces, model.Snippet{File: file, First: 1, Lines: lines})
		return s
	}
	for _, at := range slices.Sorted(maps.Keys(costs)) {
		from, to := max(1, at-around), min(int64(len(lines)), at+around)
		if at < 1 || at > int64(len(lines)) {
			continue
		}
		if n := len(s.Pieces); n > 0 {
			if last := &s.Pieces[n-1]; from <= last.First+int64(len(last.Lines)) {
				last.Lines = lines[last.First-1 : to]
				continue
			}
		}
		s.Pieces = append(s.Pieces, model.Snippet{File: file, First: from, Lines: lines[from-1 : to]})
	}
	if len(s.Pieces) == 0 {
		s.Error = fmt.Sprintf("%s has %d lines, and none of those that the profile names: it is not the source that was "+
			"built", file, len(lines))
	}
	return s
}
