package library

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/program/metrics"
)

// estimate adds up, from above, the points that the parts of a query take while it is
// evaluated: a point of each series at each step, and the labels. It reads the index of
// the store, and no samples.
type estimate struct {
	ctx      context.Context
	store    storage.Queryable
	expr     string
	lookback int64 // milliseconds, as all times here
	most     float64
	points   float64
}

// times are when a part of a query is evaluated.
type times struct{ from, to, step int64 }

func (t times) steps() float64 {
	return math.Floor(max(0, float64(t.to)-float64(t.from))/float64(t.step)) + 1
}

// part is what one part of a query makes.
type part struct {
	series float64
	label  float64 // bytes of the longest label
}

const (
	// seriesPoints is what the labels of one series take, in points of 16 bytes.
	seriesPoints = 8
	// usualLabel is how long a label is taken to be, in bytes, until one is put together.
	usualLabel = 256
	// maxLabel is the longest label that may be put together of such: label_replace
	// doubles one with "$1$1", and a query has room for a hundred of those.
	maxLabel = 64 << 10
)

// of estimates an expression and all of its parts.
func (e *estimate) of(expr parser.Expr, t times) (part, error) {
	switch n := expr.(type) {
	case *parser.ParenExpr:
		return e.of(n.Expr, t)
	case *parser.UnaryExpr:
		return e.of(n.Expr, t)
	case *parser.StepInvariantExpr:
		return e.of(n.Expr, t)
	case *parser.VectorSelector:
		return e.selector(n, t)
	case *parser.MatrixSelector: // its samples are read one series at a time
		v, ok := n.VectorSelector.(*parser.VectorSelector)
		if !ok {
			return part{}, fmt.Errorf("a range of %T", n.VectorSelector)
		}
		series, _, err := e.count(v, t, n.Range.Milliseconds())
		return part{series, usualLabel}, err
	case *parser.SubqueryExpr:
		return e.of(n.Expr, e.subquery(n, t))
	case *parser.AggregateExpr:
		return e.aggregate(n, t)
	case *parser.BinaryExpr:
		return e.binary(n, t)
	case *parser.Call:
		return e.call(n, t)
	}
	return e.add(expr, part{series: 1}, t.steps()) // numbers and texts
}

// add adds what a part makes, and refuses the query if that is too much.
func (e *estimate) add(expr parser.Expr, p part, points float64) (part, error) {
	if p.label > maxLabel {
		return p, e.refuse(expr, fmt.Sprintf("puts together labels of about %s bytes, at most %s", number(p.label),
			number(maxLabel)))
	}
	points += p.series * max(seriesPoints, p.label/16)
	if e.points += points; e.points > e.most {
		return p, e.refuse(expr, fmt.Sprintf("brings the query to about %s points, at most %s", number(e.points),
			number(e.most)))
	}
	return p, nil
}

func (e *estimate) refuse(expr parser.Expr, why string) error {
	at := expr.PositionRange()
	start, end := min(int(at.Start), len(e.expr)), min(int(at.End), len(e.expr))
	text := e.expr[start:max(start, end)]
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return &TooLarge{Start: start + 1, End: end, Part: text, why: why}
}

// number writes a large number as people read it.
func number(f float64) string {
	for _, u := range []struct {
		scale float64
		name  string
	}{{1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}} {
		if f >= u.scale {
			return fmt.Sprintf("%.3g%s", f/u.scale, u.name)
		}
	}
	return fmt.Sprintf("%.0f", f)
}

// before goes back in time, and stays far from where the arithmetic ends.
func before(at, by int64) int64 {
	const earliest = math.MinInt64 / 4
	if float64(at)-float64(by) < earliest {
		return earliest
	}
	return at - by
}

func (e *estimate) selector(v *parser.VectorSelector, t times) (part, error) {
	series, points, err := e.count(v, t, e.lookback)
	if err != nil {
		return part{}, err
	}
	return e.add(v, part{series, usualLabel}, points)
}

// count returns how many series a selector finds that have samples up to back before
// the first step or later, and their points. The engine makes room for a point at every
// step of each of them, whether there is a sample or not.
func (e *estimate) count(v *parser.VectorSelector, t times, back int64) (series, points float64, err error) {
	steps := t.steps()
	if v.Timestamp != nil {
		t.from, t.to = *v.Timestamp, *v.Timestamp
	}
	offset := v.OriginalOffset.Milliseconds()
	from, to := before(t.from, offset+back), before(t.to, offset)
	series, err = e.matching(v.LabelMatchers, from, to)
	return series, max(1, series) * steps, err
}

// matching counts series by the index of the store.
func (e *estimate) matching(matchers []*labels.Matcher, from, to int64) (float64, error) {
	q, err := e.store.Querier(from, to)
	if err != nil {
		return 0, err
	}
	defer q.Close()
	hints := &storage.SelectHints{Start: from, End: to, Func: "series"} // no samples are needed
	set := q.Select(e.ctx, false, hints, matchers...)
	n := 0.0
	for set.Next() {
		if n++; n > e.most {
			break
		}
	}
	return n, set.Err()
}

// subquery is when the inner part of a subquery is evaluated: once, over all its ranges.
// The engine makes room for every step of it before the first one, even where there are no
// series: a month of milliseconds took 20 GB.
func (e *estimate) subquery(n *parser.SubqueryExpr, t times) times {
	if n.Timestamp != nil {
		t.from, t.to = *n.Timestamp, *n.Timestamp
	}
	offset := n.OriginalOffset.Milliseconds()
	step := n.Step.Milliseconds()
	if step <= 0 {
		step = metrics.DefaultInterval.Milliseconds()
	}
	return times{from: before(t.from, offset+n.Range.Milliseconds()), to: before(t.to, offset), step: step}
}

func (e *estimate) aggregate(n *parser.AggregateExpr, t times) (part, error) {
	if n.Param != nil {
		if _, err := e.of(n.Param, t); err != nil {
			return part{}, err
		}
	}
	in, err := e.of(n.Expr, t)
	if err != nil {
		return in, err
	}
	points := in.series * t.steps()
	if n.Op == parser.COUNT_VALUES { // each value may become a series
		points *= seriesPoints
	}
	return e.add(n, in, points)
}

func (e *estimate) binary(n *parser.BinaryExpr, t times) (part, error) {
	l, err := e.of(n.LHS, t)
	if err != nil {
		return l, err
	}
	r, err := e.of(n.RHS, t)
	if err != nil {
		return r, err
	}
	out := part{series: max(l.series, r.series), label: max(l.label, r.label)}
	if n.Op == parser.LOR {
		out.series = l.series + r.series
	}
	return e.add(n, out, out.series*t.steps())
}

func (e *estimate) call(n *parser.Call, t times) (part, error) {
	out := part{series: 1}
	var labelled float64
	for _, a := range n.Args {
		p, err := e.of(a, t)
		if err != nil {
			return p, err
		}
		out.series, out.label = max(out.series, p.series), max(out.label, p.label)
		if s, ok := a.(*parser.StringLiteral); ok {
			labelled += float64(len(s.Val))
		}
	}
	switch n.Func.Name {
	case "label_replace": // dst, replacement, src, expression
		if s, ok := n.Args[2].(*parser.StringLiteral); ok {
			out.label = max(out.label, labelled+out.label*float64(strings.Count(s.Val, "$")))
		}
	case "label_join": // dst, separator, sources
		out.label = max(out.label, (labelled+out.label)*float64(len(n.Args)-3))
	}
	return e.add(n, out, out.series*t.steps())
}
