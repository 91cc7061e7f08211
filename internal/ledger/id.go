package ledger

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
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

// String names it as messages do.
func (r Ref) String() string { return string(r.Kind) + " " + r.ID }

// idTries bounds the search for a free id. With a million ids taken, one try in
// 4,300 fails; eight in a row mean that the random source is broken.
const idTries = 8

// newID draws an id that neither a run nor a comparison has.
func newID(tx *sql.Tx, random io.Reader) (string, error) {
	for range idTries {
		var b [idLength / 2]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("draw id: %w", err)
		}
		id := hex.EncodeToString(b[:])
		var taken int
		err := tx.QueryRow(`SELECT (SELECT count(*) FROM runs WHERE id = ?1) +
			(SELECT count(*) FROM comparisons WHERE id = ?1)`, id).Scan(&taken)
		if err != nil {
			return "", fmt.Errorf("draw id: %w", err)
		}
		if taken == 0 {
			return id, nil
		}
	}
	return "", errors.New("draw id: eight in a row were taken")
}

// Find returns what an id, or an unambiguous prefix of at least 4 characters,
// names; "baseline" and "baseline:NAME" name the run that is pinned so. A prefix that
// is unknown, ambiguous or no id at all is fail.BadInput.
func (l *Ledger) Find(prefix string) (Ref, error) {
	return l.resolve(prefix, KindRun, KindComparison)
}

// IsName says whether a word has the form of a stored run's or comparison's name: the
// first 4 to 8 hexadecimal digits of an id, "baseline" or "baseline:NAME". Whether there
// is such a thing, Find tells.
func IsName(word string) bool {
	_, pinned := baselineWord(word)
	return pinned || isPrefix(strings.ToLower(word))
}

func isPrefix(low string) bool {
	return strings.Trim(low, "0123456789abcdef") == "" && len(low) >= minPrefix && len(low) <= idLength
}

// resolve finds the one thing of the wanted kinds that prefix names.
func (l *Ledger) resolve(prefix string, want ...Kind) (Ref, error) {
	what := string(want[0])
	if len(want) > 1 {
		what = "run or comparison"
	}
	if name, ok := baselineWord(prefix); ok && slices.Contains(want, KindRun) {
		return l.pinned(name)
	}
	low := strings.ToLower(prefix)
	if !isPrefix(low) {
		return Ref{}, fail.New(fail.BadInput, "find %s %q: an id has %d hexadecimal digits, of which the first %d may do",
			what, prefix, idLength, minPrefix).WithHint("hone history")
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
			WithHint("give more digits; hone history")
	case len(others) > 0:
		return Ref{}, fail.New(fail.BadInput, "find %s %q: there is only %s", what, prefix, names(others)).
			WithHint("hone history")
	}
	return Ref{}, fail.New(fail.BadInput, "find %s %q: no %s has an id that starts so", what, prefix, what).
		WithHint("hone history")
}

// named reads something of the run or comparison that a name stands for.
func named[T any](l *Ledger, name string, kind Kind, what string, read func(q querier, id string) (T, error)) (one T, _ error) {
	ref, err := l.resolve(name, kind)
	if err != nil {
		return one, err
	}
	one, err = read(l.db, ref.ID)
	return one, storage(l.dir, err, "read %s %s", what, ref.ID)
}

// withPrefix lists what starts with the lower-case hex digits of prefix.
func (l *Ledger) withPrefix(prefix string) ([]Ref, error) {
	// Every id that starts with prefix sorts from prefix on and before prefix+"g".
	rows, err := l.db.Query(`SELECT 'run', id FROM runs WHERE id >= ?1 AND id < ?1 || 'g'
		UNION ALL SELECT 'comparison', id FROM comparisons WHERE id >= ?1 AND id < ?1 || 'g'
		ORDER BY 2`, prefix)
	return collect(rows, err, func(r *sql.Rows) (ref Ref, err error) {
		return ref, r.Scan(&ref.Kind, &ref.ID)
	})
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
