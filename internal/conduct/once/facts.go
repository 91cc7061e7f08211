package once

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Facts are what executions took.
type Facts struct {
	// Executions is how many there were.
	Executions int `json:"executions"`
	// CPU is user and system time. All times are nanoseconds.
	CPU    Spread `json:"cpu_ns"`
	User   Spread `json:"user_ns"`
	System Spread `json:"system_ns"`
	Real   Spread `json:"real_ns"`
	// MaxResident is that of any one process, bytes, over the executions of which it is
	// known; nil if it is of none. AtMost is a bound instead, 0 if there is none.
	MaxResident *Spread `json:"max_resident_bytes,omitempty"`
	AtMost      int64   `json:"max_resident_at_most_bytes,omitempty"`
	Voluntary   Spread  `json:"voluntary_switches"`
	Involuntary Spread  `json:"involuntary_switches"`
	MinorFaults Spread  `json:"minor_faults"`
	MajorFaults Spread  `json:"major_faults"`
}

// Spread is a measure over executions.
type Spread struct {
	// Median is, in a comparison, that of A, and of another variant the value to which the verdict leads from A.
	Median float64 `json:"median"`
	// Low ... High is an interval of the middle (Hodges & Lehmann 1963) with the
	// confidence Conf; 0 with fewer than six executions.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	Conf float64 `json:"confidence"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// FactsOf sums up executions; nil if there are none.
func FactsOf(all []Execution) *Facts {
	if len(all) == 0 {
		return nil
	}
	of := func(value func(Execution) int64) Spread { return spreadOf(all, value) }
	f := &Facts{
		Executions: len(all),
		CPU:        of(func(e Execution) int64 { return int64(e.CPU()) }), User: of(func(e Execution) int64 { return int64(e.User) }),
		System: of(func(e Execution) int64 { return int64(e.System) }), Real: of(func(e Execution) int64 { return int64(e.Real) }),
		Voluntary: of(func(e Execution) int64 { return e.Voluntary }), Involuntary: of(func(e Execution) int64 { return e.Involuntary }),
		MinorFaults: of(func(e Execution) int64 { return e.MinorFaults }), MajorFaults: of(func(e Execution) int64 { return e.MajorFaults }),
	}
	resident := func(e Execution) int64 { return e.MaxResident }
	known := slices.DeleteFunc(slices.Clone(all), func(e Execution) bool { return e.AtMost || e.MaxResident == 0 })
	if len(known) > 0 {
		s := spreadOf(known, resident)
		f.MaxResident = &s
	} else {
		f.AtMost = int64(spreadOf(all, resident).Max)
	}
	return f
}

// spreadOf sums up what executions, of which there are some, show.
func spreadOf(all []Execution, value func(Execution) int64) Spread {
	var values []float64
	for _, e := range all {
		values = append(values, float64(value(e)))
	}
	s := Spread{Min: slices.Min(values), Max: slices.Max(values)}
	s.Median, _ = stats.Median(values) // its errors are of no values, or none finite
	if e, err := stats.HodgesLehmann(values, 0.95); err == nil && e.Bounded() {
		s.Low, s.High, s.Conf = e.Low, e.High, e.Conf
	}
	return s
}

// Figures are the medians by measure.
func (f *Facts) Figures() judge.Sample {
	all := judge.Sample{}
	for key, s := range f.compared() {
		all[key] = s.Median
	}
	return all
}

// TakeFigure gives the facts the figure that the verdict of their comparison has. An interval that does not hold it
// goes.
func (f *Facts) TakeFigure(key string, value float64) {
	s := f.compared()[key]
	if s == nil {
		return
	}
	if s.Median = value; value < s.Low || value > s.High {
		s.Low, s.High, s.Conf = 0, 0, 0
	}
}

// compared are the spreads of those measures that are compared, by their keys.
func (f *Facts) compared() map[string]*Spread {
	if f == nil {
		return nil
	}
	all := map[string]*Spread{CPU.Key: &f.CPU, Real.Key: &f.Real}
	if f.MaxResident != nil {
		all[MaxResident.Key] = f.MaxResident
	}
	return all
}

// Good are the executions that did not fail.
func Good(all []Execution) []Execution {
	return slices.DeleteFunc(slices.Clone(all), func(e Execution) bool { return e.Failure != "" })
}

// Measures are the results that lists and histories show.
func (f *Facts) Measures() []ledger.MeasureValue {
	if f == nil {
		return nil
	}
	var all []ledger.MeasureValue
	add := func(name, unit string, s Spread) {
		m := ledger.MeasureValue{Name: name, Unit: unit, Value: s.Median}
		if s.Conf > 0 {
			m.Low, m.High = &s.Low, &s.High
		}
		all = append(all, m)
	}
	add(CPU.Key, CPU.Unit, f.CPU)
	add(Real.Key, Real.Unit, f.Real)
	add("user", "ns", f.User)
	add("system", "ns", f.System)
	if f.MaxResident != nil {
		add(MaxResident.Key, MaxResident.Unit, *f.MaxResident)
	}
	return all
}

// Slice is an execution as a stretch of load of one operation, for readers of slices.
func (e Execution) Slice(i int) ledger.Slice {
	s := ledger.Slice{
		Index: i, Block: e.Round, First: e.Turn == 0, Start: e.Start, Duration: max(e.Real, time.Nanosecond),
		Scheduled: 1, Sent: 1, Answered: 1, CPU: e.CPU(), Conditions: ledger.ConditionsOf(e.Conditions),
	}
	if e.Failure != "" {
		s.Answered, s.Failed = 0, 1
	}
	return s
}
