package history

import (
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// statuses are what a run can be.
var statuses = []ledger.Status{
	ledger.Complete, ledger.Partial, ledger.Invalid, ledger.Interrupted, ledger.Crashed, ledger.Running,
}

// StatusNames are the names that ParseStatus reads.
func StatusNames() []string {
	var names []string
	for _, s := range statuses {
		names = append(names, string(s))
	}
	return names
}

// ParseStatus reads the names of states; fail.BadInput for any other word.
func ParseStatus(words []string) ([]ledger.Status, error) {
	var all []ledger.Status
	known := StatusNames()
	for _, w := range words {
		if !slices.Contains(statuses, ledger.Status(w)) {
			return nil, unknown("status", w, known)
		}
		all = append(all, ledger.Status(w))
	}
	return all, nil
}

// ParsePeriod reads the bounds of a period; an empty word sets no bound. fail.BadInput for
// what ParseWhen does not read, and for an end before the start.
func ParsePeriod(since, until string, now time.Time) (from, to time.Time, err error) {
	if since != "" {
		if from, _, err = ParseWhen(since, now); err != nil {
			return from, to, err
		}
	}
	if until != "" {
		if _, to, err = ParseWhen(until, now); err != nil {
			return from, to, err
		}
	}
	if since != "" && until != "" && !to.After(from) {
		return from, to, fail.New(fail.BadInput, "since %q until %q: the end is before the start", since, until).
			WithHint("--since is the earlier of the two")
	}
	return from, to, nil
}

// Knower knows what filters can ask for.
type Knower interface {
	Known() (ledger.Known, error)
}

// CheckFilter refuses a filter that no run can match because its package, label or target
// is in no run at all: a misspelt word is fail.BadInput with the nearest right one, not
// an empty list.
func CheckFilter(k Knower, f ledger.RunFilter) error {
	if f.Package == "" && f.Label == "" && f.Target == "" {
		return nil
	}
	known, err := k.Known()
	if err != nil {
		return err
	}
	if f.Package != "" && !slices.ContainsFunc(known.Packages, func(p string) bool {
		return strings.HasSuffix("/"+p, "/"+f.Package)
	}) {
		return unknown("package", f.Package, withEnds(known.Packages))
	}
	if f.Label != "" && !slices.Contains(known.Labels, f.Label) {
		return unknown("variant", f.Label, known.Labels)
	}
	if f.Target != "" && !slices.Contains(known.Targets, f.Target) {
		return unknown("target", f.Target, known.Targets)
	}
	return nil
}

// withEnds adds the last element of each path, for hints.
func withEnds(paths []string) []string {
	all := slices.Clone(paths)
	for _, p := range paths {
		if i := strings.LastIndexByte(p, '/'); i >= 0 {
			all = append(all, p[i+1:])
		}
	}
	return all
}

// unknown is the error for a word that is none of those known.
func unknown(what, word string, known []string) error {
	e := fail.New(fail.BadInput, "%s %q: no run has it", what, word)
	if what == "status" {
		e = fail.New(fail.BadInput, "status %q: no run can have it", word)
	}
	if near := fail.Nearest(word, known); near != "" {
		return e.WithHint("did you mean %q?", near)
	}
	const most = 8
	if len(known) == 0 {
		return e.WithHint("hone history lists the runs")
	}
	list := strings.Join(known[:min(most, len(known))], ", ")
	if len(known) > most {
		list += ", ..."
	}
	return e.WithHint("there is %s", list)
}
