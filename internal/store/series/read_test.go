package series

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/inputs"
)

// lineOf is the line of a point, without its newline.
func lineOf(t testing.TB, p Point) string {
	t.Helper()
	_, line, err := encode(p)
	must(t, err)
	return strings.TrimSuffix(string(line), "\n")
}

// readLines reads a store that has one file.
func readLines(t testing.TB, content string) Content {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte(content), 0o600))
	return readStore(t, OpenDir(dir))
}

// A line that is no point, or a doubtful one, is named with its file, its line and the reason. The points before it
// and after it are shown.
func TestABrokenLineIsNamed(t *testing.T) {
	one, two, three := pointOf("main", 1), pointOf("main", 2), pointOf("main", 3)
	again := pointOf("main", 1)
	again.At = again.At.Add(time.Hour)
	early := pointOf("main", 2)
	early.Commit.Time = early.At.Add(90 * time.Minute)
	back := pointOf("main", 2)
	back.At, back.Commit.Time = back.At.Add(-30*time.Hour), back.Commit.Time.Add(-40*time.Hour)
	negative := pointOf("main", 2)
	negative.Values[0].Low = -1
	timeless := pointOf("main", 2)
	timeless.At = time.Time{}
	sound := lineOf(t, two)
	var spaced bytes.Buffer
	must(t, json.Indent(&spaced, []byte(sound), "", " "))
	for name, c := range map[string]struct {
		line, reason string
		kept         bool
	}{
		"edited": {strings.Replace(sound, "1.02", "0.92", 1),
			"the point was edited: its ID does not fit its content", true},
		"edited ID": {strings.Replace(sound, `"id":"`, `"id":"0`, 1), "the point was edited: its ID", true},
		"truncated": {sound[:len(sound)/2], "this is no JSON: unexpected end of JSON input", false},
		"newer hone": {strings.Replace(sound, "point/1", "point/2", 1),
			"a newer hone has written this point: hone.point/2, and this one reads hone.point/1: update hone", false},
		"another schema": {`{"schema":"\u001bother","id":"1"}`,
			`this is no point: its schema is "\x1bother", want hone.point/1`, false},
		"no schema": {`{"at":1}`, `its schema is "", want`, false},
		"another type": {`{"schema":"hone.point/1","id":"","at":"2026-11-30T12:00:00Z","branch":7}`,
			`this is no point: "number" at "branch"`, false},
		"no object": {`[1,2]`, `this is no point: "array"`, false},
		"zeros":     {"\x00\x00\x00\x00", "this is no JSON", false},
		"too long": {sound[:len(sound)-1] + strings.Repeat(" ", int(inputs.SeriesLine.Most)) + "}",
			"the line of a series has more than 4 MiB", false},
		"too many values": {`{"schema":"hone.point/1","values":[` + strings.Repeat("{},", 300_000) + "{}]}",
			"the line of a series has more than 400,000 values", false},
		"too deep":    {strings.Repeat("[", 100), "more than 20 levels", false},
		"same point":  {lineOf(t, one), "the same point stands in x.jsonl line 1", false},
		"same commit": {lineOf(t, again), `the commit "` + hashOf(1) + `" has another point: x.jsonl line 1`, true},
		"before commit": {lineOf(t, early),
			"it was measured 1h30m0s before its commit was made: the clocks differ", true},
		"clock set back": {lineOf(t, back), "it was measured 29h59m0s before the point of x.jsonl line 1, and written " +
			"after it: the clocks differ", true},
		"no time":   {lineOf(t, timeless), "the point has no time", true},
		"negative":  {lineOf(t, negative), `"sec/op" of "p.BenchmarkX" has a negative ratio`, false},
		"no branch": {lineOf(t, Point{}), "the point names no branch", false},
	} {
		t.Run(name, func(t *testing.T) {
			content := readLines(t, lineOf(t, one)+"\n"+c.line+"\n"+lineOf(t, three)+"\n")
			if len(content.Faults) != 1 {
				t.Fatalf("faults %v, want one", content.Faults)
			}
			f := content.Faults[0]
			if f.File != "x.jsonl" || f.Line != 2 || !strings.Contains(f.Reason, c.reason) || f.Kept != c.kept {
				t.Errorf("fault %+v, want line 2, %q, kept %v", f, c.reason, c.kept)
			}
			want := 2
			if c.kept {
				want = 3
			}
			if len(content.Points) != want || content.Points[0].Commit.Hash != hashOf(1) ||
				content.Points[want-1].Commit.Hash != hashOf(3) {
				t.Errorf("%d points, want %d with those around the line", len(content.Points), want)
			}
		})
	}
	sameButSpaces := strings.ReplaceAll(spaced.String(), "\n", " ")
	content := readLines(t, "\n"+sameButSpaces+"\r\n   \n"+lineOf(t, one)) // and no newline at the end
	if len(content.Faults) != 0 || len(content.Points) != 2 {
		t.Errorf("spaces and empty lines: %d points, faults %v", len(content.Points), content.Faults)
	}
}

