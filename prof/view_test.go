package prof

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// show looks at a profile with a view.
func show[D Document](t testing.TB, view string, p *profile.Profile, l ViewOptions) D {
	t.Helper()
	v, err := ViewNamed(view)
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Show(p, l)
	if err != nil {
		t.Fatal(err)
	}
	return d.(D)
}

func topOf(t testing.TB, p *profile.Profile, l ViewOptions) *Top { return show[*Top](t, "top", p, l) }

// golden returns what go tool pprof prints for a profile, kept in a file of testdata. The
// values are in the base unit, and nothing is left out.
func golden(t *testing.T, name, file, unit string, flags ...string) string {
	t.Helper()
	path := filepath.Join("testdata", "pprof", name)
	if *update {
		args := []string{"tool", "pprof", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000", "-unit=" + unit}
		cmd := exec.Command("go", append(append(args, flags...), filepath.Join("testdata", file))...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// number reads a value in the base unit.
func number(t *testing.T, text, unit string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSuffix(text, unit), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plainName is a name without pprof's note on inlining.
func plainName(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, " (inline)"), " (partial-inline)")
}

var expression = regexp.MustCompile

// Each case is one profile with the flags of go tool pprof and what they are here.
var selections = []struct {
	name, file, unit string
	flags            []string
	look             ViewOptions
}{
	{"work-cpu", "work.cpu.pb.gz", "ns", nil, ViewOptions{}},
	{"work-samples", "work.cpu.pb.gz", "count", []string{"-sample_index=samples"},
		ViewOptions{Selection: Selection{SampleType: "samples"}}},
	{"raw-cpu", "raw.cpu.pb.gz", "ns", nil, ViewOptions{}},
	{"allocs", "after.allocs.pb.gz", "B", []string{"-sample_index=alloc_space"},
		ViewOptions{Selection: Selection{SampleType: "alloc_space"}}},
	{"inuse-objects", "after.allocs.pb.gz", "count", []string{"-sample_index=inuse_objects"},
		ViewOptions{Selection: Selection{SampleType: "inuse_objects"}}},
	{"delay", "after.mutex.pb.gz", "ns", []string{"-sample_index=delay"},
		ViewOptions{Selection: Selection{SampleType: "delay"}}},
	{"cum", "raw.cpu.pb.gz", "ns", []string{"-cum"}, ViewOptions{ByCum: true}},
	{"lines", "work.cpu.pb.gz", "ns", []string{"-lines"}, ViewOptions{Selection: Selection{Granularity: ByLine}}},
	{"filefunctions", "work.cpu.pb.gz", "ns", []string{"-filefunctions"},
		ViewOptions{Selection: Selection{Granularity: ByFileFunction}}},
	{"noinlines", "raw.cpu.pb.gz", "ns", []string{"-noinlines"}, ViewOptions{Selection: Selection{NoInlines: true}}},
	{"focus", "raw.cpu.pb.gz", "ns", []string{"-focus=Read"},
		ViewOptions{Selection: Selection{Focus: expression("Read")}}},
	{"ignore", "raw.cpu.pb.gz", "ns", []string{"-ignore=Read"},
		ViewOptions{Selection: Selection{Ignore: expression("Read")}}},
	{"hide", "raw.cpu.pb.gz", "ns", []string{"-hide=^syscall|poll"},
		ViewOptions{Selection: Selection{Hide: expression("^syscall|poll")}}},
	{"show", "raw.cpu.pb.gz", "ns", []string{"-show=net|main"},
		ViewOptions{Selection: Selection{Show: expression("net|main")}}},
	{"show-from", "raw.cpu.pb.gz", "ns", []string{"-show_from=Write"},
		ViewOptions{Selection: Selection{ShowFrom: expression("Write")}}},
	{"tag-focus", "after.allocs.pb.gz", "B", []string{"-sample_index=alloc_space", "-tagfocus=bytes=1kb:"},
		ViewOptions{Selection: Selection{SampleType: "alloc_space", TagFocus: tagFilter("bytes=1kb:")}}},
	{"tag-ignore", "after.allocs.pb.gz", "B", []string{"-sample_index=alloc_space", "-tagignore=:512b"},
		ViewOptions{Selection: Selection{SampleType: "alloc_space", TagIgnore: tagFilter(":512b")}}},
}

func tagFilter(text string) profile.TagMatch {
	f, err := ParseTagFilter(text)
	if err != nil {
		panic(err)
	}
	return f
}

func TestTopCountsAsPprofDoes(t *testing.T) {
	for _, c := range selections {
		t.Run(c.name, func(t *testing.T) {
			text := golden(t, c.name+".top", c.file, c.unit, append(c.flags, "-top")...)
			want := parseTop(t, text, c.unit)
			got := topOf(t, parseFile(t, c.file), c.look)
			if len(got.Rows) != len(want) || len(want) == 0 {
				t.Errorf("%d rows, pprof has %d", len(got.Rows), len(want))
			}
			for i := range min(len(want), len(got.Rows)) {
				g := got.Rows[i]
				if g.label() != want[i].name || g.Flat != want[i].flat || g.Cum != want[i].cum {
					t.Errorf("row %d: %s %d %d, pprof has %+v", i+1, g.label(), g.Flat, g.Cum, want[i])
				}
			}
			if !strings.Contains(text, " of "+strconv.FormatInt(got.Total, 10)) {
				t.Errorf("total %d is not pprof's", got.Total)
			}
		})
	}
}

type topRow struct {
	name      string
	flat, cum int64
}

// parseTop reads lines of "flat flat% sum% cum cum% function (inline)".
func parseTop(t *testing.T, text, unit string) []topRow {
	t.Helper()
	_, table, ok := strings.Cut(text, "cum%\n")
	if !ok {
		t.Fatalf("no table in %q", text)
	}
	var rows []topRow
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		rows = append(rows, topRow{strings.Join(f[5:], " "), number(t, f[0], unit), number(t, f[3], unit)})
	}
	return rows
}

// pprof has a row for each function of a file, all of them named like the file; here a
// file is one place. What they themselves cost adds up to the same.
func TestFilesAddUpToPprofs(t *testing.T) {
	want, got := map[string]int64{}, map[string]int64{}
	for _, r := range parseTop(t, golden(t, "files.top", "work.cpu.pb.gz", "ns", "-files", "-top"), "ns") {
		want[plainName(r.name)] += r.flat
	}
	top := topOf(t, parseFile(t, "work.cpu.pb.gz"), ViewOptions{Selection: Selection{Granularity: ByFile}})
	for _, r := range top.Rows {
		got[r.Place.String()] = r.Flat
	}
	compareMaps(t, got, want)
}

func compareMaps(t *testing.T, got, want map[string]int64) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("pprof's text has no entries")
	}
	for key, v := range want {
		if g, ok := got[key]; !ok || g != v {
			t.Errorf("%s: %d (there: %v), pprof has %d", key, g, ok, v)
		}
	}
	for key, v := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%s: %d, pprof does not have it", key, v)
		}
	}
}

