package build

import (
	"bytes"
	"debug/elf"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// functionOrder returns the program's own functions and those of fmt as they lie in
// memory.
func functionOrder(t *testing.T, path string) []string {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	symbols = slices.DeleteFunc(symbols, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) != elf.STT_FUNC ||
			(!strings.HasPrefix(s.Name, "main.") && !strings.HasPrefix(s.Name, "fmt."))
	})
	slices.SortFunc(symbols, func(a, b elf.Symbol) int { return int(int64(a.Value) - int64(b.Value)) })
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	return names
}

// Two layouts of one program that has link flags of its own, with the probe added: they
// do the same, know their seeds, lie in different order, and the second compiles nothing but
// package main, whose build information holds the flags.
func TestLayoutsOfOneProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF executables, which this system does not make")
	}
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod": "module example.com/laid\n\ngo 1.21\n",
		"main.go": `package main

import (
	"fmt"

	"example.com/laid/sum"
)

var stamp, other = "none", "none"

func main() { fmt.Println(stamp, other, sum.Of(1, 2)) }
`,
		"sum/sum.go": "package sum\n\n//go:noinline\nfunc Of(a, b int) int { return a + b }\n",
	})
	t.Setenv("GOFLAGS", `'-ldflags=-X main.other=lost' `+os.Getenv("GOFLAGS"))
	out := t.TempDir()
	v := Variant{Name: "A", Source: ".", BuildFlags: []string{"-ldflags", `-X main.stamp=set`}}
	plain := mustBuild(t, v, dir, out)
	orders := map[string]bool{strings.Join(functionOrder(t, plain.Path), " "): true}
	for i, seed := range LayoutSeeds(7, 2) {
		v.Layout = seed
		b := mustBuild(t, v, dir, out)
		if b.Variant.Layout != seed || !b.Probed || b.Path == plain.Path ||
			filepath.Base(b.Path) != filepath.Base(plain.Path) {
			t.Errorf("layout %d: %+v", seed, b)
		}
		output, err := exec.Command(b.Path).Output()
		if err != nil || string(output) != "set none 3\n" {
			t.Errorf("layout %d says %q %v", seed, output, err)
		}
		order := functionOrder(t, b.Path)
		if len(order) < 20 || orders[strings.Join(order, " ")] {
			t.Errorf("layout %d has the order of another build: %.10q", seed, order)
		}
		orders[strings.Join(order, " ")] = true
		if i == 0 {
			continue
		}
		// go build -x prints every compiler that it runs.
		again := append([]string{"build", "-x"}, b.Command[2:]...)
		again[slices.Index(again, "-o")+1] = filepath.Join(t.TempDir(), "again")
		for j, word := range again {
			again[j] = strings.Replace(word, fmt.Sprintf("-randlayout=%d", seed), "-randlayout=1", 1)
		}
		cmd := exec.Command("go", again...)
		cmd.Dir = dir
		steps, err := cmd.CombinedOutput()
		if err != nil || bytes.Count(steps, []byte("/link -o")) != 1 || bytes.Count(steps, []byte("/compile -o")) > 1 ||
			bytes.Contains(steps, []byte("-p example.com/laid/sum")) {
			t.Errorf("another layout compiles more than package main, or does not link: %v\n%s", err, steps)
		}
	}
}

func TestLayoutsThatAreRefused(t *testing.T) {
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/x\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n"})
	build := func(v Variant) error {
		v.Name, v.Source = "A", "."
		_, err := Program(t.Context(), v, Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
		return err
	}
	failtest.Want(t, build(Variant{Layout: -1}), fail.BadInput, "layout -1 is negative")
	failtest.Want(t, build(Variant{Layout: 3, BuildFlags: []string{"-ldflags=-s -randlayout=4"}}), fail.BadInput,
		"-randlayout is in use", "--set layouts")
	failtest.Want(t, build(Variant{Layout: 3, Env: []string{"GOFLAGS=-ldflags=-randlayout=4"}}), fail.BadInput,
		"-randlayout is in use")
	failtest.Want(t, build(Variant{Env: []string{"GOFLAGS='-ldflags=-s"}}), fail.BadInput, "GOFLAGS", "never closed")
	old := "go1.21.13"
	toolchaintest.Need(t, old)
	failtest.Want(t, build(Variant{Layout: 3, Toolchain: old}), fail.BadInput, "the linker of go1.21.13 cannot",
		"go1.23 or newer")
}

// What go build is given, from what the user wrote. The last -ldflags that applies to a
// package counts (go help build, on per-package flags).
func TestLinkFlagsOfALayout(t *testing.T) {
	for _, c := range []struct {
		goflags string
		flags   []string
		want    []string
	}{
		{"", nil, []string{"-ldflags=-randlayout=5"}},
		{"-trimpath -mod=mod", []string{"-race"}, []string{"-ldflags=-randlayout=5", "-race"}},
		{`'-ldflags=-s -w'`, nil, []string{"-ldflags=-randlayout=5", "-ldflags=-s -w -randlayout=5"}},
		{"", []string{"-ldflags", `-X 'main.a=b c'`, "-tags", "x"},
			[]string{"-ldflags=-randlayout=5", `-ldflags=-X 'main.a=b c' -randlayout=5`, "-tags", "x"}},
		{"--ldflags=-s", []string{"--ldflags=all=-w", "-ldflags=./x=-s"},
			[]string{"-ldflags=-randlayout=5", "-ldflags=-s -randlayout=5", "-ldflags=all=-w -randlayout=5",
				"-ldflags=./x=-s -randlayout=5"}},
		{"", []string{"-ldflags="}, []string{"-ldflags=-randlayout=5", "-ldflags=-randlayout=5"}},
		{"", []string{"-ldflags=all="}, []string{"-ldflags=-randlayout=5", "-ldflags=all= -randlayout=5"}},
		{"", []string{"-ldflags=nonsense"}, []string{"-ldflags=-randlayout=5", "-ldflags=nonsense"}},
		{"", []string{"-gcflags", "-ldflags", "-ldflags"},
			[]string{"-ldflags=-randlayout=5", "-gcflags", "-ldflags", "-ldflags=-randlayout=5"}},
	} {
		if got, err := withLayout(c.goflags, c.flags, 5); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("GOFLAGS %q, flags %q: %v\ngot  %q\nwant %q", c.goflags, c.flags, err, got, c.want)
		}
	}
}

