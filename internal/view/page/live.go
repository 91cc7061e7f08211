package page

import (
	"math"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/internal/view/model"
)

// LiveOf is what a measurement that goes on shows.
func LiveOf(s live.State) Live {
	l := Live{
		Schema: Schema, ID: s.ID, Key: s.Key, Kind: Kind(s.Kind), Command: s.Command, Started: s.Started,
		Phase: s.Phase, PhaseSeconds: s.At.Sub(s.PhaseBegan).Seconds(), PhaseExpected: s.PhaseExpected.Seconds(),
		Done: s.Done.Seconds(), Total: s.Total.Seconds(), Left: left(s), Variant: s.Variant, Loaded: s.Loaded,
		Rate: rateNumber(s.RatePerSec), Asked: rateNumber(s.AskedPerSec), P99: nanosNumber(s.P99.Seconds()),
		Errors: s.Errors, Note: s.Note, Warnings: s.Warnings, Ended: s.Ended, Past: []LivePoint{},
	}
	for _, p := range s.Past {
		l.Past = append(l.Past, LivePoint{float64(p.At) / 1000, p.Variant, p.RatePerSec, float64(p.P99), p.Errors})
	}
	if r := s.Latest; r != nil {
		l.Vitals = vitalsOf(r)
		for _, c := range r.Causes {
			l.Causes = append(l.Causes, model.Row{Name: c.Name, Text: units.Count(c.Count)})
		}
		if x, known := r.LatencyP50Seconds.Get(); known {
			l.P50 = nanosNumber(x)
		}
		if x, known := r.LatencyP999Seconds.Get(); known {
			l.P999 = nanosNumber(x)
		}
	}
	return l
}

// left is the time left: of the timed load, else of the phase.
func left(s live.State) string {
	rest := s.Total - s.Done
	if s.Total <= 0 {
		if rest = s.PhaseExpected - s.At.Sub(s.PhaseBegan); s.PhaseExpected <= 0 {
			return ""
		}
	}
	return units.Seconds(max(0, rest).Round(time.Second))
}

func rateNumber(perSec float64) model.Number {
	if perSec <= 0 || math.IsInf(perSec, 0) || math.IsNaN(perSec) {
		return model.Number{}
	}
	return model.Number{Value: perSec, Text: units.Rate(perSec)}
}

func nanosNumber(seconds float64) model.Number {
	ns := seconds * 1e9
	if ns <= 0 || math.IsInf(ns, 0) || math.IsNaN(ns) {
		return model.Number{}
	}
	return model.Number{Value: ns, Text: units.Nanos(ns)}
}

// vitalKind is one reading that a live page shows.
type vitalKind struct {
	name, of, unit string
	value          func(*vitals.Reading) vitals.Value
	text           func(float64) string
}

// vitalKinds are the readings in the order in which they stand.
var vitalKinds = []vitalKind{
	{"CPU", "program", "cores", func(r *vitals.Reading) vitals.Value { return r.CPUCores },
		func(x float64) string { return units.Digits(x) + " cores" }},
	{"heap in use", "program", "B", func(r *vitals.Reading) vitals.Value { return r.HeapBytes }, units.Bytes},
	{"live heap", "program", "B", func(r *vitals.Reading) vitals.Value { return r.HeapLiveBytes }, units.Bytes},
	{"resident memory", "program", "B", func(r *vitals.Reading) vitals.Value { return r.ResidentBytes }, units.Bytes},
	{"allocation", "program", "B/s", func(r *vitals.Reading) vitals.Value { return r.AllocBytesPerSec },
		func(x float64) string { return units.Bytes(x) + "/s" }},
	{"collections", "program", "1/s", func(r *vitals.Reading) vitals.Value { return r.GCCyclesPerSec }, units.Rate},
	{"collector's CPU", "program", "share", func(r *vitals.Reading) vitals.Value { return r.GCShare }, units.Share},
	{"longest pauses (p99)", "program", "ns", func(r *vitals.Reading) vitals.Value { return r.GCPauseP99Seconds },
		func(x float64) string { return units.Nanos(1e9 * x) }},
	{"goroutines", "program", "", func(r *vitals.Reading) vitals.Value { return r.Goroutines }, units.Digits},
	{"connections", "program", "", func(r *vitals.Reading) vitals.Value { return r.Connections }, units.Digits},
	{"CPU in use", "generator", "share", func(r *vitals.Reading) vitals.Value { return r.GeneratorShare }, units.Share},
}

// busyGenerator is the share of its CPU from which on a generator is worth a warning: close to its limit it sends late.
const busyGenerator = 0.8

func vitalsOf(r *vitals.Reading) []Vital {
	var all []Vital
	for _, k := range vitalKinds {
		x, known := k.value(r).Get()
		if !known {
			continue
		}
		v := Vital{Name: k.name, Of: k.of, Unit: k.unit, Value: x, Text: strings.TrimSpace(k.text(x))}
		if k.of == "generator" && x >= busyGenerator {
			v.Tone = model.Warning
		}
		all = append(all, v)
	}
	return all
}
