package gobench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// A benchmark draws every layout once before it draws one twice.
func TestLayoutsAreDrawnEvenly(t *testing.T) {
	b := &bench{pkg: &pkg{layouts: make([][2]process.Program, 5)}}
	rng := rand.New(rand.NewPCG(1, 2))
	var first []int
	for pass := range 3 {
		var drawn []int
		for range 5 {
			drawn = append(drawn, b.draw(rng))
		}
		if pass == 0 {
			first = slices.Clone(drawn)
		}
		if slices.Sort(drawn); !slices.Equal(drawn, []int{1, 2, 3, 4, 5}) {
			t.Errorf("pass %d drew %v", pass, drawn)
		}
	}
	if slices.IsSorted(first) {
		t.Errorf("the order is not random: %v", first)
	}
	if got := (&bench{pkg: &pkg{}}).draw(rng); got != 0 {
		t.Errorf("drew %d where there are none", got)
	}
}

func TestHowManyLayouts(t *testing.T) {
	const link, mb = 400 * time.Millisecond, 1 << 20
	for _, c := range []struct {
		name  string
		r     Task
		n     int
		each  time.Duration
		bytes int64
		want  int
	}{
		{"the default budget of one benchmark", Task{}, 1, link, 10 * mb, 12},
		{"links that take no time", Task{}, 1, time.Millisecond, 10 * mb, 30},
		{"links that take long", Task{}, 1, 10 * time.Second, 10 * mb, 8},
		{"little time", Task{Test: spec.Test{Budget: 2 * time.Second}}, 1, link, 10 * mb, 8},
		{"much time", Task{Test: spec.Test{Budget: time.Hour}}, 1, link, 10 * mb, 48},
		{"large binaries", Task{}, 1, link, 300 * mb, 8},
		{"a hundred benchmarks share the level", Task{}, 100, time.Minute, 10 * mb, 14},
		{"a count of rounds", Task{Test: spec.Test{Count: 7}}, 1, link, 10 * mb, 7},
		{"as asked", Task{Test: spec.Test{Layouts: 9}}, 1, link, 10 * mb, 9},
	} {
		if got := c.r.layoutsFor(c.n, c.each, c.bytes); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What the linkers of both sides know, and what the user links with, decides on the flags of a layout.
func TestLinkersThatKnowLess(t *testing.T) {
	const old, middle, now = "  -w\n", "  -randlayout int\n", "  -randlayout int\n  -funcalign N\n"
	for _, c := range []struct {
		name  string
		knows [2]string
		flags []string
		want  string // -ldflags of side A
		note  string
	}{
		{"both know all", [2]string{now, now}, nil, "-ldflags=-randlayout=7 -w -funcalign=64", ""},
		{"one aligns nothing", [2]string{now, middle}, nil, "-ldflags=-randlayout=7 -w", ""},
		{"one knows no order", [2]string{old, now}, nil, "", "the linker of go1.0 cannot change it"},
		{"the user's are kept", [2]string{now, now}, []string{"-ldflags=-s -X a.b=c"},
			"-ldflags=-s -X a.b=c -randlayout=7 -w -funcalign=64", ""},
		{"the user aligns", [2]string{now, now}, []string{"-ldflags=-funcalign=32"},
			"-ldflags=-funcalign=32 -randlayout=7 -w", ""},
		{"the user chooses the order", [2]string{now, now}, []string{"-ldflags=-randlayout=3"}, "",
			"is linked with -ldflags=-randlayout=3"},
	} {
		m := &measurement{result: &benchmarks.Result{}}
		for i, text := range c.knows {
			dir := t.TempDir() // a go command whose linker says what it knows, as go's does: on standard error, with 2
			script := fmt.Sprintf("#!/bin/sh\ncase $1 in env) echo;; tool) printf '%s' >&2; exit 2;; esac\n",
				strings.ReplaceAll(text, "\n", "\\n"))
			if err := os.WriteFile(filepath.Join(dir, "help"), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			m.sides[i] = &sources.Side{Side: benchmarks.Side{Name: string(rune('A' + i)), GoVersion: "go1.0"}, Dir: dir,
				Env: append(os.Environ(), "HELP="+filepath.Join(dir, "help")), Flags: c.flags}
		}
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\nexec \"$HELP\" \"$@\"\n"),
			0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+":/usr/bin:/bin")
		f, err := m.layoutFlags(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		notes := fmt.Sprint(m.result.Notes)
		if (f == nil) != (c.want == "") || !strings.Contains(notes, c.note) ||
			(c.note == "") != (len(m.result.Notes) == 0) {
			t.Errorf("%s: %+v, notes %s", c.name, f, notes)
		}
		if f == nil {
			continue
		}
		got, err := f.of(0, m.sides[0], 7)
		if err != nil || got[len(got)-1] != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
