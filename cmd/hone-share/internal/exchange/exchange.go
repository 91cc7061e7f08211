// Package exchange shares a ledger by an object store: it pushes finished runs and pulls those of others.
//
// An object is one archive (package archive): of a comparison with its runs, or of a run that belongs to none.
// Its name says what is in it, so that a list of names is all that is needed to know what is missing on
// either side. Nothing in a store is trusted: an object is taken if its name, its SHA-256 and
// the whole archive are right, and refused otherwise.
package exchange

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
)

// Outcome says what became of an object.
type Outcome string

// The outcomes.
const (
	Pushed  Outcome = "pushed"
	Pulled  Outcome = "pulled"
	There   Outcome = "already there"
	Refused Outcome = "refused"
)

// Item is an object that was looked at.
type Item struct {
	Kind ledger.Kind `json:"kind"`
	ID   string      `json:"id"`
	// Runs are those of a comparison.
	Runs    []string `json:"runs,omitempty"`
	Object  string   `json:"object"`
	Bytes   int64    `json:"bytes,omitempty"`
	Outcome Outcome  `json:"outcome"`
	// Why is why it was refused.
	Why string `json:"why,omitempty"`
}

// Ref names what the object is about.
func (i Item) Ref() ledger.Ref { return ledger.Ref{Kind: i.Kind, ID: i.ID} }

const (
	ending = ".tar.gz"
	// maxNamed is how many runs of a comparison its object's name lists: S3 has at most 1,024 bytes for a name with its
	// prefix, of which objectstore gives the prefix 400.
	maxNamed = 64
)

// form is the form of the names that nameOf gives.
var form = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-(run|comparison)-([0-9a-f]{8})((?:-[0-9a-f]{8}){0,64})\.tar\.gz$`)

// nameOf is the name of the object of a comparison with these runs, or of a run by itself. It begins with the
// time when that began, so that names sort in the order in which a ledger has them.
func nameOf(started time.Time, ref ledger.Ref, runs []string) string {
	words := append([]string{started.UTC().Format("20060102T150405Z"), string(ref.Kind), ref.ID},
		runs[:min(maxNamed, len(runs))]...)
	return strings.Join(words, "-") + ending
}

// itemOf is the inverse of nameOf; false for all other names.
func itemOf(name string) (Item, bool) {
	m := form.FindStringSubmatch(name)
	if m == nil {
		return Item{}, false
	}
	i := Item{Kind: ledger.Kind(m[1]), ID: m[2], Object: name}
	if m[3] != "" {
		i.Runs = strings.Split(m[3][1:], "-")
	}
	return i, i.Kind == ledger.KindComparison || i.Runs == nil
}

// has says whether a prefix of an id is of the object, or of one of its runs.
func (i Item) has(prefix string) bool {
	return slices.ContainsFunc(append([]string{i.ID}, i.Runs...),
		func(id string) bool { return strings.HasPrefix(id, prefix) })
}
