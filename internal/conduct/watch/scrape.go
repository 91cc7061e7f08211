package watch

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/vitals"
)

// scrape turns one exposition after another into what the service did in between. It keeps
// the last value of each series that it needs, for the sums of counters go down when a
// series goes.
type scrape struct {
	seed     maphash.Seed
	number   uint64
	at       time.Time
	series   map[uint64]*series // by the hash of their names and labels
	families map[string]*family

	odd bool // an exposition had to be mended

	rate, latency choice
	lately
}

// series is one line of an exposition.
type series struct {
	*family         // nil: of no interest
	role    part    // in the family
	bound   float64 // upper, of a bucket
	failed  bool    // its label says that it counts failures
	seen    uint64  // number of the exposition it was in
	known   bool    // there is a value of an earlier one
	last    float64
	native  *histogram.FloatHistogram
}

// part is what a series is to its family.
type part uint8

const (
	partGauge part = iota
	partCounter
	partBucket
	partCount
	partNative
)

// family is the series of one name: what they grew by since the exposition before.
type family struct {
	name string
	unit string // that the page declares; empty for none
	seen uint64
	// grown says that there is an increase; value is the sum of gauges.
	grown           bool
	value, increase float64
	failures        float64 // part of increase
	counter         bool
	histogram       bool
	buckets         map[float64]float64 // cumulative increase by upper bound
	native          *histogram.FloatHistogram
}

func newScrape() *scrape {
	return &scrape{
		seed: maphash.MakeSeed(), series: map[uint64]*series{}, families: map[string]*family{},
		lately: newLately(),
	}
}

// take reads an exposition of that content type. Errors are refusal where there is too
// much, faults of the format, and, beside a reading, *metricname.Left for what is not quite of it.
func (s *scrape) take(body []byte, kind string, now time.Time) (vitals.Reading, error) {
	if !s.odd {
		r, err := s.takeWhole(body, kind, now)
		if err == nil || errors.As(err, new(refusal)) {
			return r, err
		}
		if _, _, _, s.odd = metricname.Mend(body, kind); !s.odd {
			return r, err
		}
	}
	mended, its, left, ok := metricname.Mend(body, kind)
	if !ok {
		mended, its = body, kind
	}
	r, err := s.takeWhole(mended, its, now)
	if err == nil && left != nil {
		err = left
	}
	return r, err
}

func (s *scrape) takeWhole(body []byte, kind string, now time.Time) (vitals.Reading, error) {
	p, err := metricname.Parser(body, kind)
	if err != nil {
		return vitals.Reading{}, refusal{err}
	}
	s.number++
	for _, f := range s.families {
		*f = family{name: f.name, seen: f.seen, counter: f.counter, histogram: f.histogram}
	}
	units := map[string]string{}
	if err := s.parse(p, units); err != nil {
		s.number = 0 // half of it is not a base for the next one
		s.series, s.families = map[uint64]*series{}, map[string]*family{}
		return vitals.Reading{}, err
	}
	maps.DeleteFunc(s.series, func(_ uint64, one *series) bool { return one.seen != s.number })
	maps.DeleteFunc(s.families, func(_ string, f *family) bool { return f.seen != s.number })
	for name, f := range s.families {
		f.unit = units[name]
	}
	elapsed := now.Sub(s.at).Seconds()
	s.at = now
	return s.reading(now, elapsed), nil
}

// parse reads a page, and the units that it declares.
func (s *scrape) parse(p textparse.Parser, units map[string]string) error {
	var current head
	count := 0
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read metrics: %w", err)
		}
		switch entry {
		case textparse.EntryType:
			name, kind := p.Type()
			current = head{string(name), kind}
			continue
		case textparse.EntryUnit:
			name, unit := p.Unit()
			units[string(name)] = string(unit)
			continue
		case textparse.EntrySeries, textparse.EntryHistogram:
		default:
			continue
		}
		if count++; count > maxSeries {
			return refusal{fmt.Errorf("has over %d series: left alone", maxSeries)}
		}
		if entry == textparse.EntrySeries {
			name, _, value := p.Series()
			s.find(p, name, current, false).number(value, s.number)
			continue
		}
		name, _, whole, float := p.Histogram()
		if float == nil {
			float = whole.ToFloat(nil)
		}
		s.find(p, name, current, true).histogram(float, s.number)
	}
}

