package service

import (
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
)

func TestArrange(t *testing.T) {
	can := func() error { return nil }
	cannot := func() error { return errors.New("no user namespaces") }
	never := func() error { t.Error("asked for namespaces without need"); return nil }
	one := []build.Variant{{Source: "."}}
	two := []build.Variant{{Source: "a"}, {Source: "b"}}
	for _, c := range []struct {
		name string
		task lab.Task
		can  func() error
		want record.Arrangement
		why  string
	}{
		{"one variant", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: one},
			Load: spec.Load{Target: "http://127.0.0.1:80/"}}}, never, record.Single, ""},
		{"port in the shared arguments", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-addr", ":{port}"}}}}, never, record.Ports, ""},
		{"port in the environment", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{},
			{Env: []string{"PORT={port}"}}}}}}, never, record.Ports, ""},
		{"port in a variant's own arguments",
			lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{Args: []string{":{port}"}},
				{}}}}},
			never, record.Ports, ""},
		{"socket in the arguments", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-socket", "{socket}"}}}}, never, record.Ports, ""},
		{"socket in arguments and target", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-socket", "{socket}"}}, Load: spec.Load{Target: "framed+unix:{socket}"}}}, never,
			record.Ports, ""},
		{"fixed socket", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two},
			Load: spec.Load{Target: "unix:/run/x:/"}}}, never, record.Alternating, "the same Unix socket"},
		{"fixed socket, port for something else", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-debug", ":{port}"}}, Load: spec.Load{Target: "unix:@x:/"}}}, never, record.Alternating,
			"the same Unix socket"},
		{"fixed port, socket for something else", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-admin", "{socket}"}}, Load: spec.Load{Target: "http://127.0.0.1:80/"}}}, can,
			record.Namespaces, "same fixed port"},
		{"fixed port, needs", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Needs: []needs.Need{{Name: "db"}}}, Load: spec.Load{Target: "http://127.0.0.1:80/"}}}, never,
			record.Alternating, "could not reach what they need"},
		{"port of a need only", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			Args: []string{"-db", "{db.port}"}, Needs: []needs.Need{{Name: "db"}}}}}, never, record.Alternating,
			"could not reach what they need"},
		{"fixed port, namespaces", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two},
			Load: spec.Load{Target: "http://127.0.0.1:80/"}}}, can, record.Namespaces, "same fixed port"},
		{"fixed port, namespaces ruled out", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two,
			NoIsolate: true}}}, never, record.Alternating, "--set no-isolate"},
		{"fixed port, no namespaces", lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: two},
			Load: spec.Load{Target: "http://127.0.0.1:80/"}}}, cannot, record.Alternating, "no user namespaces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, why := arrange(c.task, c.can)
			if got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("arrange = %q, %q; want %q, %q", got, why, c.want, c.why)
			}
		})
	}
}

// A command after the start runs outside of any namespace, so there is none.
func TestAfterStartRulesNamespacesOut(t *testing.T) {
	r := lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{Name: "A"},
		{Name: "B", AfterStart: []string{"seed"}}}}}}
	a, why := arrange(r, func() error { return nil })
	if a != record.Alternating || !strings.Contains(why, "the command after their start") {
		t.Errorf("%s, %s", a, why)
	}
}
