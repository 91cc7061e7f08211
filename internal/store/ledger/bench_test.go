package ledger

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/load"
)

// What a ledger of 10,000 runs, each with its record, costs: opening it to write, opening
// it to list the newest 50, and storing the end of one side of a comparison of 60 s, which
// has 1,000 slices with histograms.
//
//	go test ./internal/store/ledger -run '^$' -bench LargeLedger -benchtime 20x
func BenchmarkLargeLedger(b *testing.B) {
	dir := b.TempDir()
	l, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	for range 10_000 {
		d, err := l.BeginRun(contentOf("bench").run)
		if err == nil {
			err = d.Finish(Complete, "", nil)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open to write", func(b *testing.B) {
		for b.Loop() {
			l, err := Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			if err := l.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list 50", func(b *testing.B) {
		for b.Loop() {
			r, err := OpenReader(dir)
			if err != nil {
				b.Fatal(err)
			}
			if all, err := r.Runs(RunFilter{Limit: 50}); err != nil || len(all) != 50 {
				b.Fatal(len(all), err)
			}
			r.Close()
		}
	})
	b.Run("finish 1,000 slices", func(b *testing.B) { benchmarkFinish(b, dir) })
}

func benchmarkFinish(b *testing.B, dir string) {
	l, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	rng := rand.NewChaCha8([32]byte{})
	slices := make([]packed.Slice, 1000)
	for i := range slices {
		latency := make([]byte, 400) // what a slice of 25 ms has; random, so that it does not compress
		rng.Read(latency)
		slices[i] = packed.Slice{
			Slice:     load.Slice{Duration: 25 * time.Millisecond, Counts: load.Counts{Answered: rng.Uint64() >> 40}},
			Place:     packed.Place{Index: i, Pair: i},
			Latencies: packed.Latencies{Service: packed.Histogram(base64.StdEncoding.EncodeToString(latency))}}
	}
	for b.Loop() {
		b.StopTimer()
		d, err := l.BeginRun(contentOf("bench").run)
		if err == nil {
			err = d.AddSlices(slices)
		}
		b.StartTimer()
		if err == nil {
			err = d.Finish(Complete, "", nil)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
