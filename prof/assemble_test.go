package prof

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

const (
	inServe = "main.serve < main.main"
	inStore = "main.store < main.main"
)

// Parts of one kind are one profile with all sample types, and what is no Go program's is left.
func TestAssemble(t *testing.T) {
	part := func(name, of string, values ...int64) Part {
		b := proftest.Build(of)
		for i, v := range values {
			b.Sample([]string{inServe, inStore}[i], v)
		}
		return Part{Name: name, Profile: b.P}
	}
	shown := part("parca_agent", "samples/count", 3)
	shown.Profile.PeriodType.Type, shown.Profile.PeriodType.Unit, shown.Profile.Period = "cpu", "nanoseconds", proftest.Tick
	for _, c := range []struct {
		parts []Part
		want  []string // kind: values of the stacks
		left  string
	}{
		{[]Part{part("process_cpu", "samples/count", 3, 5), part("process_cpu", "cpu/nanoseconds", 3*proftest.Tick, 5*proftest.Tick)},
			[]string{"cpu: [3 30000000] [5 50000000]"}, ""},
		{[]Part{shown}, []string{"cpu: [3 30000000]"}, ""},
		{[]Part{shown, shown}, []string{"cpu: [6 60000000]"}, ""},
		{[]Part{part("memory", "inuse_space/bytes", 7), part("memory", "alloc_objects/count", 1),
			part("memory", "alloc_space/bytes", 64)},
			[]string{"allocs: [1 64 0 0]", "heap: [0 0 0 7]"}, ""},
		{[]Part{part("block", "delay/nanoseconds", 9), part("mutex", "contentions/count", 2),
			part("mutex", "delay/nanoseconds", 4)},
			[]string{"mutex: [2 4]", "block: [0 9]"}, ""},
		{[]Part{part("goroutines", "goroutine/count", 11), part("wall", "wall/nanoseconds", 1)},
			[]string{"goroutine: [11]"}, "wall wall/nanoseconds"},
		{[]Part{part("x", "cpu/nanoseconds", 1)}, nil, "x cpu/nanoseconds"}, // nothing says how many samples these are
	} {
		got, left, err := Assemble(c.parts, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, one := range got {
			line := one.Kind + ":"
			slices.SortFunc(one.Profile.Sample, func(a, b *profile.Sample) int {
				return strings.Compare(a.Location[0].Line[0].Function.Name, b.Location[0].Line[0].Function.Name)
			})
			for _, s := range one.Profile.Sample {
				line += fmt.Sprint(" ", s.Value)
			}
			said = append(said, line)
			if KindOf(one.Profile) != strings.Replace(one.Kind, "block", "mutex", 1) ||
				one.Duration != time.Minute || one.Profile.DurationNanos != time.Minute.Nanoseconds() {
				t.Errorf("%s: kind %s, %v", one.Kind, KindOf(one.Profile), one.Duration)
			}
		}
		var rest []string
		for _, p := range left {
			rest = append(rest, p.String())
		}
		if !slices.Equal(said, c.want) || strings.Join(rest, ", ") != c.left {
			t.Errorf("%q, left %q; want %q, left %q", said, rest, c.want, c.left)
		}
	}
}
