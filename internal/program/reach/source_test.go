package reach

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/program/samecode"
)

// What a file declares by the lines of another one, as a parser that goyacc has made, is not looked for in counters.
func TestDeclarationsOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.go")
	text := `package a

type T[K any] struct{}

// M is a method.
func (t *T[K]) M() {}

func init() {}

func init() {}

func assembly()

//line y.y:7
func moved() {}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := readSource(samecode.Package{Path: "a", Import: "a", Name: "a", Files: []string{path, path + ".missing"}}, nil)
	for name, want := range map[string]declaration{
		"T.M":      {title: "(*T).M", place: Place{"a.go", 6, 6}, hasBody: true},
		"init.0":   {title: "init", place: Place{"a.go", 8, 8}, hasBody: true},
		"init.1":   {title: "init", place: Place{"a.go", 10, 10}, hasBody: true},
		"assembly": {title: "assembly", place: Place{"a.go", 12, 12}},
		"moved":    {title: "moved", place: Place{"a.go", 15, 15}, hasBody: true, isMoved: true},
	} {
		d := s.functions[name]
		if d == nil || d.title != want.title || d.place != want.place || d.hasBody != want.hasBody ||
			d.isMoved != want.isMoved {
			t.Errorf("%s: %+v, want %+v", name, d, want)
		}
	}
	if len(s.functions) != 5 || s.others["T"] == nil {
		t.Errorf("functions %v, others %v", s.functions, s.others)
	}
}

func TestDeclaredFunctionOfASymbol(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"Cart.Total": true, "Sum": true, "init.0": true}
	for symbol, want := range map[string]string{
		"(*Cart).Total": "Cart.Total", "Cart.Total": "Cart.Total", "(*Cart[go.shape.int]).Total.func1": "Cart.Total",
		"Sum[go.shape.struct { a.x int }].func2.1": "Sum", "(*Cart).Total-fm": "Cart.Total", "init.0": "init.0",
		"init.0.func1": "init.0", "init": "init", "glob..func3": "init", "map.init.0": "init", "init.func1": "init",
		"Sum.deferwrap1": "Sum", "Sum.Other.func1": "Sum",
	} {
		if got, ok := declared(symbol, func(name string) bool { return known[name] }); got != want || !ok {
			t.Errorf("%s is of %q, %v; want %q", symbol, got, ok, want)
		}
	}
	if _, ok := declared("(*Outer).Promoted", func(string) bool { return false }); ok {
		t.Error("a promoted method has a declaration")
	}
}
