package hashring

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

func names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s-%d", prefix, i*7919)
	}
	return out
}

func TestPlaces(t *testing.T) {
	r := New(names("node", 9)...)
	var all string
	for _, k := range names("key", 5000) {
		all += r.Lookup(k) + "\n"
	}
	r.Remove("node-0")
	r.Add("other")
	for _, k := range names("key", 5000) {
		all += r.Lookup(k) + "\n"
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:12]; got != "1864377b179c" {
		t.Fatal(got)
	}
}

func BenchmarkLookup(b *testing.B) {
	r := New(names("node", 8)...)
	keys := names("customer:session", 512)
	i := 0
	for b.Loop() {
		if r.Lookup(keys[i&511]) == "" {
			b.Fatal("nowhere")
		}
		i++
	}
}

func BenchmarkSpread(b *testing.B) {
	r := New(names("node", 8)...)
	keys := names("order", 2000)
	for b.Loop() {
		r.Spread(keys)
	}
}

func BenchmarkJoin(b *testing.B) {
	nodes := names("node", 24)
	for b.Loop() {
		New(nodes...).Lookup("key")
	}
}
