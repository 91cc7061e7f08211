package holders

import (
	"regexp"
	"strings"
	"testing"
)

// What goroutines, timers and containers of the standard library hold is what ending them frees, within 1 %: the
// records of goroutines, which stay, are not counted. After a name stands GODEBUG.
func TestLeaksAreWhatEndingThemFrees(t *testing.T) {
	program := build(t)
	for name, want := range map[string]string{
		"parked": `^20,000 goroutines of main.park \(chan receive at leaks.go:57, started at leaks.go:99\)$`,
		"senders": `^3,000 goroutines of main.init.func\d+.1 \(chan send at leaks.go:108, started at leaks.go:108\) -> ` +
			`init.func\d+.1$`,
		"ticking asynctimerchan=0": `^3,000 goroutines of main.tick \(select at leaks.go:70, started at leaks.go:123\)$`,
		"afterfunc":                `^time.AfterFunc\(init.func\d+.1\) \(2,000 timers\), leaks.go:131 -> session.body \[\]byte$`,
		"smalltimers":              `^time.AfterFunc \(60,000 timers\) -> \[\] \*time.Timer$`,
		"tickers asynctimerchan=0": `^tickers \(\[\]\*time.Ticker, 30,000 elements\), leaks.go:\d+ -> \[\] \*time.Ticker$`,
		"syncflags":                `^flags \(sync.Map, 30,000 entries\), leaks.go:\d+$`,
		"syncpointer":              `^pointed \(\*sync.Map, 30,000 entries\), leaks.go:\d+$`,
		"syncgroup":                `^grouped.entries \(sync.Map, 2,000 entries\), leaks.go:\d+ -> session.body \[\]byte$`,
		"jobs":                     `^jobs \(chan job, 3,000 buffered\), leaks.go:\d+ -> session.body \[\]byte$`,
		"anything":                 `^anything \(\[\]any, 30,000 elements\), leaks.go:\d+ -> \[\] any\(\[\]byte\)$`,
		"nested": `^nested \(map\[string\]map\[int\]\*session, 20 entries\), leaks.go:\d+ -> session.body ` +
			`\[\]byte$`,
		"points":    `^points \(map\[\[2\]int\]session, 30,000 entries\), leaks.go:\d+$`,
		"few":       `^few \(\[\]map\[int\]string, 10,000 elements\), leaks.go:\d+ -> \[\] map\[int\]string$`,
		"pool":      `^pooled \(sync.Pool\), leaks.go:\d+ -> handler.buffer \[\]byte$`,
		"final":     `^final.buffer \(\[\]byte\), leaks.go:\d+$`,
		"finalfunc": `^runtime.SetFinalizer\(init.func\d+.1\).log \(\[\]byte\), leaks.go:\d+$`,
		"cleanup":   `^runtime.AddCleanup\(init.\d+.func\d+.1\)(.cleanup)?.log \(\[\]byte\), leaks_go124.go:\d+$`,
		"weak":      `^strong \(\[\]\*session, 2,000 elements\), leaks_go124.go:\d+ -> session.body \[\]byte$`,
		"handles": `^handles \(\[\]unique.Handle\[string\], 30,000 elements\), leaks_go124.go:\d+ -> ` +
			`\[\] unique.Handle\[string\]$`,
		"hooks": `^hooks \(map\[string\]func\(int\) int, 2,000 entries\), leaks.go:\d+ -> session.body \[\]byte$`,
	} {
		t.Run(name, func(t *testing.T) {
			name, setting, _ := strings.Cut(name, " ")
			t.Setenv("GODEBUG", setting)
			freesWhatItSays(t, program, name, want)
		})
	}
}

// The stacks of goroutines, which are not part of the heap, belong to where those were started.
func TestStacks(t *testing.T) {
	program := build(t)
	file, _ := dump(t, program, "parked")
	r := read(t, program, file)
	if len(r.Goroutines) != 1 {
		t.Fatalf("%+v", r.Goroutines)
	}
	g := r.Goroutines[0]
	if want := "20,000 goroutines of main.park (chan receive at leaks.go:57, started at leaks.go:99)"; g.String() != want {
		t.Errorf("%q, want %q", g, want)
	}
	if g.Stacks < 20_000*2048 || float64(g.Stacks) < 0.95*float64(r.Stacks) || g.Stacks > r.Stacks {
		t.Errorf("%d bytes of stacks of %d", g.Stacks, r.Stacks)
	}
}

// Where the program samples its allocations, the line is named that fills a holder, and sets timers; and where that is
// not on the way to an allocation, the line that allocates.
func TestTheLineThatFills(t *testing.T) {
	program := build(t)
	for name, want := range map[string]string{
		"field":       `^registry.sessions .*main.go:62 \(filled at main.go:114\) -> `,
		"records":     `^plain.inner.log .*main.go:63 \(filled at main.go:125\) -> `,
		"list":        `^plain.order .*main.go:63 \(filled at main.go:131\) -> `,
		"channel":     `^queue .*main.go:59 \(filled at main.go:142\) -> `,
		"tree":        `^root .*main.go:65 \(filled at main.go:176\) -> `,
		"syncflags":   `^flags .*leaks.go:\d+ \(filled at leaks.go:158\)$`,
		"afterfunc":   `^time.AfterFunc.* leaks.go:131 \(set at leaks.go:131\) -> `,
		"smalltimers": `^time.AfterFunc \(60,000 timers\) \(set at leaks.go:142\) -> `,
		"handles":     `^handles .*leaks_go124.go:\d+ \(filled at leaks_go124.go:33\) -> `,
		"jobs":        `^jobs .*leaks.go:\d+ \(filled at leaks.go:173\) -> `,
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RATE", "4096")
			file, _ := dump(t, program, name)
			if r := read(t, program, file); len(r.Holders) == 0 || !regexp.MustCompile(want).MatchString(r.Holders[0].String()) {
				t.Errorf("%s, want %s", r.Line(), want)
			}
		})
	}
}
