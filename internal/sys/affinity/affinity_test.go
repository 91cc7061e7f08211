package affinity

import (
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplitCPUs(t *testing.T) {
	for _, c := range []struct{ allowed, generator, subject []int }{
		{nil, nil, nil},
		{[]int{3}, []int{3}, []int{3}},
		{[]int{1, 0}, []int{0}, []int{1}},
		{[]int{0, 1, 2}, []int{0}, []int{1, 2}},
		{[]int{0, 1, 2, 3}, []int{0}, []int{1, 2, 3}},
		{[]int{2, 4, 6, 8, 10}, []int{2, 4}, []int{6, 8, 10}},
		{[]int{0, 1, 2, 3, 4, 5}, []int{0, 1}, []int{2, 3, 4, 5}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 1, 2}, []int{3, 4, 5, 6, 7}},
	} {
		generator, subject := SplitCPUs(c.allowed)
		if !slices.Equal(generator, c.generator) || !slices.Equal(subject, c.subject) {
			t.Errorf("SplitCPUs(%v) = %v, %v; want %v, %v", c.allowed, generator, subject, c.generator, c.subject)
		}
	}
}

// No side goes empty, no CPU is lost and none is shared from two CPUs on.
func TestSplitCPUsIsAPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		allowed := rapid.SliceOfNDistinct(rapid.IntRange(0, 500), 2, 64, rapid.ID).Draw(t, "allowed")
		generator, subject := SplitCPUs(allowed)
		if len(generator) == 0 || len(subject) < len(generator) {
			t.Fatalf("%d for the generator, %d for the subject", len(generator), len(subject))
		}
		slices.Sort(allowed)
		if all := append(generator, subject...); !slices.Equal(all, allowed) {
			t.Fatalf("%v is not %v", all, allowed)
		}
	})
}

func twoCPUs(t *testing.T) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("no pinning on this system")
	}
	cpus, err := AllowedCPUs()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) < 2 {
		t.Skip("only one CPU")
	}
	return cpus
}
