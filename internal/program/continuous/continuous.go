// Package continuous takes profiles from the stores of continuous profilers, Grafana Pyroscope and Parca, by their own
// query APIs over HTTP.
package continuous

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// Query says which profiles are asked for.
type Query struct {
	// Selector chooses series, as {service_name="shop"}; a type before the brace asks for that type alone.
	Selector string
	// The profiles are those of [From, To].
	From, To time.Time
	// Kind is the name of the prof.Kind that is asked for; "" asks for all.
	Kind string
	// Labels are the names of those that samples keep; nil: all of them.
	Labels []string
}

// Pulled is what a store has.
type Pulled struct {
	Captures []prof.Capture
	// Notes say what was left out.
	Notes []string
}

// Store is a server that keeps profiles.
type Store interface {
	// start comes before parts.
	start(ctx context.Context)
	// parts asks for all profiles of a query, one for each type at least.
	parts(ctx context.Context, q Query) (parts []prof.Part, notes []string, err error)
	// String is its name and address, without secrets.
	String() string
}

// Pull asks a store for profiles. Errors are fail.Error and say what the store answered; where it has nothing of that
// kind in that time it is fail.BadInput.
func Pull(ctx context.Context, s Store, q Query) (Pulled, error) {
	s.start(ctx)
	parts, notes, err := s.parts(ctx, q)
	if err != nil {
		return Pulled{}, err
	}
	captures, left, err := prof.Assemble(parts, q.To.Sub(q.From))
	if err != nil {
		return Pulled{}, fail.New(fail.Subject, "%s: %w", s, err)
	}
	for _, c := range captures { // stores say other times, or none, of sums
		c.Profile.TimeNanos = q.From.UnixNano()
	}
	p := Pulled{captures, append(notes, LeftOut(left)...)}
	if len(captures) == 0 {
		return p, q.nothing(s, p.Notes)
	}
	return p, nil
}

// LeftOut names the parts that are not profiles of a Go program.
func LeftOut(parts []prof.Part) (notes []string) {
	for _, p := range parts {
		note := "left out, since no profile of a Go program is like it: " + p.String()
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// nothing is the error of a query without an answer.
func (q Query) nothing(s Store, notes []string) error {
	what := strings.TrimPrefix(q.Kind+" profile", " ")
	err := fail.New(fail.BadInput, "%s has no %s of %s from %s to %s", s, what, q.Selector,
		q.From.UTC().Format(time.RFC3339), q.To.UTC().Format(time.RFC3339))
	if len(notes) > 0 {
		return err.WithHint("%s", strings.Join(notes, "; "))
	}
	return err.WithHint("check the labels of --query, and ask for a longer time: --from now-24h")
}

// selector is a query's selector in its parts: the type that stands before the brace, and what stands in the braces.
func (q Query) selector() (typed, matchers string, err error) {
	typed, rest, found := strings.Cut(strings.TrimSpace(q.Selector), "{")
	matchers, closed := strings.CutSuffix(rest, "}")
	if !found || !closed {
		return "", "", fail.New(fail.BadInput, "--query %q: want labels in braces",
			q.Selector).WithHint(`--query '{service_name="shop"}'`)
	}
	return typed, strings.Trim(matchers, ", "), nil
}

// Type is a type of profiles in a store: name:sample_type:sample_unit:period_type:period_unit, with :delta after it in
// Parca.
type Type string

// words are the five parts of the name.
func (t Type) words() [5]string {
	var w [5]string
	copy(w[:], strings.Split(string(t), ":"))
	return w
}

// wanted says whether a query asks for a type: that of its selector, or those of its kind.
func (q Query) wanted(t Type, typed string) bool {
	if typed != "" {
		return Type(typed) == t
	}
	return q.Kind == "" || partOf(t, nil).Kind() == q.Kind
}

// notThere is the error of a kind or a type that the store does not have.
func (q Query) notThere(s Store, typed string, has []Type) error {
	if len(has) == 0 || typed == "" && q.Kind == "" {
		return q.nothing(s, nil)
	}
	want := fmt.Sprintf("profile of the kind %s", q.Kind)
	if typed != "" {
		want = "profile type " + typed
	}
	var names []string
	for _, t := range has {
		names = append(names, string(t))
	}
	return fail.New(fail.BadInput, "%s has no %s of %s in that time", s, want, q.Selector).WithHint("it has %s",
		strings.Join(names, ", "))
}
