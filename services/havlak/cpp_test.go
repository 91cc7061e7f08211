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

// cpp compiles a program in C++, or skips the test and says why.
func cpp(t *testing.T, stage string) string {
	t.Helper()
	program, err := havlak.BuildCPP(t.Context(), stage, t.TempDir())
	if errors.Is(err, havlak.ErrNoCompiler) {
		t.Skipf("SKIPPED: C++ %s was not compared with Go: %v", stage, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// output runs a program on g and returns the loops that it prints. It finds them twice.
func output(t *testing.T, program string, g havlak.Graph) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "graph")
	var text bytes.Buffer
	if _, err := g.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "-warmups", "1", "-repeat", "1", "-graph", file, "-dump").CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// The programs in C++ find the same loops as those in Go, on the graphs made by hand, the
// random ones and the published one.
func TestCPPAgrees(t *testing.T) {
	final := havlak.Stages[len(havlak.Stages)-1]
	published, err := havlak.Published(havlak.PublishedLoops)
	if err != nil {
		t.Fatal(err)
	}
	graphs := append(randomGraphs(), published)
	for _, tc := range byHand {
		graphs = append(graphs, tc.g)
	}
	for _, stage := range havlak.CPPStages {
		t.Run(stage, func(t *testing.T) {
			program := cpp(t, stage)
			for i, g := range graphs {
				want := text(find(final, g))
				if got := output(t, program, g); got != want {
					t.Errorf("graph %d: got\n%.2000s\nwant\n%.2000s", i, got, want)
				}
			}
		})
	}
}

// The programs in C++ build the same graph by themselves, and print what cmd/havlak prints.
func TestCPPBuildsThePublishedGraph(t *testing.T) {
	g, err := havlak.Published(havlak.PublishedLoops)
	if err != nil {
		t.Fatal(err)
	}
	want := find(havlak.Stages[len(havlak.Stages)-1], g)
	for _, stage := range havlak.CPPStages {
		t.Run(stage, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), cpp(t, stage), "-warmups", "0", "-repeat", "0").CombinedOutput()
			if err != nil || string(out) != want.Summary() {
				t.Errorf("%v\n%s\nwant\n%s", err, out, want.Summary())
			}
		})
	}
}

func TestCPPRefusesBadFlags(t *testing.T) {
	program := cpp(t, "final")
	for _, args := range []string{"-loops 1", "-repeat x", "-repeat", "-stage first", "-graph /nonexistent/graph"} {
		out, err := exec.CommandContext(t.Context(), program, strings.Fields(args)...).CombinedOutput()
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