func TestLayoutSeeds(t *testing.T) {
	seeds := LayoutSeeds(1, 100)
	if again := LayoutSeeds(1, 100); !slices.Equal(seeds, again) || slices.Equal(seeds, LayoutSeeds(2, 100)) {
		t.Error("the seeds do not follow from the seed")
	}
	if !slices.Equal(LayoutSeeds(1, 3), seeds[:3]) {
		t.Error("more layouts change the first ones")
	}
	names := map[string]bool{}
	for _, s := range seeds {
		if s <= 0 || len(layoutDir(s)) != len(layoutDir(1)) {
			t.Errorf("seed %d", s)
		}
		names[layoutDir(s)] = true
	}
	if len(names) != len(seeds) || len(LayoutSeeds(1, 0)) != 0 {
		t.Errorf("%d different seeds of %d", len(names), len(seeds))
	}
}

func TestBuiltLike(t *testing.T) {
	base := Variant{Name: "A", Source: "./x", Env: []string{"A=1"}, Toolchain: "go1.25.5",
		BuildFlags: []string{"-race"},
		Layout:     3}
	same := base
	same.Name, same.Args = "B", []string{"-v"}
	if !base.BuiltLike(same) {
		t.Error("name and arguments do not change the executable")
	}
	for name, change := range map[string]func(*Variant){
		"source": func(v *Variant) { v.Source = "./y" }, "environment": func(v *Variant) { v.Env = nil },
		"toolchain": func(v *Variant) { v.Toolchain = "" }, "flags": func(v *Variant) { v.BuildFlags = nil },
		"probe": func(v *Variant) { v.NoInject = true }, "layout": func(v *Variant) { v.Layout = 4 },
		"overlay": func(v *Variant) { v.Overlay = map[string]string{"/x/a.go": "package main\n"} },
	} {
		other := same
		change(&other)
		if base.BuiltLike(other) || other.BuiltLike(base) {
			t.Errorf("another %s does change it", name)
		}
	}
}

// FuzzLinkFlags: no flag of the user is lost, and go finds the seed in each -ldflags
// that it would take.
func FuzzLinkFlags(f *testing.F) {
	f.Add(`'-ldflags=-s -w' -trimpath`, "-ldflags", "-X 'a=b c'")
	f.Add("-ldflags=all=", "--ldflags==x", "-race")
	f.Add("'", "-ldflags= \t", "\"")
	f.Fuzz(func(t *testing.T, goflags, first, second string) {
		words := []string{first, second}
		got, err := withLayout(goflags, words, 5)
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) {
				t.Error(err)
			}
			return
		}
		if got[0] != "-ldflags=-randlayout=5" {
			t.Errorf("no seed at the start of %q", got)
		}
		for _, word := range words {
			kept := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-")
			kept, _ = strings.CutPrefix(kept, "ldflags=")
			if kept = strings.TrimLeft(kept, gocommand.Space); kept != "ldflags" &&
				!strings.Contains(strings.Join(got, "\x00"), kept) {
				t.Errorf("%q is lost: %q", word, got)
			}
		}
	})
}

// FuzzGoFlagWords: words written with quotes as go wants them are read back.
func FuzzGoFlagWords(f *testing.F) {
	f.Add("-ldflags=-s -w", "-race")
	f.Add("", "it's")
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsAny(a+b, `'"`) {
			_, _ = gocommand.SplitFlags(a + " " + b) // must end, with or without an error
			return
		}
		if got, err := gocommand.SplitFlags(" '" + a + "'\t\"" + b + "\"\n"); err != nil ||
			!slices.Equal(got, []string{a, b}) {
			t.Errorf("%q %q: %q %v", a, b, got, err)
		}
	})
}

func TestFirstVersionWithLayouts(t *testing.T) {
	for v, want := range map[string]bool{
		"go1.22.12": false, "go1.23.0": true, "go1.23rc1": true, "go1.26.8 X:nodwarf5": true, "go1.22.1-vendor": false,
		"devel go1.27-abc": true,
	} {
		if err := checkLayoutVersion(v); (err == nil) != want {
			t.Errorf("%s: %v (%v)", v, err, version.IsValid(v))
		}
	}
}