// head is the line that says the type of what follows.
type head struct {
	name string
	kind model.MetricType
}

// find returns the series of an entry. What it is, is looked up once.
func (s *scrape) find(p textparse.Parser, name []byte, h head, native bool) *series {
	key := maphash.Bytes(s.seed, name)
	if native {
		key++ // beside the classic one of the same name
	}
	one := s.series[key]
	if one == nil {
		var l labels.Labels
		p.Labels(&l)
		one = s.classify(l, h, native)
		s.series[key] = one
	}
	return one
}

// suffixes are what the names of series may have behind that of their family.
var suffixes = []string{"", "_total", "_bucket", "_count", "_sum", "_created"}

// classify says what a series is for.
func (s *scrape) classify(l labels.Labels, h head, native bool) *series {
	name := l.Get(model.MetricNameLabel)
	suffix, own := strings.CutPrefix(name, h.name)
	if !own || h.name == "" || !slices.Contains(suffixes, suffix) { // its type was not declared
		h, suffix = head{name, model.MetricTypeUnknown}, ""
	}
	one := &series{}
	l.Range(func(label labels.Label) {
		one.failed = one.failed || metricname.Failure(label.Name, label.Value)
	})
	base := name
	switch {
	case native:
		one.role = partNative
	case h.kind == model.MetricTypeHistogram && suffix == "_bucket":
		bound, err := strconv.ParseFloat(l.Get(model.BucketLabel), 64)
		if err != nil || math.IsNaN(bound) {
			return one
		}
		one.role, one.bound, base = partBucket, bound, h.name
	case h.kind == model.MetricTypeHistogram && suffix == "_count":
		one.role, base = partCount, h.name
	case h.kind == model.MetricTypeSummary && suffix == "_count",
		h.kind == model.MetricTypeCounter && suffix != "_created",
		h.kind == model.MetricTypeUnknown && strings.HasSuffix(name, "_total"):
		one.role = partCounter
	case h.kind == model.MetricTypeGauge && wantedGauges[name]:
		one.role = partGauge
	default:
		return one
	}
	f := s.families[base]
	if f == nil {
		f = &family{name: base}
		s.families[base] = f
	}
	f.counter = f.counter || one.role == partCounter
	f.histogram = f.histogram || one.role != partCounter && one.role != partGauge
	one.family = f
	return one
}

// number takes in the value of a series.
func (one *series) number(value float64, scrape uint64) {
	one.seen = scrape
	f := one.family
	if f == nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	f.seen = scrape
	increase, known := vitals.Increase(one.last, value), one.known
	one.last, one.known = value, true
	if one.role == partGauge {
		f.value += value
		return
	}
	if !known {
		return
	}
	f.grown = true
	if one.role == partBucket {
		if f.buckets == nil {
			f.buckets = map[float64]float64{}
		}
		f.buckets[one.bound] += increase
		return
	}
	f.increase += increase
	if one.failed {
		f.failures += increase
	}
}

// histogram takes in a native histogram.
func (one *series) histogram(h *histogram.FloatHistogram, scrape uint64) {
	one.seen = scrape
	f := one.family
	if f == nil {
		return
	}
	f.seen = scrape
	before := one.native
	one.native = h
	if before == nil {
		return
	}
	increase := h.Copy()
	if !h.DetectReset(before) {
		less, _, _, err := increase.Sub(before.Copy())
		if err != nil {
			return
		}
		increase = less
	}
	f.grown = true
	f.increase += increase.Count
	if one.failed {
		f.failures += increase.Count
	}
	if f.native == nil {
		f.native = increase
		return
	}
	if sum, _, _, err := f.native.Add(increase); err == nil {
		f.native = sum
	}
}
