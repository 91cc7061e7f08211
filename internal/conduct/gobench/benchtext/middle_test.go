package benchtext

import "testing"

// Of several results of a block, each value is the median of its own.
func TestTheMiddleOfABlock(t *testing.T) {
	results := Read("BenchmarkX 10 5.0 ns/op 1 B/op\nBenchmarkX 10 9.0 ns/op 3 B/op\nBenchmarkX 10 6.0 ns/op 9 B/op\n")
	m := Middle(results, nil)
	if Nanos(m) != 6 || m.Iters != 30 || m.Values[1].Value != 3 {
		t.Errorf("%+v", m)
	}
}
