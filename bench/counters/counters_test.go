package counters

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const before = `package shop

import "fmt"

var names = map[string]func() int{"one": func() int { return 1 }}

type cart[T any] struct{ all []T }

func (c *cart[T]) Total() (sum int) { return len(c.all) }

func removed() {}

func Print(n int) { fmt.Println(n) }

func nothing() { panic("never") }

func init() { names["two"] = func() int { return 2 } }

func init() { Print(0) }
`

const after = `package shop

import "fmt"

// names has other literals.
var names = map[string]func() int{"one": func() int { return 11 }}

type cart[T any] struct{ all []T }

// Total is another text.
func (c *cart[T]) Total() (sum int) {
	for range c.all {
		func() { sum++ }()
	}
	return sum
}

func Print(n int) {
	// A comment does not change a function.
	fmt.Println(n)
}

func nothing() { panic("not ever") }

func init() { names["two"] = func() int { return 2 } }

func init() { Print(1) }
`

const test = `package shop

import (
	"os"
	"testing"
)

func TestTotal(t *testing.T) {
	if (&cart[int]{[]int{1, 2, 3}}).Total() != 3 {
		t.Error("not 3")
	}
	os.Exit(3) // what was counted is there however the process ends
}
`

// The functions that differ are found by their tokens, and the counters of a process that ends by itself say what it
// executed, function literals included.
func TestCounters(t *testing.T) {
	var trees [2]string
	var found [2][]Function
	for i, text := range []string{before, after} {
		trees[i] = t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n",
			"shop/shop.go": text, "shop/shop_test.go": test, "shop/other_windows.go": "package shop\n\nfunc other() {}\n",
			"testdata/x.go": "package x\n\nfunc x() {}\n"} {
			path := filepath.Join(trees[i], name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if found[i], err = Functions(trees[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	var of []Function
	for _, c := range Changes(found[0], found[1]) {
		names = append(names, c.Of().Name)
		if c.B != nil {
			of = append(of, *c.B)
		}
	}
	want := []string{"cart.Total", "init#2", "names", "nothing", "removed"}
	if len(names) != len(want) {
		t.Fatalf("changed are %q, want %q", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("changed are %q, want %q", names, want)
		}
	}
	if err := Write(trees[1], "example.org/m", of); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "counts")
	cmd := exec.Command("go", "test", "./shop")
	cmd.Dir, cmd.Env = trees[1], append(os.Environ(), Variable+"="+file)
	if said, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("the test did not end with 3: %s", said)
	}
	counts, err := Read(file, len(of))
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range []uint64{4, 1, 0, 0} { // a call and its three literals; init; no literal of names is called
		if counts[i] != n {
			t.Errorf("%s was called %d times, want %d", of[i].Name, counts[i], n)
		}
	}
	if none, err := Read(file+".none", 2); err != nil || len(none) != 2 {
		t.Errorf("no file: %v, %v", none, err)
	}
}
