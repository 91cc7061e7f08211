package diff_test

import (
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// One change between two variants: B spends half as long in encode.
func ExampleNew() {
	capture := func(encode int64) prof.Capture {
		main := &profile.Function{ID: 1, Name: "main.main"}
		work := &profile.Function{ID: 2, Name: "main.encode"}
		outer := &profile.Location{ID: 1, Line: []profile.Line{{Function: main, Line: 5}}}
		inner := &profile.Location{ID: 2, Line: []profile.Line{{Function: work, Line: 9}}}
		const tick = 10_000_000
		return prof.Capture{Kind: "cpu", Operations: 1000, Duration: 10 * time.Second, Profile: &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: tick,
			Function: []*profile.Function{main, work}, Location: []*profile.Location{outer, inner},
			Sample: []*profile.Sample{
				{Location: []*profile.Location{outer}, Value: []int64{300, 300 * tick}},
				{Location: []*profile.Location{inner, outer}, Value: []int64{encode, encode * tick}},
			},
		}}
	}
	d, err := diff.New([]prof.Capture{capture(400)}, []prof.Capture{capture(200)}, diff.Options{})
	if err != nil {
		panic(err)
	}
	for _, row := range d.Changed() {
		fmt.Printf("%s is %s: %.0f us per request less\n", row.Function, row.Word, -row.Delta/1e3)
	}
	// Output:
	// main.encode is cheaper: 2000 us per request less
}
