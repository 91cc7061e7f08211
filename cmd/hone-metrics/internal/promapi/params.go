package promapi

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

const (
	// maxExpression is the longest expression, in bytes. The parser recurses, and a
	// goroutine whose stack reaches 1 GB ends the whole process; long before that it takes
	// the square of the length in time (half a second for as many minuses).
	maxExpression = 16 << 10
	// maxDepth is how deep an expression may be nested: what the library does with it takes
	// the third power of that in time, which no timeout ends (a third of a second at 256,
	// two at 512, a minute at 2000).
	maxDepth = 256
)

// earliest and latest are the times that stand for "from the beginning" and "until the
// end". Clients of Prometheus send them in these very words, which time.Parse cannot read
// (years of six digits).
var (
	earliest = time.Unix(math.MinInt64/1000+62135596801, 0).UTC()
	latest   = time.Unix(math.MaxInt64/1000-62135596801, 999999999).UTC()
)

// params reads the parameters of a request one after the other and keeps the first fault.
type params struct {
	form url.Values
	err  error
}

func (p *params) fault(name string, err error) {
	if p.err == nil && err != nil {
		p.err = as(badData, fmt.Errorf("invalid parameter %q: %w", name, err))
	}
}

// moment reads a time that must be given.
func (p *params) moment(name string) time.Time {
	t, err := ParseTime(p.form.Get(name))
	p.fault(name, err)
	return t
}

func (p *params) momentOr(name string, otherwise time.Time) time.Time {
	text := p.form.Get(name)
	if text == "" {
		return otherwise
	}
	t, err := ParseTime(text)
	if err != nil {
		err = fmt.Errorf("invalid time value for '%s': %w", name, err)
	}
	p.fault(name, err)
	return t
}

// step reads the distance of the points of a range, in whole milliseconds.
func (p *params) step() time.Duration {
	d, err := parseDuration(p.form.Get("step"))
	switch {
	case err != nil:
	case d <= 0:
		err = errors.New("zero or negative query resolution step widths are not accepted. Try a positive integer")
	case d < time.Millisecond:
		err = errors.New("the resolution of the store is a millisecond") // the engine would divide by zero, or not end
	}
	p.fault("step", err)
	return d.Truncate(time.Millisecond)
}

// duration reads a duration that may be absent; the complaint goes before what is wrong.
func (p *params) duration(name string, otherwise time.Duration, complaint string) time.Duration {
	text := p.form.Get(name)
	if text == "" {
		return otherwise
	}
	d, err := parseDuration(text)
	if err != nil && p.err == nil {
		p.err = as(badData, fmt.Errorf("%s: %w", complaint, err))
	}
	return d
}

// limit reads how many results are wanted at most; 0 is all.
func (p *params) limit() int {
	text := p.form.Get("limit")
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err == nil && n < 0 {
		err = errors.New("limit must be non-negative")
	}
	p.fault("limit", err)
	return n
}

// expression reads the query. What the parser finds wrong is for the caller to wrap.
func (p *params) expression(parse parser.Parser) (text string, e parser.Expr, err error) {
	text = p.form.Get("query")
	if err = tooLong(text); err == nil {
		e, err = parse.ParseExpr(text)
	}
	if err == nil && depth(e) > maxDepth {
		err = fmt.Errorf("an expression nested %d deep is too deep: at most %d", depth(e), maxDepth)
	}
	return text, e, err
}

// depth is the length of the longest path from an expression to a part of it.
func depth(e parser.Expr) int {
	type step struct {
		node  parser.Node
		depth int
	}
	most := 0
	for todo := []step{{e, 1}}; len(todo) > 0; { // no recursion: the depth is a stranger's
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		most = max(most, s.depth)
		for child := range parser.ChildrenIter(s.node) {
			todo = append(todo, step{child, s.depth + 1})
		}
	}
	return most
}

// selectors reads all match[].
func (p *params) selectors(parse parser.Parser) ([][]*labels.Matcher, error) {
	texts := p.form["match[]"]
	for _, text := range texts {
		if err := tooLong(text); err != nil {
			return nil, err
		}
	}
	sets, err := parse.ParseMetricSelectors(texts)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		if !narrows(set) {
			return nil, errors.New("match[] must contain at least one non-empty matcher")
		}
	}
	return sets, nil
}

// narrows says whether a selector leaves anything out: one of its matchers must refuse the
// empty value, which is that of a label that a series has not.
func narrows(set []*labels.Matcher) bool {
	return slices.ContainsFunc(set, func(m *labels.Matcher) bool { return m != nil && !m.Matches("") })
}

func tooLong(expression string) error {
	if len(expression) > maxExpression {
		return fmt.Errorf("an expression of %d bytes is too long: at most %d", len(expression), maxExpression)
	}
	return nil
}

// ParseTime reads a moment as Prometheus' API does: seconds since 1970, rounded to milliseconds, or RFC 3339. Unlike
// Prometheus it refuses NaN and what no time can hold.
func ParseTime(text string) (time.Time, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds >= float64(earliest.Unix()) && seconds <= float64(latest.Unix())) {
			return time.Time{}, fmt.Errorf("cannot parse %q to a valid timestamp: out of range", text)
		}
		whole, part := math.Modf(seconds)
		return time.Unix(int64(whole), int64(math.Round(part*1000))*int64(time.Millisecond)).UTC(), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	for _, t := range [...]time.Time{earliest, latest} {
		if text == t.Format(time.RFC3339Nano) {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("cannot parse %q to a valid timestamp", text)
}

// parseDuration reads seconds, or a duration in Prometheus' notation (1h30m).
func parseDuration(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		nanoseconds := seconds * float64(time.Second)
		if math.IsNaN(nanoseconds) {
			return 0, fmt.Errorf("cannot parse %q to a valid duration", text)
		}
		if nanoseconds >= math.MaxInt64 || nanoseconds < math.MinInt64 {
			return 0, fmt.Errorf("cannot parse %q to a valid duration. It overflows int64", text)
		}
		return time.Duration(nanoseconds), nil
	}
	if d, err := model.ParseDuration(text); err == nil {
		return time.Duration(d), nil
	}
	return 0, fmt.Errorf("cannot parse %q to a valid duration", text)
}
