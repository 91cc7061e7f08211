package track

import (
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/store/series"
)

// The anchor is the commit since which half of the benchmarks did not begin anew. A count that was 0 begins anew alone,
// and moves no anchor.
func TestAnchor(t *testing.T) {
	value := func(name, measure string, state series.State) series.Value {
		return series.Value{Name: name, Measure: measure, State: state}
	}
	kept := []series.Value{value("a", "time", series.Unchanged), value("b", "time", series.Measured)}
	for _, c := range []struct {
		name string
		at   map[int][]series.Value
		want int
	}{
		{"nothing began anew", nil, 0},
		{"one of two did", map[int][]series.Value{4: {value("a", "time", series.Begins), kept[1]}}, 0},
		{"both did", map[int][]series.Value{4: {value("a", "time", series.Begins), kept[1]},
			6: {kept[0], value("b", "time", series.Begins)}}, 4},
		{"a count did", map[int][]series.Value{5: {value("a", "allocs", series.Begins), value("a", "time", series.Measured),
			value("b", "time", series.Measured), value("b", "allocs", series.Begins)}}, 0},
		{"one was removed, and came back", map[int][]series.Value{3: {value("a", "time", series.Removed), value("b", "time", series.Begins)}}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := chain{{Commit: series.Commit{Hash: "0"}}}
			for i := 1; i < 10; i++ {
				p := series.Point{Commit: series.Commit{Hash: fmt.Sprint(i)}, Base: &series.Commit{Hash: fmt.Sprint(i - 1)}, Values: kept}
				if c.at[i] != nil {
					p.Values = c.at[i]
				}
				line = append(line, p)
			}
			if got := line.anchor(); got == nil || got.Hash != fmt.Sprint(c.want) {
				t.Errorf("%v, want commit %d", got, c.want)
			}
			if got := line[:9].anchor(); got != nil {
				t.Errorf("after nine points: %v", got)
			}
		})
	}
}
