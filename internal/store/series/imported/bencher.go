package imported

import (
	"cmp"
	"time"

	"github.com/gohone/hone/internal/store/series"
)

// unitOf are Bencher's own measures, in the unit that they have: docs of Bencher, "Benchmark Adapters".
var unitOf = map[string]string{"latency": "ns/op", "throughput": "operations/s", "instructions": "instructions/op"}

// bencher reads the Bencher Metric Format:
//
//	{"BENCHMARK": {"latency": {"value": 88, "lower_value": 87, "upper_value": 89}}}
//
// The bounds are of whatever the tool took them for, and are left out.
func (f *file) bencher(text []byte) error {
	f.format = Bencher
	d, err := f.document(text, 0)
	if err != nil {
		return err
	}
	commit := f.named()
	if commit == "" {
		return f.refuse(1, "a file of Bencher does not say its commit: put the hash into the name of the file, such as "+
			"results-1a2b3c4.json")
	}
	p := f.point(1, series.Commit{Hash: commit}, time.Time{}, "")
	err = d.each('{', func(name string) error {
		return d.each('{', func(slug string) error {
			line := d.here()
			var v struct {
				Value *float64 `json:"value"`
			}
			if err := d.decode(&v); err != nil {
				return err
			}
			if v.Value == nil {
				f.fault(line, "%q of %q has no value", cut(slug), cut(name))
				return nil
			}
			unit := cmp.Or(unitOf[slug], slug)
			return f.add(p, line, nameOf("", name), unit, *v.Value)
		})
	})
	if err != nil {
		return err
	}
	return d.end()
}
