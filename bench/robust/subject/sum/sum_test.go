package sum

import "testing"

func BenchmarkOf(b *testing.B) {
	xs := make([]int, 1000)
	for b.Loop() {
		Of(xs)
	}
}
