package panels

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/gohone/hone/internal/text/vitals"
)

var update = flag.Bool("update", false, "write the golden files again")

var sizes = []Size{{60, 15}, {80, 24}, {120, 40}}

// The pictures as they are, for people to read: testdata/NAME-WIDTHxHEIGHT.txt.
func TestGolden(t *testing.T) {
	for name, s := range states() {
		for _, size := range sizes {
			file := fmt.Sprintf("%s-%dx%d", name, size.Width, size.Height)
			t.Run(file, func(t *testing.T) { golden(t, file+".txt", Render(s, size, Theme{})) })
		}
	}
	t.Run("colour", func(t *testing.T) {
		golden(t, "busy-80x24.dark", Render(states()["busy"], sizes[1], Theme{Colour: true}))
		golden(t, "busy-80x24.light", Render(states()["busy"], sizes[1], Theme{Colour: true, Light: true}))
	})
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("%s differs; go test ./internal/text/panels -update writes it again. Got:\n%s", path, got)
	}
}

// Colours dress the text and change nothing else.
func TestColoursChangeNoText(t *testing.T) {
	for name, s := range states() {
		for _, size := range sizes {
			bare, dressed := Render(s, size, Theme{}), Render(s, size, Theme{Colour: true})
			if strings.Contains(bare, "\x1b") {
				t.Errorf("%s: escapes without colours", name)
			}
			var stripped []string
			for line := range strings.SplitSeq(ansi.Strip(dressed), "\n") {
				stripped = append(stripped, strings.TrimRight(line, " "))
			}
			if got := strings.Join(stripped, "\n"); got != bare {
				t.Errorf("%s at %v: the text differs with colours:\n%s", name, size, got)
			}
		}
	}
}

// Every size is filled exactly and never overrun.
func TestEverySizeFits(t *testing.T) {
	for name, s := range states() {
		for _, width := range []int{1, 7, 12, 30, 47, 60, 79, 100, 149, 180} {
			for _, height := range []int{1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 20, 24, 33, 47, 60} {
				lines := strings.Split(Render(s, Size{width, height}, Theme{Colour: width%2 == 0}), "\n")
				if len(lines) != height {
					t.Fatalf("%s at %dx%d has %d lines", name, width, height, len(lines))
				}
				for _, l := range lines {
					if n := ansi.StringWidth(l); n > width {
						t.Fatalf("%s at %dx%d: a line has %d cells: %q", name, width, height, n, l)
					}
				}
			}
		}
	}
	if got := Render(State{}, Size{}, Theme{}); got != "" {
		t.Errorf("of no size: %q", got)
	}
}

// What a service says can not steer the terminal.
func TestForeignTextIsHarmless(t *testing.T) {
	s := states()["busy"]
	s.Title, s.Warnings, s.Notes = "\x1b[2Jtitle", []string{"a\x1b]0;x\x07\nb"}, []string{"c\rd"}
	r := *s.Groups[0].History.Last()
	r.RateName, r.LatencyName = "rate\x1b[31m", "lat\x9bm"
	r.Rates[0].Name, r.Latencies[0].Name = "one\x1b[5n", "two\x1bc"
	s.Groups[0].History.Add(r)
	s.Groups[0].Name = "g\x1b[H"
	for _, size := range append(sizes, Size{240, 60}) {
		for _, help := range []bool{false, true} {
			s.Help = help
			for _, c := range Render(s, size, Theme{}) {
				if c != '\n' && !unicode.IsPrint(c) {
					t.Fatalf("%q at %v", c, size)
				}
			}
		}
	}
}

// The promised order: what says most stays longest.
func TestWhatGoesFirst(t *testing.T) {
	s := states()["busy"]
	s.Marks, s.Notes = nil, nil
	rows := func(height int) map[string]bool {
		shown := map[string]bool{}
		for line := range strings.SplitSeq(Render(s, Size{80, height}, Theme{}), "\n") {
			for _, name := range []string{"rate", "latency", "cpu", "heap", "gc cpu", "busiest", "durations",
				"threads"} {
				if strings.HasPrefix(line, name+" ") {
					shown[name] = true
				}
			}
		}
		return shown
	}
	before := rows(40)
	if len(before) != 8 {
		t.Fatalf("not all rows at 40 lines: %v", before)
	}
	for _, gone := range []struct {
		height int
		names  []string
	}{{14, []string{"threads"}}, {11, []string{"threads", "durations", "busiest"}}, {5, []string{"gc cpu"}}} {
		now := rows(gone.height)
		for _, name := range gone.names {
			if now[name] {
				t.Errorf("%d lines still have %s", gone.height, name)
			}
		}
		for _, name := range []string{"rate", "latency"} {
			if !now[name] {
				t.Errorf("%d lines have no %s", gone.height, name)
			}
		}
		for name := range now {
			if !before[name] {
				t.Errorf("%s is back at %d lines", name, gone.height)
			}
		}
		before = now
	}
}

// A plot tells 0 from nothing known, and what is above the line from what is below it.
func TestPlotColumns(t *testing.T) {
	in := &instrument{}
	known := func(x float64) point { return point{value: vitals.Of(x), begun: true} }
	all := []point{{}, known(0), known(10), {begun: true}, known(5)}
	var rows []string
	for _, row := range in.plot(all, 10, 6, 2) {
		text := ""
		for _, c := range row {
			text += string(c.char)
		}
		rows = append(rows, text)
	}
	if got := strings.Join(rows, "|"); got != "   █  |  ▁█·█" {
		t.Errorf("plot %q", got)
	}
}

func TestRoundScale(t *testing.T) {
	for x, want := range map[float64]float64{0: 1, 1: 1, 1.01: 1.5, 12642: 15000, 0.0041: 0.005, 99: 100, 100: 100,
		8.1: 10, 1e-9: 1e-9} {
		if got := round(x); math.Abs(got-want) > 1e-12*max(1, want) {
			t.Errorf("round(%v) = %v, want %v", x, got, want)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	s := states()["busy"]
	for b.Loop() {
		Render(s, Size{240, 60}, Theme{Colour: true})
	}
}
