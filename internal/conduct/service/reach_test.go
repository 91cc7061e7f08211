package service

import (
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
)

// Only two versions of one program are asked what the load executes of the change, and only where there is time.
func TestVersionsAreAskedForReach(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *services)
		asks   bool
	}{
		{"a commit and the working tree", func(*services) {}, true},
		{"two directories", func(m *services) { m.sides[0].Binary.Checkout = nil }, false},
		{"two programs", func(m *services) { m.sides[0].Binary.Package = "example.com/other" }, false},
		{"one build, where files that it may read differ", func(m *services) { m.sides[0].Binary.BuildID = "b" }, true},
		{"two releases of Go", func(m *services) { m.sides[0].Binary.GoVersion = "go1.25.5" }, false},
		{"a short budget", func(m *services) { m.Task.Budget = reachBudget - 1 }, false},
		{"--all", func(m *services) { m.Task.Unreached = true }, false},
		{"no difference of source", func(m *services) { m.SameSource = true }, false},
	} {
		side := func(text, id string) *service {
			return &service{Side: &lab.Side{Built: lab.Built{Binary: &build.Binary{Package: "example.com/shop",
				GoVersion: "go1.26.8", BuildID: id, Variant: build.Variant{Source: text}}}}}
		}
		m := &services{Measurement: &lab.Measurement{}, sides: []*service{side("HEAD:.", "a"), side(".", "b")}}
		m.sides[0].Binary.Checkout, m.Task.Budget = &source.Checkout{Ref: "HEAD"}, reachBudget
		c.change(m)
		if m.asksForReach() != c.asks {
			t.Errorf("%s: asks %v, want %v", c.name, !c.asks, c.asks)
		}
	}
}
