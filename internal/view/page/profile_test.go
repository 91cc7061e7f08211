package page

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/prof"
)

// profiledRun is a ledger with one run that has a CPU and an allocation profile.
func profiledRun(t *testing.T) (*ledger.Ledger, string) {
	t.Helper()
	l := emptyLedger(t)
	d, err := l.BeginRun(ledger.Run{Label: "work", Package: "example.com/work"})
	if err != nil {
		t.Fatal(err)
	}
	for kind, file := range map[string]string{"cpu": "work.cpu.pb.gz", "allocs": "after.allocs.pb.gz"} {
		c, err := os.ReadFile(filepath.Join("..", "..", "..", "prof", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		p, err := prof.Parse(bytes.NewReader(c), prof.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := (prof.Capture{Kind: kind, Profile: p, Operations: 1000}).Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := d.AddArtefact("profile", kind+".pb.gz", &b); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Finish(ledger.Complete, "", nil); err != nil {
		t.Fatal(err)
	}
	return l, d.ID()
}

// files are sources by the names that profiles give them.
type files map[string]string

func (f files) Source(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, errors.New("not there")
}

func TestProfilesAreReadyToBeDrawn(t *testing.T) {
	l, run := profiledRun(t)
	p, err := (&Library{Stored: &stored.Library{Ledger: l}}).Profile(run[:4], "cpu", "")
	if err != nil {
		t.Fatal(err)
	}
	if p.Run != run || p.Kind != "cpu" || p.Requests != 1000 || len(p.Packed.Depth) < 20 ||
		len(p.Packed.Blamed) != len(p.Packed.Depth) {
		t.Errorf("%+v with %d nodes", p, len(p.Packed.Depth))
	}
	for _, c := range []struct{ run, kind, cohort, want string }{
		{"ffffffff", "cpu", "", "no run"},
		{run, "mutex", "", "has no mutex profile"},
		{run, "../../etc/passwd", "", "has no"},
		{run, "cpu", "slow", "has no cohorts"},
	} {
		_, err := (&Library{Stored: &stored.Library{Ledger: l}}).Profile(c.run, c.kind, c.cohort)
		if err == nil || fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Only files that a profile names are read.
func TestSourceIsThatOfTheProfileOnly(t *testing.T) {
	l, run := profiledRun(t)
	lib := &Library{Stored: &stored.Library{Ledger: l}}
	c, err := lib.captures(run, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	var named string
	for file := range model.LinesOf(c, leastCost) {
		if strings.HasSuffix(file, "main.go") || named == "" {
			named = file
		}
	}
	text := strings.Repeat("line\xff\n", 5000)
	lib.Stored.Sources = func(record.Run) prof.Sources { return files{named: text, "/etc/passwd": "root"} }
	s, err := lib.Source(run, "cpu", named)
	if err != nil || s.Error != "" || len(s.Pieces) == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i, piece := range s.Pieces {
		if piece.First < 1 || len(piece.Lines) == 0 || piece.Lines[0] != "line\ufffd" {
			t.Errorf("piece %d begins at %d with %q", i, piece.First, piece.Lines[:1])
		}
		if i > 0 && piece.First < s.Pieces[i-1].First+int64(len(s.Pieces[i-1].Lines)) {
			t.Errorf("pieces %d and %d overlap", i-1, i)
		}
	}
	if _, err := lib.Source(run, "cpu", "/etc/passwd"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("/etc/passwd: %v", err)
	}
	report := lib.SourcesFor(run, "cpu")
	if _, ok := report[SourcePath(run, "cpu", named)]; !ok || len(report) != 1 {
		t.Errorf("a report gets %d sources", len(report))
	}
	lib.Stored.Sources = func(record.Run) prof.Sources { return files{} }
	if s, err := lib.Source(run, "cpu", named); err != nil || s.Error == "" || s.Pieces == nil {
		t.Errorf("a file that is not there: %+v, %v", s, err)
	}
}

func ExampleSourcePath() {
	fmt.Println(SourcePath("0a1b2c3d", "cpu", "/a b/c(1)+.go"))
	// Output: runs/0a1b2c3d/source/cpu?file=%2Fa%20b%2Fc(1)%2B.go
}
