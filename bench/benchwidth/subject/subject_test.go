// Package subject has benchmarks whose operation is so many equal units of work. With
// the variable UNITS in the environment it is another number: 203 in place of 200 is a slow-down
// of 1.5 % by construction.
package subject

import (
	"crypto/sha256"
	"os"
	"slices"
	"strconv"
	"testing"
)

// units is how many units of work an operation has.
var units = 200

func TestMain(m *testing.M) {
	if text := os.Getenv("UNITS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			os.Stderr.WriteString("UNITS=" + text + ": want a number over 0\n")
			os.Exit(2)
		}
		units = n
	}
	os.Exit(m.Run())
}

var (
	sum  [32]byte
	kept []*[256]byte
)

// BenchmarkHash computes and allocates nothing.
func BenchmarkHash(b *testing.B) {
	var block [64]byte
	for b.Loop() {
		for range units {
			sum = sha256.Sum256(block[:])
		}
	}
}

// BenchmarkSort moves data in the cache.
func BenchmarkSort(b *testing.B) {
	var numbers [64]int
	for i := 0; i < b.N; i++ {
		for range units {
			for j := range numbers {
				numbers[j] = (j * 37) % 64
			}
			slices.Sort(numbers[:])
		}
	}
}

// BenchmarkCollect keeps the garbage collector busy: every unit is 4 kB in small pieces.
func BenchmarkCollect(b *testing.B) {
	b.Run("pieces=256B", func(b *testing.B) {
		kept = make([]*[256]byte, 512)
		b.ResetTimer()
		for range b.N {
			for i := range units {
				for j := range 16 {
					kept[(16*i+j)%len(kept)] = new([256]byte)
				}
			}
		}
	})
}
