package lab

import (
	"testing"

	"github.com/gohone/hone/internal/program/build"
)

// A program that was built before is not built again for other arguments, but for another
// toolchain.
func TestProgramsThatAreBuiltAreTaken(t *testing.T) {
	built := &build.Binary{Variant: build.Variant{Name: "demo", Source: "./cmd/server"}, Path: "/tmp/server"}
	m := &Measurement{Lab: &Lab{Built: []*build.Binary{built}}}
	b, _ := m.alike(build.Variant{Name: "B", Source: "./cmd/server", Args: []string{"-stage", "raw"}}, nil)
	if b == nil || b == built || b.Path != built.Path {
		t.Errorf("got %+v, want a copy of what was built", b)
	}
	if b, _ := m.alike(build.Variant{Name: "B", Source: "./cmd/server", Toolchain: "go1.25.5"}, nil); b != nil {
		t.Errorf("got %+v for another toolchain", b)
	}
}