// A newer hone may add fields to a point: the ID covers them, so that nobody seems to have edited the line.
func TestUnknownFieldsAreNoEdit(t *testing.T) {
	rest := `at":"2026-11-30T12:00:00Z","branch":"main","subject":"bench","commit":{"hash":"ab",` +
		`"time":"2026-11-30T11:00:00Z"},"values":[],"new":{"field":1}}`
	line := lineHead + idOf([]byte(`"`+rest)) + idEnd + `"` + rest
	content := readLines(t, line+"\n")
	if len(content.Faults) != 0 || len(content.Points) != 1 {
		t.Fatalf("%d points, faults %v", len(content.Points), content.Faults)
	}
	content = readLines(t, strings.Replace(line, "field", "other", 1)+"\n")
	if len(content.Faults) != 1 || !content.Faults[0].Kept {
		t.Errorf("an edit of a field that is not known: faults %v", content.Faults)
	}
}

// Two points of one commit that measure different things are no doubt: against the point before, against the anchor,
// and imported.
func TestACommitMayHaveSeveralMeasurements(t *testing.T) {
	anchor, imported, other := pointOf("main", 1), pointOf("main", 1), pointOf("release", 1)
	anchor.Anchor, imported.Imported = true, "go test"
	text := ""
	for _, p := range []Point{pointOf("main", 1), anchor, imported, other} {
		text += lineOf(t, p) + "\n"
	}
	if content := readLines(t, text); len(content.Faults) != 0 || len(content.Points) != 4 {
		t.Errorf("%d points, faults %v", len(content.Points), content.Faults)
	}
}

// A file of nothing but faults is cut short, and the next file is read.
func TestManyFaultsAreCounted(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(strings.Repeat("x\n", 1000)), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b.jsonl"), []byte(lineOf(t, pointOf("main", 1))), 0o600))
	content := readStore(t, OpenDir(dir))
	n := len(content.Faults)
	if n != mostFaults+1 || content.Faults[n-1].String() != "a.jsonl: 900 more faults are not listed" {
		t.Errorf("%d faults, the last %v", n, content.Faults[n-1])
	}
	if len(content.Points) != 1 {
		t.Errorf("%d points", len(content.Points))
	}
}

// memory is a source of files in memory.
type memory map[string]string

func (m memory) files() (all []string, err error) {
	return slices.Collect(maps.Keys(m)), nil
}

func (m memory) open(_ context.Context, name string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(m[name])), nil
}

// FuzzRead: whatever the bytes are, reading ends with points that can be written again, and each line is a point, a
// fault or empty.
func FuzzRead(f *testing.F) {
	sound := lineOf(f, pointOf("main", 1))
	f.Add(sound + "\n" + sound + "\n")
	f.Add(strings.Replace(sound, "1.02", "0.92", 1) + "\n" + sound[:50])
	f.Add(strings.Replace(sound, "point/1", "point/2", 1))
	f.Add("\n\n{}\n[]\nnull\n" + `{"schema":"hone.point/1","values":[{"ratio":-1}]}`)
	f.Add("\x00\xff\r\n" + strings.Repeat("[", 50))
	f.Fuzz(func(t *testing.T, text string) {
		content, err := read(t.Context(), memory{"x.jsonl": text})
		must(t, err)
		named := map[int]bool{}
		for _, fault := range content.Faults {
			if fault.Reason == "" || fault.File != "x.jsonl" {
				t.Fatalf("fault %+v", fault)
			}
			if !fault.Kept {
				named[fault.Line] = true
			}
		}
		lines := 0
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if len(content.Faults) <= mostFaults && lines != len(content.Points)+len(named) {
			t.Fatalf("%d lines, %d points and %d faults", lines, len(content.Points), len(named))
		}
		ids := map[string]bool{}
		for _, p := range content.Points {
			again, line, err := encode(p)
			if err != nil || impossible(p) != "" || p.ID == "" || ids[p.ID] {
				t.Fatalf("point %+v: %v", p, err)
			}
			ids[p.ID] = true
			back, err := decode(t.Context(), bytes.TrimSuffix(line, []byte("\n")))
			must(t, err)
			if _, twice, err := encode(back); err != nil || !bytes.Equal(twice, line) || back.ID != again.ID {
				t.Fatalf("written again: %q, %v, want %q", twice, err, line)
			}
		}
	})
}
