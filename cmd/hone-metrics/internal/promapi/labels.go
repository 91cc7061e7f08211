package promapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// span is what a question about labels or series is limited to.
type span struct {
	limit      int // 0: all
	start, end time.Time
	selectors  [][]*labels.Matcher // any of them; none is all series
}

// span reads what both questions have in common, but for a fault of a selector, which
// Prometheus puts in different words.
func (a *api) span(p *params) (s span, err error) {
	s = span{limit: p.limit(), start: p.momentOr("start", earliest), end: p.momentOr("end", latest)}
	if p.err == nil {
		s.selectors, err = p.selectors(a.Parser)
	}
	return s, err
}

// oneMore is the limit for the store: with one result more than wanted it is known that
// there are more.
func (s span) oneMore() int {
	if s.limit == 0 || s.limit == math.MaxInt {
		return s.limit
	}
	return s.limit + 1
}

// readSpan has the store asked within a span.
func (a *api) readSpan(ctx context.Context, s span, ask func(storage.Querier) (answer, error)) (answer, error) {
	return a.reading(ctx, func(store storage.Queryable) (answer, error) {
		q, err := store.Querier(timestamp.FromTime(s.start), timestamp.FromTime(s.end))
		if err != nil {
			return answer{}, err
		}
		defer q.Close()
		return ask(q)
	})
}

// lister is one of the two questions about labels.
type lister func(storage.Querier, context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string,
	annotations.Annotations, error)

func (a *api) labelNames(r *http.Request) (answer, error) {
	return a.list(r, storage.Querier.LabelNames)
}

func (a *api) labelValues(r *http.Request) (answer, error) {
	name := r.PathValue("name")
	if strings.HasPrefix(name, "U__") { // how clients spell names that are not plain words
		name = model.UnescapeName(name, model.ValueEncodingEscaping)
	}
	if !model.UTF8Validation.IsValidLabelName(name) {
		return answer{}, as(badData, fmt.Errorf("invalid label name: %q", name))
	}
	return a.list(r, func(q storage.Querier, ctx context.Context, h *storage.LabelHints,
		ms ...*labels.Matcher) ([]string, annotations.Annotations, error) {
		return q.LabelValues(ctx, name, h, ms...)
	})
}

// list answers with the union of what the selectors find, in order.
func (a *api) list(r *http.Request, ask lister) (answer, error) {
	p := params{form: r.Form}
	s, err := a.span(&p)
	if err != nil {
		p.err = as(badData, err)
	}
	if p.err != nil {
		return answer{}, p.err
	}
	sets := s.selectors
	if len(sets) == 0 {
		sets = [][]*labels.Matcher{nil}
	}
	return a.readSpan(r.Context(), s, func(q storage.Querier) (answer, error) {
		var found []string
		var notes annotations.Annotations
		for _, set := range sets {
			more, warnings, err := ask(q, r.Context(), &storage.LabelHints{Limit: s.oneMore()}, set...)
			if err != nil {
				return answer{}, err
			}
			notes.Merge(warnings)
			found = append(found, more...)
		}
		slices.Sort(found)
		found = slices.Compact(found)
		if s.limit > 0 && len(found) > s.limit {
			found = found[:s.limit]
			notes.Add(errTruncated)
		}
		data := appendStrings(nil, found)
		if len(data) > maxAnswer {
			return answer{}, errLong
		}
		return answer{data: data, notes: notes}, nil
	})
}

// cancelEvery is after how many series a long list looks whether it is still wanted.
const cancelEvery = 128

// series answers with the labels of each series that a selector finds, in order.
func (a *api) series(r *http.Request) (answer, error) {
	p := params{form: r.Form}
	if len(r.Form["match[]"]) == 0 {
		return answer{}, as(badData, errors.New("no match[] parameter provided"))
	}
	s, err := a.span(&p)
	p.fault("match[]", err)
	if p.err != nil {
		return answer{}, p.err
	}
	return a.readSpan(r.Context(), s, func(q storage.Querier) (answer, error) {
		set := s.find(r.Context(), q)
		data, n, truncated := []byte{'['}, 0, false
		for set.Next() {
			if n%cancelEvery == 0 && r.Context().Err() != nil {
				return answer{}, r.Context().Err()
			}
			if truncated = s.limit > 0 && n == s.limit; truncated {
				break
			}
			if n > 0 {
				data = append(data, ',')
			}
			if data = appendLabels(data, set.At().Labels()); len(data) > maxAnswer {
				return answer{}, errLong
			}
			n++
		}
		if err := set.Err(); err != nil {
			return answer{}, err
		}
		notes := set.Warnings()
		if truncated {
			notes.Add(errTruncated)
		}
		return answer{data: append(data, ']'), notes: notes}, nil
	})
}

func (s span) find(ctx context.Context, q storage.Querier) storage.SeriesSet {
	hints := &storage.SelectHints{
		Start: timestamp.FromTime(s.start), End: timestamp.FromTime(s.end), Limit: s.oneMore(),
		Func: "series", // no function of PromQL; it tells the store that no samples are needed
	}
	sets := make([]storage.SeriesSet, len(s.selectors))
	for i, selector := range s.selectors {
		sets[i] = q.Select(ctx, true, hints, selector...)
	}
	if len(sets) == 1 {
		return sets[0]
	}
	return storage.NewMergeSeriesSet(sets, 0, storage.ChainedSeriesMerge)
}
