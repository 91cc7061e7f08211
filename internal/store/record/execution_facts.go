package record

import (
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// ExecutionFacts are what executions took.
type ExecutionFacts struct {
	// Executions is how many there were.
	Executions int `json:"executions"`
	// CPU is user and system time. All times are nanoseconds.
	CPU    ExecutionSpread `json:"cpu_ns"`
	User   ExecutionSpread `json:"user_ns"`
	System ExecutionSpread `json:"system_ns"`
	Real   ExecutionSpread `json:"real_ns"`
	// MaxResident is that of any one process, bytes, over the executions of which it is
	// known; nil if it is of none. AtMost is a bound instead, 0 if there is none.
	MaxResident *ExecutionSpread `json:"max_resident_bytes,omitempty"`
	AtMost      int64            `json:"max_resident_at_most_bytes,omitempty"`
	Voluntary   ExecutionSpread  `json:"voluntary_switches"`
	Involuntary ExecutionSpread  `json:"involuntary_switches"`
	MinorFaults ExecutionSpread  `json:"minor_faults"`
	MajorFaults ExecutionSpread  `json:"major_faults"`
}

// Figures are the medians by measure.
func (f *ExecutionFacts) Figures() judge.Sample {
	all := judge.Sample{}
	for key, s := range f.compared() {
		all[key] = s.Median
	}
	return all
}

// TakeFigure gives the facts the figure that the verdict of their comparison has. An interval that does not hold it
// goes.
func (f *ExecutionFacts) TakeFigure(key string, value float64) {
	s := f.compared()[key]
	if s == nil {
		return
	}
	if s.Median = value; value < s.Low || value > s.High {
		s.Low, s.High, s.Conf = 0, 0, 0
	}
}

// compared are the spreads of those measures that are compared, by their keys.
func (f *ExecutionFacts) compared() map[string]*ExecutionSpread {
	if f == nil {
		return nil
	}
	all := map[string]*ExecutionSpread{measure.ExecutionCPU.Key: &f.CPU, measure.ExecutionReal.Key: &f.Real}
	if f.MaxResident != nil {
		all[measure.ExecutionResident.Key] = f.MaxResident
	}
	return all
}

// Measures are the results that lists and histories show.
func (f *ExecutionFacts) Measures() []ledger.MeasureValue {
	if f == nil {
		return nil
	}
	var all []ledger.MeasureValue
	add := func(name, unit string, s ExecutionSpread) {
		m := ledger.MeasureValue{Name: name, Unit: unit, Value: s.Median}
		if s.Conf > 0 {
			m.Low, m.High = &s.Low, &s.High
		}
		all = append(all, m)
	}
	add(measure.ExecutionCPU.Key, measure.ExecutionCPU.Unit, f.CPU)
	add(measure.ExecutionReal.Key, measure.ExecutionReal.Unit, f.Real)
	add("user", "ns", f.User)
	add("system", "ns", f.System)
	if f.MaxResident != nil {
		add(measure.ExecutionResident.Key, measure.ExecutionResident.Unit, *f.MaxResident)
	}
	return all
}

// ExecutionSpread is a measure over executions.
type ExecutionSpread struct {
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
func FactsOf(all []Execution) *ExecutionFacts {
	if len(all) == 0 {
		return nil
	}
	of := func(value func(Execution) int64) ExecutionSpread { return spreadOf(all, value) }
	f := &ExecutionFacts{
		Executions:  len(all),
		CPU:         of(func(e Execution) int64 { return int64(e.CPU()) }),
		User:        of(func(e Execution) int64 { return int64(e.User) }),
		System:      of(func(e Execution) int64 { return int64(e.System) }),
		Real:        of(func(e Execution) int64 { return int64(e.Real) }),
		Voluntary:   of(func(e Execution) int64 { return e.Voluntary }),
		Involuntary: of(func(e Execution) int64 { return e.Involuntary }),
		MinorFaults: of(func(e Execution) int64 { return e.MinorFaults }),
		MajorFaults: of(func(e Execution) int64 { return e.MajorFaults }),
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
func spreadOf(all []Execution, value func(Execution) int64) ExecutionSpread {
	var values []float64
	for _, e := range all {
		values = append(values, float64(value(e)))
	}
	s := ExecutionSpread{Min: slices.Min(values), Max: slices.Max(values)}
	s.Median, _ = stats.Median(values) // its errors are of no values, or none finite
	if e, err := stats.HodgesLehmann(values, 0.95); err == nil && e.Bounded() {
		s.Low, s.High, s.Conf = e.Low, e.High, e.Conf
	}
	return s
}

// GoodExecutions are the executions that did not fail.
func GoodExecutions(all []Execution) []Execution {
	return slices.DeleteFunc(slices.Clone(all), func(e Execution) bool { return e.Failure != "" })
}
