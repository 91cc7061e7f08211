package havlak_test

import (
	"testing"

	"github.com/gohone/hone/services/havlak"
)

// BenchmarkFind is one call of the finder on the published graph.
func BenchmarkFind(b *testing.B) {
	g, err := havlak.Published(havlak.PublishedLoops)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range havlak.Stages {
		b.Run(s.Name, func(b *testing.B) {
			finder := s.New(g)
			finder.Find() // what is made once only
			b.ReportAllocs()
			for b.Loop() {
				finder.Find()
			}
		})
	}
}
