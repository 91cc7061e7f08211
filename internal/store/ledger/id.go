package ledger

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

const (
	idLength  = 8 // hex digits: 32 bits, never reused, never shortened
	minPrefix = 4
)

// Kind says what an id names.
type Kind string

// The kinds of things that have an id.
const (
	KindRun        Kind = "run"
	KindComparison Kind = "comparison"
)

// Ref is an id and what it names.
type Ref struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
}

// IsID says whether a text has the form of an id: one that is named in a document of a stranger may be anything.
func IsID(text string) bool { return checkIDs(text) == nil }

// String names it as messages do.
func (r Ref) String() string { return string(r.Kind) + " " + r.ID }

// idTries bounds the search for a free id. With a million ids taken, one try in
// 4,300 fails; eight in a row mean that the random source is broken.
const idTries = 8

// newID draws an id that is not taken.
func newID(random io.Reader, taken func(id string) bool) (string, error) {
	for range idTries {
		var b [idLength / 2]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("draw id: %w", err)
		}
		if id := hex.EncodeToString(b[:]); !taken(id) {
			return id, nil
		}
	}
	return "", fmt.Errorf("draw id: %d in a row were taken", idTries)
}

// Find returns what an id, or an unambiguous prefix of at least 4 characters,
// names; "baseline" and "baseline:NAME" name the run that is pinned so, "last" and "last-N" the
// newest (see newest). It has to be of one of the kinds; none means both. A prefix that is
// unknown, ambiguous or no id at all is fail.BadInput.
func (l *Ledger) Find(prefix string, want ...Kind) (Ref, error) {
	if len(want) == 0 {
		want = []Kind{KindRun, KindComparison}
	}
	return l.resolve(prefix, want...)
}

// IsName says whether a word has the form of a stored run's or comparison's name: the
// first 4 to 8 hexadecimal digits of an id, "baseline", "baseline:NAME", "last" or "last-N".
// Whether there is such a thing, Find tells.
func IsName(word string) bool {
	_, pinned := baselineWord(word)
	_, byAge := newestWord(word)
	return pinned || byAge || isPrefix(strings.ToLower(word))
}

func isPrefix(low string) bool {
	return strings.Trim(low, "0123456789abcdef") == "" && len(low) >= minPrefix && len(low) <= idLength
}

// resolve finds the one thing of the wanted kinds that prefix names.
func (l *Ledger) resolve(prefix string, want ...Kind) (Ref, error) {
	what := whatOf(want)
	if back, ok := newestWord(prefix); ok {
		return l.newest(prefix, back, want...)
	}
	if name, ok := baselineWord(prefix); ok && slices.Contains(want, KindRun) {
		return l.pinned(name)
	}
	low := strings.ToLower(prefix)
	if !isPrefix(low) {
		return Ref{}, fail.New(fail.BadInput, "find %s %q: an id has %d hexadecimal digits; the first %d are enough",
			what, prefix, idLength, minPrefix).WithHint("hone history lists them, and %s names the newest", Last)
	}
	all, err := l.withPrefix(low)
	if err != nil {
		return Ref{}, storage(l.dir, err, "find %s %q", what, prefix)
	}
	var found, others []Ref
	for _, r := range all {
		if slices.Contains(want, r.Kind) {
			found = append(found, r)
		} else {
			others = append(others, r)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Ref{}, fail.New(fail.BadInput, "find %s %q: it could be any of %s", what, prefix, names(found)).
			WithHint("give more characters of the name; hone history lists them")
	case len(others) > 0:
		return Ref{}, fail.New(fail.BadInput, "find %s %q: there is only %s", what, prefix, names(others)).
			WithHint("hone history")
	}
	return Ref{}, fail.New(fail.BadInput, "find %s %q: no %s has an id that starts so", what, prefix, what).
		WithHint("hone history")
}

func whatOf(want []Kind) string {
	if len(want) > 1 {
		return "run or comparison"
	}
	return string(want[0])
}

// withPrefix lists what starts with the lower-case hex digits of prefix, by id.
func (l *Ledger) withPrefix(prefix string) (found []Ref, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.current()
	if err != nil {
		return nil, err
	}
	for id, r := range c.records {
		if strings.HasPrefix(id, prefix) {
			found = append(found, r.Ref())
		}
	}
	slices.SortFunc(found, func(a, b Ref) int { return strings.Compare(a.ID, b.ID) })
	return found, nil
}

func names(refs []Ref) string {
	const most = 8
	var all []string
	for _, r := range refs[:min(most, len(refs))] {
		all = append(all, r.String())
	}
	text := strings.Join(all, ", ")
	if len(refs) > most {
		text += fmt.Sprintf(" and %d more", len(refs)-most)
	}
	return text
}
