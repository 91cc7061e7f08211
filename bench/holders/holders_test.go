package holders

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

var every = flag.Bool("every", false, "verify all programs of the corpus, not only a few")

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func corpus(t *testing.T) []*program {
	t.Helper()
	programs, err := openCorpus(corpusDir, "1")
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// Each program says what holds its memory, and half of them are closed.
func TestCorpus(t *testing.T) {
	n := map[string]int{}
	for _, p := range corpus(t) {
		kind := "holder"
		if p.Decoy {
			kind = "decoy"
		}
		n[kind]++
		n[kind+" "+p.half()]++
		for _, m := range p.marks {
			if p.Decoy != slices.Contains(m.names, none) {
				t.Errorf("%s: %s:%d: %q", p.Name, m.file, m.line, m.names)
			}
		}
	}
	if n["holder"] < 40 || n["decoy"] < 10 {
		t.Errorf("%v, want 40 holders and 10 decoys", n)
	}
	for _, kind := range []string{"holder", "decoy"} {
		if n[kind+" closed"] != n[kind]/2 {
			t.Errorf("%d of %d %ss are closed", n[kind+" closed"], n[kind], kind)
		}
	}
}

// A name of a holder is made of words of its program, but for those that say what of a library may be named, too.
func TestNamesAreOfTheProgram(t *testing.T) {
	ofLibraries := []string{"persistConn", "readLoop", "writeLoop", "cancelCtx.children"}
	for _, p := range corpus(t) {
		for _, m := range p.marks {
			source := sourceOf(t, p, m.file)
			for _, name := range m.names {
				for _, word := range words(name) {
					if name != none && !slices.Contains(ofLibraries, name) && strings.Count(source, word) < 2 {
						t.Errorf("%s: %s:%d: %q is not a name of the program", p.Name, m.file, m.line, name)
					}
				}
			}
		}
	}
}

func sourceOf(t *testing.T, p *program, file string) (source string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(corpusDir, p.Name), func(path string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == file {
			text, failed := os.ReadFile(path)
			source, err = string(text), failed
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// The seed chooses the closed half, and the same seed the same one.
func TestSeed(t *testing.T) {
	halves := func(seed string) (names []string) {
		programs, err := openCorpus(corpusDir, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range programs {
			if p.Closed {
				names = append(names, p.Name)
			}
		}
		return names
	}
	if one := halves("1"); !slices.Equal(one, halves("1")) || slices.Equal(one, halves("2")) {
		t.Error("want the half to depend on the seed alone")
	}
}

func TestIsNamed(t *testing.T) {
	p := &program{marks: []mark{{[]string{"sessions", "(*server).save", "shard.entries"}, "main.go", 3}}}
	for name, want := range map[string]bool{
		"sessions": true, "main.sessions": true, "cache.sessions": true, "main.app.store.sessions.body": true, "sessionsByID": false, "main.session": false,
		"example.com/sessions/main.routes": false, "example.com/x.cache[string,example.com/y.z].sessions": true,
		"main.(*server).save local body": true, "main.(*server).save.func1 body": true, "main.(*server).load save": false,
		"(*shard).entries": true, "quotes.shards[3].entries": false, "": false,
	} {
		if got := p.isNamed(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if !p.isAt("/home/x/main.go", 3) || p.isAt("main.go", 4) || p.isAt("other.go", 3) {
		t.Error("want main.go:3 alone")
	}
}

// shop is a program whose holder has 40 MB.
func shop(holders ...holder) (*program, record) {
	f := &figures{Base: 1e6, Before: 42e6, After: 2e6, Allocated: 50e6}
	return &program{Name: "shop", marks: []mark{{[]string{"byName"}, "main.go", 16}}}, record{Program: "shop", Figures: f, Answer: &answer{Holders: holders}}
}

func TestJudge(t *testing.T) {
	right := holder{Name: "app.byName", File: "shop/main.go", Line: 16, Bytes: 41e6}
	for _, c := range []struct {
		about              string
		says               []holder
		named, near, place bool
	}{
		{"right", []holder{right}, true, true, true},
		{"the right one is second", []holder{{Name: "heap.settings", Bytes: 40e6}, right}, false, false, false},
		{"too many bytes", []holder{{Name: "byName", Bytes: 42.1e6}}, true, false, false},
		{"too few bytes", []holder{{Name: "byName", Bytes: 37.9e6}}, true, false, false},
		{"nothing", nil, false, false, false},
	} {
		p, r := shop(c.says...)
		if j, ok := judge(p, r); !ok || j.Named != c.named || j.Near != c.near || j.Place != c.place {
			t.Errorf("%s: %+v", c.about, j)
		}
	}
	p, r := shop()
	r.Answer, r.Failed = nil, "hone ended with 2"
	if j, ok := judge(p, r); !ok || j.Named {
		t.Errorf("%+v, want that hone failed to count as not named", j)
	}
	r.Figures = nil
	if _, ok := judge(p, r); ok {
		t.Error("judged a program that did not run")
	}
}

// Of a decoy a holder of a tenth of what was allocated is named, a smaller one is not.
func TestJudgeDecoy(t *testing.T) {
	for bytes, want := range map[int64]bool{4.9e6: false, 5.1e6: true} {
		p, r := shop(holder{Name: "byName", Bytes: bytes})
		p.Decoy = true
		if j, ok := judge(p, r); !ok || j.Named != want {
			t.Errorf("%d bytes: %+v", bytes, j)
		}
		r.Answer = nil
		if _, ok := judge(p, r); ok {
			t.Error("judged a decoy without an answer")
		}
	}
}

// The closed half has sums, and its programs only if they are asked for.
func TestDocument(t *testing.T) {
	right := holder{Name: "app.byName", File: "main.go", Line: 16, Bytes: 40e6}
	p, r := shop(right)
	hidden, h := shop(holder{Name: "heap.settings"})
	hidden.Name, h.Program, hidden.Closed = "trie", "trie", true
	large := r
	large.Bytes, large.Answer = 2e9, &answer{WallNanos: 3e9, PeakBytes: 4e9}
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, []record{h, r, large}, []*program{p, hidden})
		text := result.Text()
		for _, want := range []string{
			"open half of the corpus: the first holder is the right one: 1 of 1", "closed half of the corpus: the first holder is the right one: 0 of 1",
			"shop     yes    app.byName  40.0      40.0            yes         yes", "a heap of 2 GB (shop): 3.00 s, 4.00 GB",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "trie") != shown {
			t.Errorf("closed %v:\n%s", shown, text)
		}
	}
}

// All programs build, and their truth holds: clearing frees what the holder held, and of decoys hardly anything is alive.
func TestPrograms(t *testing.T) {
	names := []string{"sessions", "frames", "downloads", "tags", "logouts", "recursion"}
	here, err := buildable(t.Context(), corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	vet(t)
	dir := t.TempDir()
	if err := proc.BuildGo(t.Context(), corpusDir, dir+"/", "./..."); err != nil {
		t.Fatal(err)
	}
	for _, p := range corpus(t) {
		if !*every && !slices.Contains(names, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if !slices.Contains(here, p.Name) {
				t.Skip("needs cgo, and there is no C compiler")
			}
			f, err := dump(t.Context(), filepath.Join(dir, p.Name), filepath.Join(dir, "dump"), 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("decoy %v, built up %s MB, clearing frees %s MB; %+v", p.Decoy, megabytes(f.built()), megabytes(f.freed()), f)
			if err := f.check(p.Decoy); err != nil {
				t.Error(err)
			}
			if f.Dump < f.Before-f.Stacks {
				t.Errorf("a dump of %d bytes of a heap of %d", f.Dump, f.Before-f.Stacks)
			}
		})
	}
}

func vet(t *testing.T) {
	t.Helper()
	if d, err := proc.Run(t.Context(), -1, proc.Command{Program: "go", Args: []string{"vet", "./..."}, Dir: corpusDir}); err != nil {
		t.Errorf("%v: %s", err, d.Stderr)
	}
}

// What is not fair to judge by is told.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		f     figures
		decoy bool
		fault string
	}{
		{figures{Base: 1e6, Before: 41e6, After: 4e6, Allocated: 40e6}, false, ""},
		{figures{Base: 1e6, Before: 41e6, After: 6e6, Allocated: 40e6}, false, "clearing frees 88 %"},
		{figures{Base: 1e6, Before: 4e6, Allocated: 40e6}, true, ""},
		{figures{Base: 1e6, Before: 6e6, Allocated: 40e6}, true, "a decoy with 12 %"},
	} {
		err := c.f.check(c.decoy)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%+v: %v, want %q", c.f, err, c.fault)
		}
	}
}

// Without sizes all programs are judged; with sizes a few are measured, unless others are named.
func TestTasks(t *testing.T) {
	programs := corpus(t)
	named := func(only []string, sizes ...int64) (names []string) {
		all, err := tasks(programs, only, sizes)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			names = append(names, one.String())
		}
		return names
	}
	if n := len(named(nil)); n != len(programs) {
		t.Errorf("%d tasks of %d programs", n, len(programs))
	}
	for _, c := range []struct{ got, want []string }{
		{named([]string{"shop"}), []string{"shop"}},
		{named(nil, 1e8, 2e9), []string{"blobs of 0.1 GB", "chain of 0.1 GB", "sessions of 0.1 GB", "blobs of 2 GB", "chain of 2 GB", "sessions of 2 GB"}},
		{named([]string{"shop"}, 1e9), []string{"shop of 1 GB"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if _, err := tasks(programs, []string{"shops"}, nil); err == nil || !strings.Contains(err.Error(), `"shops"`) {
		t.Errorf("a program that is not there: %v", err)
	}
}
