package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// Merge adds up recordings of generators that loaded the same target side by side, each
// with a part of the connections and of the rate. Nothing is lost: histograms merge cell
// by cell, slices of the same offset become one, connections and rates add up, and the
// parts are listed in Header.Parts. The order and the grouping of the recordings do not
// matter. Recordings that differ in what cannot be added are an error of kind
// fail.BadInput which names the difference.
//
// Thresholds are left out: they have to be applied to the sum.
func Merge(recordings ...*Recording) (*Recording, error) {
	if len(recordings) == 0 {
		return nil, fail.New(fail.BadInput, "merge recordings: there are none")
	}
	if len(recordings) == 1 {
		return recordings[0], nil
	}
	first := recordings[0]
	shape := first.shape()
	out := &Recording{Header: first.Header}
	out.Header.Parts = nil
	for i, r := range recordings {
		if what := differs(first, r); what != "" {
			return nil, fail.New(fail.BadInput, "merge recordings: number %d %s", i+1, what).
				WithHint("only recordings of the same target under the same schedule add up; hone load plot shows others side by side")
		}
		if g := r.shape(); g != shape && g != (packed.Shape{}) && shape != (packed.Shape{}) {
			return nil, fail.New(fail.BadInput,
				"merge recordings: number %d has histograms of another range (%v, not %v)", i+1, g, shape)
		}
		if i > 0 {
			out.Header = mergeHeaders(out.Header, r.Header)
		}
		out.Header.Parts = append(out.Header.Parts, r.parts()...)
		out.Truncated = out.Truncated || r.Truncated
	}
	slices.SortFunc(out.Header.Parts, compareParts)
	if err := out.Header.Schedule.Validate(); err != nil {
		return nil, fail.New(fail.BadInput, "merge recordings: the sum of the schedules: %w", err)
	}
	out.Final = mergeFinals(recordings)
	var err error
	out.Slices, err = mergeSlices(recordings)
	return out, err
}

// differs says what keeps b from being added to a, or "".
func differs(a, b *Recording) string {
	x, y := a.Header, b.Header
	for _, c := range []struct {
		name string
		a, b any
	}{
		{"target", x.Target, y.Target},
		{"protocol", x.Protocol, y.Protocol},
		{"list of targets", strings.Join(x.Targets, ", "), strings.Join(y.Targets, ", ")},
		{"protocol options", compact(x.Options), compact(y.Options)},
		{"depth", x.Plan.Depth, y.Plan.Depth},
		{"timeout", x.Plan.Timeout, y.Plan.Timeout},
		{"request timeout", x.Plan.RequestTimeout, y.Plan.RequestTimeout},
		{"requests per connection", x.Plan.PerConnection, y.Plan.PerConnection},
		{"drain", x.Drain, y.Drain},
		{"interval", x.Interval, y.Interval},
		{"kind of loop", loopWord(x.Schedule), loopWord(y.Schedule)},
		{"arrivals", arrivals(x.Schedule), arrivals(y.Schedule)},
		{"duration", x.Schedule.Duration, y.Schedule.Duration},
		{"stages", stageLengths(x.Schedule), stageLengths(y.Schedule)},
	} {
		if c.a != c.b {
			return fmt.Sprintf("has another %s: %v, not %v", c.name, c.b, c.a)
		}
	}
	return ""
}

func loopWord(s load.Schedule) string {
	switch {
	case len(s.Replay) > 0:
		return "replay"
	case s.Open():
		return "open"
	default:
		return "closed"
	}
}

func arrivals(s load.Schedule) load.Arrivals {
	return cmp.Or(s.Arrivals, load.Uniform)
}

func stageLengths(s load.Schedule) string {
	var b []time.Duration
	for _, g := range s.Stages {
		b = append(b, g.For)
	}
	return fmt.Sprint(b)
}

func compact(doc json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, doc) != nil {
		return string(doc)
	}
	return b.String()
}

// mergeHeaders adds b to a; what cannot be added is kept where both agree.
func mergeHeaders(a, b Header) Header {
	a.Hone, a.Go = agree(a.Hone, b.Hone), agree(a.Go, b.Go)
	a.Machine = agree(a.Machine, b.Machine)
	if b.Start.Before(a.Start) {
		a.Start = b.Start
	}
	a.Plan.Connections += b.Plan.Connections
	a.Plan.Workers += b.Plan.Workers
	if !slices.Equal(a.Plan.CPUs, b.Plan.CPUs) {
		a.Plan.CPUs = nil
	}
	a.Plan.ConnectOver = max(a.Plan.ConnectOver, b.Plan.ConnectOver)
	a.Schedule.Requests += b.Schedule.Requests
	a.Schedule.Seed = agree(a.Schedule.Seed, b.Schedule.Seed)
	a.Schedule.Arrivals = arrivals(a.Schedule)
	a.Schedule.Stages = slices.Clone(a.Schedule.Stages)
	for i := range a.Schedule.Stages {
		a.Schedule.Stages[i].From += b.Schedule.Stages[i].From
		a.Schedule.Stages[i].To += b.Schedule.Stages[i].To
	}
	a.Schedule.Replay = slices.Concat(a.Schedule.Replay, b.Schedule.Replay)
	slices.Sort(a.Schedule.Replay)
	a.WarmUp = a.WarmUp.add(b.WarmUp)
	a.Notes = union(a.Notes, b.Notes)
	a.Calibration = nil // each part has its own
	return a
}

// agree is the value that both have, or none.
func agree[T comparable](a, b T) T {
	if a == b {
		return a
	}
	var none T
	return none
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// parts are those of a merged recording, or the one that a recording of its own is.
func (r *Recording) parts() []Part {
	if len(r.Header.Parts) > 0 {
		return r.Header.Parts
	}
	p := Part{Setup: r.Header.Setup, Replayed: len(r.Header.Schedule.Replay)}
	p.Schedule.Replay = nil
	for _, s := range r.Slices {
		p.Took = max(p.Took, s.Offset+s.Duration)
	}
	return []Part{p}
}

// compareParts orders parts by start and, for equal ones, by all the rest.
func compareParts(a, b Part) int {
	if c := a.Start.Compare(b.Start); c != 0 {
		return c
	}
	x, _ := json.Marshal(a) // plain data: cannot go wrong
	y, _ := json.Marshal(b)
	return bytes.Compare(x, y)
}

func mergeFinals(recordings []*Recording) Final {
	var out Final
	for _, r := range recordings {
		f := r.Final
		out.Counts.Add(f.Counts)
		out.Doubts = append(out.Doubts, f.Doubts...)
		out.Connect = load.SumHistograms(out.Connect, f.Connect)
		out.Pauses.Count += f.Pauses.Count
		out.Pauses.Total += f.Pauses.Total
		out.Pauses.Max = max(out.Pauses.Max, f.Pauses.Max)
		out.Interrupted = out.Interrupted || f.Interrupted
		out.Notes = union(out.Notes, f.Notes)
	}
	slices.SortFunc(out.Doubts, func(a, b load.Doubt) int {
		if a.Fatal != b.Fatal {
			if a.Fatal {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Text, b.Text))
	})
	out.Doubts = slices.Compact(out.Doubts)
	return out
}

// shape is the range of the recording's histograms, the zero value if it has none.
func (r *Recording) shape() (shape packed.Shape) {
	for _, s := range r.Slices {
		if shape = s.Shape(); shape != (packed.Shape{}) {
			return shape
		}
	}
	return shape
}