// Each stack and what it costs, against pprof's traces.
func TestFlameHasTheStacksOfPprof(t *testing.T) {
	text := golden(t, "raw.traces", "raw.cpu.pb.gz", "ns", "-traces")
	want := map[string]int64{}
	for block := range strings.SplitSeq(text, "-----------+-------------------------------------------------------\n") {
		var stack []string
		var v int64
		for l := range strings.Lines(block) {
			f := strings.Fields(l)
			if len(f) == 0 || strings.HasSuffix(f[0], ":") {
				continue
			}
			if len(stack) == 0 {
				if !strings.HasSuffix(f[0], "ns") {
					break // the head of the text
				}
				v, f = number(t, f[0], "ns"), f[1:]
			}
			stack = append(stack, plainName(strings.Join(f, " ")))
		}
		if len(stack) > 0 {
			want[strings.Join(stack, " < ")] += v
		}
	}
	flame := show[*Flame](t, "flame", parseFile(t, "raw.cpu.pb.gz"), ViewOptions{})
	got := map[string]int64{}
	var walk func(f *Frame, above string)
	walk = func(f *Frame, above string) {
		path := f.Place.String() + above
		if f.Self != 0 {
			got[path] += f.Self
		}
		for _, c := range f.Children {
			walk(c, " < "+path)
		}
	}
	for _, f := range flame.Root.Children {
		walk(f, "")
	}
	compareMaps(t, got, want)
}

// rootSources finds the sources of this module by the names that -trimpath leaves.
type rootSources struct{ t *testing.T }

func (s rootSources) Source(file string) ([]byte, error) {
	rel, ok := strings.CutPrefix(file, "github.com/gohone/hone/")
	if !ok {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(filepath.Join("..", filepath.FromSlash(rel)))
}

func TestListCountsAsPprofDoes(t *testing.T) {
	text := golden(t, "work.list", "work.cpu.pb.gz", "ns", "-trim_path=github.com/gohone/hone", "-source_path=..",
		"-list=^main\\.")
	want := map[string]int64{}
	routine := ""
	for l := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(l, "ROUTINE ======================== "); ok {
			routine, _, _ = strings.Cut(name, " ")
			continue
		}
		f := strings.Fields(l)
		if routine == "" || len(f) < 3 || strings.Contains(l, "(flat, cum)") {
			continue
		}
		digits, _, _ := strings.Cut(f[2], ":")
		line, err := strconv.Atoi(digits)
		if err != nil {
			continue
		}
		for i, what := range []string{" flat ", " cum "} {
			if f[i] != "." {
				want[routine+what+strconv.Itoa(line)] = number(t, f[i], "ns")
			}
		}
	}
	list := show[*Listing](t, "list", parseFile(t, "work.cpu.pb.gz"),
		ViewOptions{Function: expression(`^main\.`), Sources: rootSources{t}})
	got := map[string]int64{}
	for _, r := range list.Routines {
		if r.NoSource != "" {
			t.Errorf("%s: %s", r.Function, r.NoSource)
		}
		if r.Lines[0].Text == "" || !strings.HasPrefix(r.Lines[0].Text, "func ") {
			t.Errorf("%s begins with %q", r.Function, r.Lines[0].Text)
		}
		for _, line := range r.Lines {
			if line.Flat != 0 {
				got[r.Function+" flat "+strconv.FormatInt(line.Number, 10)] = line.Flat
			}
			if line.Cum != 0 {
				got[r.Function+" cum "+strconv.FormatInt(line.Number, 10)] = line.Cum
			}
		}
	}
	compareMaps(t, got, want)
}
