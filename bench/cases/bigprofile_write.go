package cases

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/google/pprof/profile"
)

// write makes a CPU profile of stacks that share their upper frames, as those of a server
// do, and returns its size in bytes.
func write(file string, stacks int) (int64, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000,
		TimeNanos: 1, DurationNanos: int64(30 * time.Second),
	}
	m := &profile.Mapping{ID: 1, Start: 0x400000, Limit: 0x4000000, File: "server", HasFunctions: true,
		HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}
	p.Mapping = []*profile.Mapping{m}
	const functions, places = 15_000, 60_000
	for i := range functions {
		p.Function = append(p.Function, &profile.Function{
			ID: uint64(i + 1), Name: fmt.Sprintf("example.com/server/internal/package%d.(*Type%d).Method%d", i%300,
				i%1000, i),
			Filename: fmt.Sprintf("/src/server/internal/package%d/file%d.go", i%300, i%50),
		})
	}
	for i := range places {
		l := &profile.Location{ID: uint64(i + 1), Mapping: m, Address: 0x400000 + uint64(16*i)}
		for range 1 + rng.IntN(2) {
			l.Line = append(l.Line, profile.Line{Function: p.Function[rng.IntN(functions)],
				Line: int64(1 + rng.IntN(900))})
		}
		p.Location = append(p.Location, l)
	}
	var stack []*profile.Location
	for range stacks {
		// A new stack leaves the former one somewhere and goes on by itself.
		keep := min(len(stack), rng.IntN(20))
		stack = slices.Clone(stack[:keep])
		for range 10 + rng.IntN(30) {
			stack = append(stack, p.Location[rng.IntN(places)])
		}
		leafFirst := slices.Clone(stack)
		slices.Reverse(leafFirst)
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{1, 10_000_000}, Location: leafFirst})
	}
	f, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(p.Write(f), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
