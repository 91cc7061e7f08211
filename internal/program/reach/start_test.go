package reach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/samecode"
)

// started is the source of a package whose variables are filled before main.
const started = `package cart

import (
	"errors"
	"fmt"
	"regexp"
	"sync"

	"example.com/registry"
)

const width = 3

type Size int

var (
	ErrEmpty = errors.New("empty")
	ErrFull  = fmt.Errorf("full: %w", ErrEmpty)
	word     = regexp.MustCompile("a+")
	sizes    = map[string]Size{"a": Size(1)}
	squares  = table(4)
	at       = registry.Add("a")
	built    = (&builder{}).build()
	rows     = make([]int, width)
	late     = func() int { return 1 }()
	_        = registry.Add("b")
	once     = sync.OnceValue(func() int { return Total() })
)

var other = late + 1

type builder struct{}

func (b *builder) build() int { return 1 }

func table(n int) (all []int) { return append(all, n) }

func Total() int { return len(sizes) }
`

// The source says which variables are filled differently, if what fills them only computes.
func TestVariablesThatAreFilledDifferently(t *testing.T) {
	t.Parallel()
	const path = "example.com/cart"
	read := func(text string) map[string]*source {
		file := filepath.Join(t.TempDir(), "cart.go")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names := map[string]string{"errors": "errors", "fmt": "fmt", "regexp": "regexp", "sync": "sync",
			"example.com/registry": "registry"}
		return map[string]*source{path: readSource(samecode.Package{Path: path, Import: path, Name: "cart",
			Files: []string{file}}, names)}
	}
	for _, c := range []struct {
		name, from, to string
		want           string // variables and called functions; "-" if the source does not show it
		inlined        string
	}{
		{"nothing", "", "", "", ""},
		{"a function that only runs later", "len(sizes)", "len(sizes) + 1", "", ""},
		{"a regular expression", `"a+"`, `"b+"`, "word", ""},
		{"a new error", "\tword ", "\tErrNew = errors.New(\"new\")\n\tword ", "ErrNew", ""},
		{"an error that others wrap", `"empty"`, `"nothing"`, "ErrEmpty ErrFull", ""},
		{"a table", "Size(1)", "Size(2)", "sizes", ""},
		{"a type", "type Size int", "type Size int64", "sizes", ""},
		{"a constant", "width = 3", "width = 4", "rows", ""},
		{"what a function computes", "table(4)", "table(5)", "squares table", ""},
		{"the function that computes it", "append(all, n)", "append(all, n, n)", "squares table", ""},
		{"a function whose code is inlined", "append(all, n)", "append(all, n, n)", "-", "table"},
		{"a method whose code is inlined", "build() int { return 1", "build() int { return 2", "-", "(*builder).build"},
		{"another function that is inlined", `"a+"`, `"b+"`, "word", "table"},
		{"a call into another package", `Add("a")`, `Add("c")`, "-", ""},
		{"a call whose result no one has", `Add("b")`, `Add("c")`, "-", ""},
		{"a method", "(&builder{})", "(&builder{ })", "", ""},
		{"a method of something else", "(&builder{})", "new(builder)", "-", ""},
		{"a function literal that is called later", "return Total() }", "return Total() + 1 }", "once", ""},
		{"a function literal that is called", "{ return 1 }()", "{ return 2 }()", "-", ""},
		{"an error that prints a value", `"full: %w", ErrEmpty`, `"full: %v", built`, "-", ""},
		{"a variable by another name", "	word ", "	//a\n//go:linkname late other.late\n	late2 = 1; word ", "late2", ""},
		{"a changed variable by another name", "	word ", "//go:linkname late2 other.late\n	late2 = 1; word ", "-", ""},
		{"names of another package", `"regexp"`, "\"regexp\"\n\t. \"example.com/dots\"", "-", ""},
	} {
		if c.from != "" && strings.Count(started, c.from) != 1 {
			t.Fatalf("%q is not once in the source", c.from)
		}
		a := &assigner{sources: [2]map[string]*source{read(started), read(strings.Replace(started, c.from, c.to, 1))},
			names: map[string]string{path: "cart"}, units: map[samecode.Symbol]*unit{}}
		f := samecode.Function{Symbol: samecode.Symbol{Package: path, Name: "init"}}
		if c.inlined != "" {
			f.Inlined = []samecode.Symbol{{Package: path, Name: c.inlined}}
		}
		got := "-"
		if filled := a.filled(f); filled != nil {
			names := filled.Variables
			for _, called := range filled.Calls {
				names = append(names, called.Name)
			}
			slices.Sort(names)
			got = strings.Join(slices.Compact(names), " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A load sees nothing of a change where it executes nothing of it, but for what only the start fills and nothing uses.
func TestWhatALoadSeesOfAStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		starts   bool
		executed []Kind
		change   func(c *Change)
		unseen   bool
	}{
		{"nothing", false, nil, func(*Change) {}, true},
		{"what fills a variable", true, []Kind{Start}, func(*Change) {}, true},
		{"another function at the start", false, []Kind{Start}, func(*Change) {}, false},
		{"what fills a variable, under load", true, []Kind{Start, Load}, func(*Change) {}, false},
		{"a variable that data lead to", true, []Kind{Start}, func(c *Change) { c.seen = "cart.all" }, false},
		{"something hidden", false, nil, func(c *Change) { c.Table.Hidden = []string{"a file"} }, false},
	} {
		change := &Change{codes: []code{{starts: c.starts}},
			Table: Table{Functions: []Function{{Name: "cart.Total", Executed: c.executed}}}}
		c.change(change)
		if got := change.Unseen(&change.Table); got != c.unseen {
			t.Errorf("%s: unseen %v, want %v", c.name, got, c.unseen)
		}
	}
}

// What fills variables only is so if all of it is, and if the start is known.
func TestWhatOnlyFillsVariables(t *testing.T) {
	t.Parallel()
	fills := samecode.Symbol{Package: "example.com/cart", Name: "init"}
	other := samecode.Symbol{Package: "example.com/cart", Name: "load"}
	for _, c := range []struct {
		name, why string
		symbols   [2][]samecode.Symbol
		want      bool
	}{
		{"on both sides", "", [2][]samecode.Symbol{{fills}, {fills}}, true},
		{"on one", "", [2][]samecode.Symbol{nil, {fills}}, true},
		{"with another function", "", [2][]samecode.Symbol{{fills}, {fills, other}}, false},
		{"a start that is not known", "a goroutine", [2][]samecode.Symbol{{fills}, {fills}}, false},
	} {
		a := &assigner{start: &samecode.Start{Why: c.why}}
		for side := range a.start.Functions {
			a.start.Functions[side] = map[samecode.Symbol]bool{fills: true}
		}
		if got := a.onlyStarts(&unit{symbols: c.symbols}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What the runtime writes of a start says how much packages allocate.
func TestStartMemory(t *testing.T) {
	t.Parallel()
	const log = "init errors @0.1 ms, 0 ms clock, 0 bytes, 0 allocs\nhello\n" +
		"init example.com/a%2eb @0.5 ms, 0.01 ms clock, 1024 bytes, 7 allocs\r\n" +
		"init example.com/c @0.5 ms, 0.01 ms clock, 40000 bytes, 7 allocs\n"
	got, err := StartMemory(log, []string{"example.com/a.b"})
	if err != nil || got != 1024 {
		t.Errorf("%d, %v", got, err)
	}
	if _, err := StartMemory("hello", nil); err == nil {
		t.Error("nothing was said, and that is no error")
	}
	if !StartsAlike([2]int{got, got + samecode.MostStarted}) || StartsAlike([2]int{got + samecode.MostStarted + 1, got}) {
		t.Error("the limit is another one")
	}
	if v := TracesStart([]string{"A=b", "GODEBUG=x=1", "GODEBUG="}); v != "GODEBUG=x=1,inittrace=1" {
		t.Error(v)
	}
}
