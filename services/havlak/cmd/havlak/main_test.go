package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/services/havlak"
	"github.com/gohone/hone/services/internal/program"
)

func runIt(args, stdin string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(strings.Fields(args), strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// Every stage prints the same for the same graph, also when it is called many times.
func TestStagesPrintTheSame(t *testing.T) {
	g, err := havlak.Published(havlak.LoopsPerTree)
	if err != nil {
		t.Fatal(err)
	}
	finder := havlak.Stages[0].New(g)
	finder.Find()
	want := finder.Forest().Summary()
	for _, s := range havlak.Stages {
		for _, repeat := range []string{"0", "3"} {
			code, out, stderr := runIt("-loops 7600 -warmups 3 -stage "+s.Name+" -repeat "+repeat, "")
			if code != program.OK || out != want || stderr != "" {
				t.Errorf("%s, %s times: exit %d\n%s%s\nwant\n%s", s.Name, repeat, code, out, stderr, want)
			}
		}
	}
}

func TestGraphsOfTheUsersOwn(t *testing.T) {
	const graph, want = "nodes 3\n0 1\n1 2\n2 1\n", "loop 1 in - reducible: 1 2\n"
	if code, out, stderr := runIt("-graph - -dump", graph); code != program.OK || out != want {
		t.Errorf("standard input: exit %d\n%s%s", code, out, stderr)
	}
	file := filepath.Join(t.TempDir(), "graph")
	if err := os.WriteFile(file, []byte(graph), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := runIt("-dump -graph "+file, ""); code != program.OK || out != want {
		t.Errorf("file: exit %d\n%s%s", code, out, stderr)
	}
}

func TestFailuresAreSaid(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("nodes 2\n0 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"-stage fast":          {program.Usage, `unknown stage "fast" (known: first, slices, final)`},
		"-loops 1000":          {program.Usage, "graph of 1000 loops: want a multiple of 7600"},
		"-repeat -1":           {program.Usage, "-repeat and -warmups want 0 or more"},
		"-repeat many":         {program.Usage, "-repeat"},
		"final":                {program.Usage, `unexpected argument "final"`},
		"-graph /nonexistent":  {program.Failed, "open /nonexistent: "},
		"-graph " + bad:        {program.Failed, `bad": line 2: "7" is no node`},
		"-graph - -repeat 0":   {program.Failed, `standard input: graph has no line "nodes N"`},
		"-stage x -warmups -1": {program.Usage, `unknown stage "x"`},
	} {
		if code, out, stderr := runIt(args, ""); code != want.code || !strings.Contains(stderr, want.text) || out != "" {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, stderr)
		}
	}
}

func TestHelpNamesTheStages(t *testing.T) {
	code, _, stderr := runIt("-help", "")
	for _, s := range havlak.Stages {
		if code != program.OK || !strings.Contains(stderr, s.Name) {
			t.Errorf("exit %d:\n%s", code, stderr)
		}
	}
}

// brokenPipe cannot be written to.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"-graph", "-", "-dump"}, {"-graph", "-"}} {
		var stderr bytes.Buffer
		if code := run(args, strings.NewReader("nodes 1\n0 0"), brokenPipe{}, &stderr); code != program.Failed || !strings.Contains(stderr.String(), "broken pipe") {
			t.Errorf("%v: exit %d, %s", args, code, stderr.String())
		}
	}
}
