package havlak_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/services/havlak"
)

// The programs in C++ find the same loops as those in Go, loop by loop.
func TestCPP(t *testing.T) {
	for _, stage := range havlak.CPPStages {
		t.Run(stage, func(t *testing.T) {
			path, err := havlak.BuildCPP(t.Context(), stage, t.TempDir())
			if errors.Is(err, havlak.ErrNoCompiler) {
				t.Skipf("SKIPPED: C++ %s was not compared with Go: %v", stage, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			p := cpp{path}
			t.Run("graphs that it reads", p.agreesOnGraphs)
			t.Run("the published graph", p.agreesOnThePublishedGraph)
			t.Run("bad flags", p.refusesBadFlags)
		})
	}
}

// cpp is a program in C++.
type cpp struct{ path string }

func (p cpp) output(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), p.path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (p cpp) agreesOnGraphs(t *testing.T) {
	graphs := randomGraphs()
	for _, tc := range byHand {
		graphs = append(graphs, tc.g)
	}
	file := filepath.Join(t.TempDir(), "graph")
	for i, g := range graphs {
		var graph bytes.Buffer
		if _, err := g.WriteTo(&graph); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, graph.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		want := find(final, g)
		if got := p.output(t, "-warmups", "1", "-repeat", "1", "-graph", file, "-dump"); got != text(want) {
			t.Errorf("graph %d: got\n%s\nwant\n%s", i, got, text(want))
		}
		if got := p.output(t, "-warmups", "0", "-repeat", "0", "-graph", file); got != want.Summary() {
			t.Errorf("graph %d: got\n%swant\n%s", i, got, want.Summary())
		}
	}
}

// The programs in C++ build the published graph by themselves.
func (p cpp) agreesOnThePublishedGraph(t *testing.T) {
	g, err := havlak.Published(havlak.PublishedLoops)
	if err != nil {
		t.Fatal(err)
	}
	got, want := p.output(t, "-warmups", "0", "-repeat", "0", "-dump"), text(find(final, g))
	if got != want {
		t.Errorf("got\n%.1000s\nwant\n%.1000s", got, want)
	}
}

func (p cpp) refusesBadFlags(t *testing.T) {
	for _, args := range []string{"-loops 1", "-repeat x", "-repeat", "-stage first", "-graph /nonexistent/graph"} {
		out, err := exec.CommandContext(t.Context(), p.path, strings.Fields(args)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() < 1 || !bytes.HasPrefix(out, []byte("havlak: ")) {
			t.Errorf("%s: %v, %s", args, err, out)
		}
	}
}

func TestUnknownCPPStage(t *testing.T) {
	if _, err := havlak.BuildCPP(t.Context(), "slices", t.TempDir()); err == nil || !strings.Contains(err.Error(), "C++") {
		t.Errorf("%v", err)
	}
}
