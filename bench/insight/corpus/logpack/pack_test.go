package logpack

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"
)

func lines(n int) [][]byte {
	rnd := rand.New(rand.NewPCG(1, 9))
	out := make([][]byte, n)
	for i := range out {
		out[i] = fmt.Appendf(nil, "2026-05-%02dT%02d:%02d:%02dZ level=%s host=web-%d path=/orders/%d status=%d ms=%d", 1+i%28, i%24, i%60, i*7%60,
			[]string{"info", "info", "warn", "error"}[rnd.IntN(4)], rnd.IntN(12), rnd.IntN(100000), 200+100*rnd.IntN(4), rnd.IntN(900))
	}
	return out
}

func pack(tb testing.TB, all [][]byte) []byte {
	var out bytes.Buffer
	p, err := NewPacker(&out)
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range all {
		if _, err := p.Write(l); err != nil {
			tb.Fatal(err)
		}
	}
	if err := p.Flush(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func TestPack(t *testing.T) {
	all := lines(5000)
	packed := pack(t, all)
	if got := fmt.Sprintf("%x", sha256.Sum256(packed))[:12]; got != "fd47b876fe89" {
		t.Fatal(got)
	}
	i := 0
	if err := Each(packed, func(line []byte) {
		if !bytes.Equal(line, all[i]) {
			t.Fatalf("line %d is %q", i, line)
		}
		i++
	}); err != nil || i != len(all) {
		t.Fatal(i, err)
	}
}

func BenchmarkPack(b *testing.B) {
	all := lines(4000)
	for b.Loop() {
		pack(b, all)
	}
}

func BenchmarkEach(b *testing.B) {
	packed := pack(b, lines(4000))
	for b.Loop() {
		if err := Each(packed, func([]byte) {}); err != nil {
			b.Fatal(err)
		}
	}
}
