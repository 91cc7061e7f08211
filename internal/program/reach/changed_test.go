package reach

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program is one side of the tests.
var program = map[string]string{
	"go.mod":     "module example.com/shop\ngo 1.24\nrequire example.com/dep v1.0.0\nreplace example.com/dep => ./dep\n",
	"dep/go.mod": "module example.com/dep\ngo 1.22\n",
	"dep/dep.go": "package dep\n\n//go:noinline\nfunc Used(n int) int { return n * 7 }\n\n//go:noinline\nfunc Other(n int) int { return n * 9 }\n",
	"words.txt":  "one two",
	"cart/cart.go": `package cart

import "fmt"

const rate = 3

var limit = 40

var names = map[string]int{"a": 1, "b": 2}

var table = []int{1, 2, 3}

type Cart struct{ items []int }

//go:noinline
func (c *Cart) Total() (sum int) {
	for _, n := range c.items {
		sum += n
	}
	return sum
}

//go:noinline
func (c *Cart) Add(n int) { c.items = append(c.items, n) }

//go:noinline
func (c Cart) String() string { return fmt.Sprint(c.items) }

//go:noinline
func Taxed(n int) int { return n * rate }

//go:noinline
func Limit(n int) bool { return n > limit }

//go:noinline
func Name(s string) int { return names[s] }

//go:noinline
func Nth(i int) int { return table[i] }

func half(n int) int { return n/2 + 1 }

//go:noinline
func Halves(n int) int { return half(n) + 1 }

func Sum[T int | int64](all []T) (sum T) {
	for _, x := range all {
		sum += x
	}
	return sum
}

//go:noinline
func Each(all []int, f func(int) int) (sum int) {
	for _, n := range all {
		sum += f(n)
	}
	return sum
}

//go:noinline
func Doubled(all []int) int { return Each(all, func(n int) int { return 2 * n }) }
`,
	"main.go": `package main

import (
	_ "embed"
	"fmt"
	"os"

	"example.com/dep"
	"example.com/shop/cart"
)

//go:embed words.txt
var words string

//go:noinline
func text() int { return len(words) + int(words[0]) }

//go:noinline
func show(v fmt.Stringer) string { return v.String() }

func main() {
	c := &cart.Cart{}
	c.Add(1)
	c.Total()
	all := []int{1, 2, len(os.Args)}
	fmt.Println(text(), show(c), dep.Used(1), dep.Other(2), cart.Sum(all), cart.Doubled(all))
	fmt.Println(cart.Taxed(1), cart.Limit(2), cart.Name("a"), cart.Nth(1), cart.Halves(3))
}
`,
}

// Each case changes the program on side B, and names the functions that differ, and through what.
func TestChangedFunctions(t *testing.T) {
	for _, c := range []struct {
		name, file, from, to string
		want                 []string
	}{
		{"nothing", "main.go", "", "", nil},
		{"a comment and shifted lines", "cart/cart.go", "//go:noinline\nfunc (c *Cart) Total",
			"// Total is the sum.\n//\n//go:noinline\nfunc (c *Cart) Total", nil},
		{"a local that is renamed", "cart/cart.go", "for _, x := range all {\n\t\tsum += x",
			"for _, one := range all {\n\t\tsum += one", nil},
		{"a method", "cart/cart.go", "sum += n\n\t}\n\treturn sum\n}\n\n//go:noinline\nfunc (c *Cart) Add",
			"sum += n + 1\n\t}\n\treturn sum\n}\n\n//go:noinline\nfunc (c *Cart) Add", []string{"cart.(*Cart).Total"}},
		{"a constant", "cart/cart.go", "rate = 3", "rate = 5", []string{"cart.Taxed through cart.rate"}},
		{"the value of a variable", "cart/cart.go", "limit = 40", "limit = 50", []string{"cart.Limit through cart.limit"}},
		{"a table that is filled before main", "cart/cart.go", `"b": 2`, `"b": 3`,
			[]string{"cart.Name through cart.names", "cart.init through cart.names"}},
		{"a table in data", "cart/cart.go", "{1, 2, 3}", "{1, 2, 4}", []string{"cart.Nth through cart.table"}},
		{"an embedded file", "words.txt", "one", "six", []string{"main.text through main.words"}},
		{"an inlined function", "cart/cart.go", "n/2 + 1", "n/2 + 2",
			[]string{"cart.Halves through cart.half", "cart.half"}},
		{"a generic function", "cart/cart.go", "sum += x", "sum -= x", []string{"cart.Sum", "main.main through cart.Sum"}},
		{"a literal of a function", "cart/cart.go", "return 2 * n", "return 3 * n", []string{"cart.Doubled"}},
		{"another literal before one", "cart/cart.go", "//go:noinline\nfunc Doubled",
			"//go:noinline\nfunc Tripled(all []int) int { return Each(all, func(n int) int { return 3 * n }) }\n\n//go:noinline\nfunc Doubled",
			[]string{"cart.Tripled only in B"}},
		{"a function less", "main.go", "//go:noinline\nfunc show(v fmt.Stringer) string { return v.String() }",
			"type unused struct{}\n\nvar show = fmt.Stringer.String", []string{"main.init only in B through main.show", "main.main through main.show", "main.show only in A"}},
		{"a dependency", "dep/dep.go", "n * 7", "n * 8", []string{"dep.Used"}},
		{"another version of Go in go.mod", "dep/go.mod", "go 1.22", "go 1.21", nil},
		{"a method more of a type in an interface", "cart/cart.go", "func half",
			"func (c *Cart) Error() string { return \"\" }\n\nfunc half",
			[]string{"cart.(*Cart).Error only in B", "main.main through cart.Cart"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := maps.Clone(program)
			if c.from != "" && strings.Count(changed[c.file], c.from) != 1 {
				t.Fatalf("%q is not once in %s", c.from, c.file)
			}
			changed[c.file] = strings.Replace(changed[c.file], c.from, c.to, 1)
			change, err := Program(t.Context(), [2]Side{written(t, program), written(t, changed)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range change.Table.Functions {
				line := f.Name
				if f.Only != "" {
					line += " only in " + f.Only
				}
				if len(f.Through) > 0 {
					line += " through " + strings.Join(f.Through, ", ")
				}
				got = append(got, line)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) || len(change.Table.Hidden) > 0 {
				t.Errorf("got %q, hidden %q; want %q", got, change.Table.Hidden, c.want)
			}
		})
	}
}

// written is a side with some files.
func written(t *testing.T, files map[string]string) Side {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Side{Dir: dir, Targets: []string{"."}}
}
