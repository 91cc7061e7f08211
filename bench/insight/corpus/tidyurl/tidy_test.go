package tidyurl

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var options = Options{DropQuery: []string{"utm_*", "session"}, KeepSlash: true, DefaultHost: "example.org"}

func addresses(n int) []string {
	rnd := rand.New(rand.NewPCG(31, 32))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s://WWW.Shop%d.example%s/a/./b%d/../c/%s?size=%d&utm_source=mail&colour=dark%%20red&session=%d#top",
			[]string{"HTTP", "https"}[rnd.IntN(2)], rnd.IntN(4), []string{"", ":80", ":443"}[rnd.IntN(3)], rnd.IntN(3),
			[]string{"", "item/", "item"}[rnd.IntN(3)], rnd.IntN(3), rnd.IntN(1000))
	}
	return out
}

func TestUnique(t *testing.T) {
	text := strings.Join(Unique(addresses(3000), options), "\n")
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12]; got != "6982eb1739b6" {
		t.Fatal(got, text[:600])
	}
}

func BenchmarkTidy(b *testing.B) {
	all := addresses(256)
	i := 0
	for b.Loop() {
		if _, err := Tidy(all[i&255], options); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkUnique(b *testing.B) {
	all := addresses(400)
	for b.Loop() {
		Unique(all, options)
	}
}
