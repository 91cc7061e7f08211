package cheats

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

var (
	every = flag.Bool("every", false, "verify all pairs, not only a few")
	only  = flag.String("only", "", "verify the pairs with these names")
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Each pair is what it is said to be, as a user sees it without hone. Of the closed half a failure names the file and
// the proof alone.
func TestPairsAreWhatTheySay(t *testing.T) {
	all, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	few := map[string]bool{"silent": true, "half": true, "flag": true}
	before := map[string]seen{}
	for _, p := range all {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.Name) ||
			*only == "" && !*every && (p.Half != bed.HalfOpen || !few[p.Name]) {
			continue
		}
		t.Run(p.Half+"/"+p.Name, func(t *testing.T) {
			about := p.Base + " " + p.resource()
			if _, ok := before[about]; !ok {
				before[about] = use(t, p, false)
			}
			if err := proofs[p.Proof](before[about], use(t, p, true)); err != nil {
				t.Errorf("want %s: %v", p.Proof, err)
			}
		})
	}
}

// What hone prints becomes a word.
func TestWords(t *testing.T) {
	for text, c := range map[string]struct {
		code int
		word word
	}{
		"gate cpu<-1%: passed\nB is faster than A: CPU per request 2 -> 1 us\n":                      {0, "plainly faster"},
		"B is faster than A: CPU 2 -> 1 us; but it writes 100 % fewer bytes to files\n":              {0, "named"},
		"undecided whether B is faster than A at the same work: 2 -> 1 us; but it writes\n":          {8, "refused, named"},
		"B is faster than A: CPU 2 -> 1 us (-50 %, no interval);\n      but it writes 100 % fewer\n": {0, "named"},
		"undecided whether B differs from A: CPU per request 485 -> 454 us\n":                        {8, "undecided"},
		"gates: 0 passed\n  undecided: Sum\nB is faster in its time\nnote: Sum-2: it is not\n":       {8, "refused"},
		"B is faster than A: Sum-2\nnote: Sum-2: turns show more\n":                                  {0, "faster, with a note below"},
		"no verdict yet: Sum-2 is undecided; Sum-2: a test fails\nnote: Sum-2: a test fails\n":       {8, "refused, named"},
		"the comparison is invalid: answers differ\n":                                                {4, "refused"},
		"B takes as much CPU as A within 1 %\n":                                                      {1, "refused"},
		"B takes as much CPU as A within 1.1 %\n":                                                    {0, "no gain"},
	} {
		s := said{pair: pair{Bench: "Sum"}, code: c.code, headline: headline(text), note: noteOn("Sum-", text)}
		if s.word() != c.word {
			t.Errorf("%q: %q from %q, want %q", text, s.word(), s.headline, c.word)
		}
	}
}

// A head that is not whole is refused with its place.
func TestHead(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"does: x\nkind: y\nbase: things\nproof: work\n":                "",
		"does: x\nkinds: y\n":                                          "x.txtar:2",
		"does: x\nkind: y\nbase: sums\nproof: work\n":                  "with a bench",
		"does: x\nkind: y\nbase: things\nproof: luck\n":                `unknown proof "luck"`,
		"does: x\nkind: y\nbase: things\nproof: work\n-- work.go --\n": "leave it",
	} {
		file := filepath.Join(dir, "x.txtar")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := read(file, bed.HalfOpen)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
