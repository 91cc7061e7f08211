package prof_test

import (
	"fmt"
	"os"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// read reads a profile as runtime/pprof wrote it.
func read(name string) *profile.Profile {
	f, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	p, err := prof.Parse(f, prof.Limits{})
	if err != nil {
		panic(err)
	}
	return p
}

// The functions that cost most, as text. Without the options a view shows all of them.
func Example() {
	top, err := prof.ViewNamed("top")
	if err != nil {
		panic(err)
	}
	d, err := top.Show(read("testdata/work.cpu.pb.gz"), prof.ViewOptions{Nodes: 4})
	if err != nil {
		panic(err)
	}
	if err := d.WriteText(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// cpu: 1.35 s of 3.47 s (38.9 %), 209 places left out
	//     flat   flat%    sum%     cum    cum%
	//   470 ms  13.5 %  13.5 %  1.86 s  53.6 %  runtime.mallocgcSmallScanNoHeader
	//   330 ms  9.51 %  23.1 %  330 ms  9.51 %  runtime.nextFreeFast (inline)
	//   290 ms  8.36 %  31.4 %  370 ms  10.7 %  runtime.(*mspan).writeHeapBitsSmall
	//   260 ms  7.49 %  38.9 %  2.30 s  66.3 %  runtime.mallocgc
}

// What was allocated between two profiles, and what a request costs.
func ExampleDelta() {
	delta, clipped, err := prof.Delta(read("testdata/before.allocs.pb.gz"), read("testdata/after.allocs.pb.gz"))
	if err != nil {
		panic(err)
	}
	c := prof.Capture{Kind: "allocs", Profile: delta, Operations: 1000, Duration: time.Second}
	costs, err := prof.Hot(c, prof.CostOptions{}, 2)
	if err != nil {
		panic(err)
	}
	for _, cost := range costs {
		fmt.Printf("%s: %.0f %s per request\n", cost.Function, cost.PerRequest, cost.Unit)
	}
	fmt.Println("clipped:", clipped)
	// Output:
	// main.grow: 975722 bytes per request
	// main.encode: 6341 bytes per request
	// clipped: 0
}
