package advice

import (
	"strings"
	"testing"
)

// What the rules of a box say follows from its numbers.
func TestRulesOfABox(t *testing.T) {
	for _, c := range []struct {
		trial  string
		change func(*Box, *Numbers)
		rule   string
		says   string // empty: the rule is silent
	}{
		{"throttled", func(b *Box, _ *Numbers) { b.Throttled = 0.384 }, "throttled", "GOMAXPROCS is 2 for a limit of 0.5 CPUs: throttled 38 % of the time; p99 "},
		{"throttled", func(b *Box, _ *Numbers) { b.Throttled = 0.04 }, "throttled", ""},
		{"throttled", func(b *Box, _ *Numbers) { b.CPUs = 1.5 }, "throttled", ""}, // two threads have room
		{"throttled", func(_ *Box, n *Numbers) { n.MaxProcs = 64 }, "throttled", "GOMAXPROCS is 64"},
		{"memory-limit", func(*Box, *Numbers) {}, "memory-limit", "the collector does not know the memory limit of 80 MiB, of which 6"},
		{"memory-limit", func(b *Box, _ *Numbers) { b.MemoryLimit = 70 << 20 }, "memory-limit", ""},
		{"memory-limit", func(b *Box, _ *Numbers) { b.MemoryLimit = 512 << 20 }, "memory-limit", "GOMEMLIMIT is 512 MiB, and the memory limit is 80 MiB"},
		{"memory-limit", func(b *Box, _ *Numbers) { b.PeakMemory = 30 << 20 }, "memory-limit", ""},
	} {
		v := recordedView(t, c.trial, "speaks.view")
		c.change(v.Numbers.Box, &v.Numbers)
		said := ""
		for _, f := range find(t, v).Findings {
			if f.Rule == c.rule {
				said = f.Title
			}
		}
		if (said == "") != (c.says == "") || !strings.HasPrefix(said, c.says) {
			t.Errorf("%s: said %q, want %q", c.trial, said, c.says)
		}
	}
}
