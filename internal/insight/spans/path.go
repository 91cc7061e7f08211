package spans

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/wire/otlp"
)

// traces are spans with their parents.
type traces struct{ spans []span }

// newTraces finds the children of each span, those that end last first.
func newTraces(all []span) *traces {
	t := &traces{spans: slices.Clone(all)}
	at := make(map[spanID]int, len(all))
	for i := range t.spans {
		t.spans[i].children = nil
		at[t.spans[i].id] = i
	}
	for i := range t.spans {
		s := &t.spans[i]
		if up, ok := at[s.parent]; ok && up != i && s.parent != (spanID{}) {
			s.up = up
			t.spans[up].children = append(t.spans[up].children, i)
		}
	}
	for i := range t.spans {
		slices.SortFunc(t.spans[i].children, func(a, b int) int { return cmp.Compare(t.spans[b].end, t.spans[a].end) })
	}
	return t
}

// deepest bounds how many spans stand above one: what programs send may be a circle.
const deepest = 64

// isRequest says that a span is a request from outside of its service.
func (t *traces) isRequest(i int) bool {
	s := &t.spans[i]
	if s.kind != otlp.Server && s.kind != otlp.Consumer {
		return false
	}
	up := s.up
	for range deepest {
		if up < 0 {
			return true
		}
		if o := &t.spans[up]; o.service == s.service && o.kind == s.kind {
			return false
		}
		up = t.spans[up].up
	}
	return false
}

// path walks the critical path of span i, up to a moment, and calls do for each stretch with the span that has it.
func (t *traces) path(i int, from, to int64, deep int, do func(i int, nanos int64)) {
	s := &t.spans[i]
	from, to = max(from, s.start), min(to, s.end)
	for _, child := range s.children {
		c := &t.spans[child]
		if to <= from {
			return
		}
		if c.start >= to || c.end <= from || deep == 0 {
			continue
		}
		end := min(to, c.end)
		do(i, to-end)
		t.path(child, from, end, deep-1, do)
		to = max(from, c.start)
	}
	do(i, max(0, to-from))
}

// each calls do for each span below span i, and for itself.
func (t *traces) each(i, deep int, do func(i int)) {
	do(i)
	for _, child := range t.spans[i].children {
		if deep > 0 {
			t.each(child, deep-1, do)
		}
	}
}

// sums add up the spans of requests by name and place.
type sums struct {
	byKey map[walltime.Statement]*walltime.Statement
	order []*walltime.Statement
	calls map[*walltime.Statement]int // of the request under way
}

func newSums() *sums {
	return &sums{byKey: map[walltime.Statement]*walltime.Statement{}, calls: map[*walltime.Statement]int{}}
}

func (s *sums) of(t *traces, i, root int) *walltime.Statement {
	one := &t.spans[i]
	key := walltime.Statement{Text: one.name, Function: one.function, File: one.file, Line: one.line}
	if i == root {
		key = walltime.Statement{Text: Itself}
	} else if one.service != t.spans[root].service {
		key.Text = one.service + ": " + key.Text
	}
	known := s.byKey[key]
	if known == nil {
		copied := key
		known = &copied
		s.byKey[key] = known
		s.order = append(s.order, known)
	}
	return known
}

func (s *sums) request(t *traces, root int) {
	t.path(root, t.spans[root].start, t.spans[root].end, deepest,
		func(i int, nanos int64) { s.of(t, i, root).Nanos += float64(nanos) })
	clear(s.calls)
	t.each(root, deepest, func(i int) { s.calls[s.of(t, i, root)]++ })
	for one, n := range s.calls {
		one.Calls += float64(n)
		one.Requests++
		one.Most = max(one.Most, n)
	}
}

func (s *sums) perRequest(requests int) (all []walltime.Statement) {
	for _, one := range s.order {
		one.Nanos, one.Calls = one.Nanos/float64(requests), one.Calls/float64(requests)
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b walltime.Statement) int {
		return cmp.Or(cmp.Compare(b.Nanos, a.Nanos), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Line, b.Line))
	})
	return all
}
