package httpmsg

import (
	"cmp"
	"net/url"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/turns"
)

// Mix is the order that the requests of one or several targets take turns in. Each version of HTTP has the requests
// themselves, as it encodes them.
type Mix struct {
	turns.Mix
	// Heads says of each target whether its method is HEAD; nil where they do not differ.
	Heads []bool
	// Labels are the rows that results tell the targets apart by, RowOf the row of each target.
	Labels []string
	RowOf  []int
}

// Requests are what all versions of HTTP have in common: the turns of the targets, what their answers have to be, and
// the targets, whose requests each version encodes. The options that encode gets are for one request: Method is set.
// It also says whether the number of the request is in it.
func Requests[R any](u *url.URL, o wire.Options, encode func(*url.URL, wire.Options) (R, bool, error)) (
	m *Mix, checks *answer.Checks, all []R, err error) {
	if err := o.Feed.Validate(); err != nil {
		return nil, nil, nil, err
	}
	targets, err := targetsOf(u, o)
	if err != nil {
		return nil, nil, nil, err
	}
	method, differ := methodOfAll(targets)
	if checks, err = answer.NewChecks(o.Expect, method, o.Headers); err != nil {
		return nil, nil, nil, err
	}
	m = &Mix{Mix: turns.Mix{Rows: [][]string{nil}}}
	if o.Feed != nil {
		m.Rows = o.Feed.Rows
	}
	for _, t := range targets {
		r, numbered, err := encode(t.url, t.options)
		if err != nil {
			return nil, nil, nil, err
		}
		all, m.Weights, m.Numbered = append(all, r), append(m.Weights, t.weight), m.Numbered || numbered
		if differ {
			m.Heads = append(m.Heads, t.options.Method == "HEAD")
		}
	}
	m.label(targets)
	if len(o.Order) > 0 {
		return m, checks, all, m.inOrder(o.Order)
	}
	return m, checks, all, m.LayOut()
}

// label gives a row to each method and path: queries that differ are one target.
func (m *Mix) label(targets []target) {
	known := map[string]int{}
	for _, t := range targets {
		name := t.options.Method + " " + cmp.Or(t.url.Path, "/")
		row, ok := known[name]
		if !ok {
			row = len(m.Labels)
			known[name] = row
			m.Labels = append(m.Labels, name)
		}
		m.RowOf = append(m.RowOf, row)
	}
}

// methodOfAll is the method for the checks of answers: HEAD if one is. They differ if not all are.
func methodOfAll(targets []target) (method string, differ bool) {
	heads := 0
	for _, t := range targets {
		if t.options.Method == "HEAD" {
			heads++
		}
	}
	if heads > 0 {
		return "HEAD", heads < len(targets)
	}
	return targets[0].options.Method, false
}
