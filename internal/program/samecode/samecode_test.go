package samecode

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/objfile"
)

// module is one side of most tests.
var module = map[string]string{
	"go.mod":     "module example.com/m\ngo 1.24\nrequire example.com/dep v1.0.0\nreplace example.com/dep => ./dep\n",
	"dep/go.mod": "module example.com/dep\ngo 1.22\n",
	"dep/dep.go": "package dep\n\nfunc Used(n int) int { return n * 7 }\n\nfunc Unused(n int) int { return n * 9 }\n",
	"words.txt":  "one two",
	"table.txt":  "three four",
	"m.go": `package m

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.com/dep"
)

//go:embed words.txt
var words string

//go:embed table.txt
var table []byte

const factor = 3

var limit = 40

var names = map[string]int{"a": 1}

//go:noinline
func Hot(n int) int { return n*factor + 5 }

//go:noinline
func Cold(s string) string { return s + "cold" }

func Words() int { return len(words) + int(words[0]) }

func Table() int { return int(table[1]) }

func Limit(n int) int {
	if n > limit {
		panic(fmt.Sprint("over the limit: ", n))
	}
	return n
}

type Shape interface{ Area() int }

type Square struct{ a int }

func (s Square) Area() int { return s.a * s.a }

func (s Square) String() string { return strconv.Itoa(s.a) }

func (s Square) Double() int { return 2 * s.a }

func Areas(all []Shape) (sum int) {
	for _, s := range all {
		sum += s.Area()
	}
	return sum
}

func Sum[T int | int64](all []T) (sum T) {
	for _, x := range all {
		sum += x
	}
	return sum
}

func Deps(n int) int { return dep.Used(n) }

func Each(f func(int) int) int { return f(3) }

func Closure(n int) int { return Each(func(x int) int { return x + n }) }
`,
	"extra.go": "package m\n",
	"m_test.go": `package m

import (
	"fmt"
	"reflect"
	"testing"
)

var sink any

func BenchmarkHot(b *testing.B) { for i := range b.N { sink = Hot(i) } }
func BenchmarkCold(b *testing.B) { for range b.N { sink = Cold("x") } }
func BenchmarkWords(b *testing.B) { for range b.N { sink = Words() } }
func BenchmarkTable(b *testing.B) { for range b.N { sink = Table() } }
func BenchmarkLimit(b *testing.B) { for range b.N { sink = Limit(3) } }
func BenchmarkShape(b *testing.B) { for range b.N { sink = Areas([]Shape{Square{b.N}}) } }
func BenchmarkPrint(b *testing.B) { for range b.N { sink = fmt.Sprint(Square{b.N}) } }
func BenchmarkReflect(b *testing.B) {
	name := fmt.Sprint("Dou", "ble")
	for range b.N { sink = reflect.ValueOf(Square{b.N}).MethodByName(name).Call(nil) }
}
func BenchmarkSum(b *testing.B) { for range b.N { sink = Sum([]int{1, b.N}) } }
func BenchmarkDeps(b *testing.B) { for range b.N { sink = Deps(b.N) } }
func BenchmarkClosure(b *testing.B) { for range b.N { sink = Closure(b.N) } }
`,
}

const all = "Hot Cold Words Table Limit Shape Print Reflect Sum Deps Closure"

// Each case changes the module on side B, by pairs of an old text and a new one, and names the benchmarks that can run
// something else.
func TestBenchmarksThatReachAChange(t *testing.T) {
	for _, c := range []struct {
		name, file string
		edit       []string
		differ     string
	}{
		{"nothing", "m.go", nil, ""},
		{"a comment above", "m.go", []string{"//go:noinline\nfunc Hot",
			"// Hot is hot.\n// Very.\n\n//go:noinline\nfunc Hot"}, ""},
		{"a new function before", "m.go", []string{"//go:noinline\nfunc Hot",
			"func New(n int) []string { f := func() string { return \"new\" }; return []string{f(), \"b\"} }\n\n//go:noinline\nfunc Hot"}, ""},
		{"a new type with methods and a table", "extra.go",
			[]string{"package m\n",
				"package m\n\ntype T struct{ s []string }\n\nfunc (t *T) Area() int { return len(t.s) }\n\nvar list = []T{{[]string{\"x\"}}}\n\nfunc first() T { return list[0] }\n"}, ""},
		{"a local renamed", "m.go", []string{"(sum int) {\n\tfor _, s := range all {\n\t\tsum += s.Area()",
			"(sum int) {\n\tfor _, one := range all {\n\t\tsum += one.Area()"}, ""},
		{"a new test", "m_test.go", []string{"var sink any",
			"var sink any\n\nfunc TestNew(t *testing.T) {\n\tfor _, c := range []struct{ in, out string }{{\"a\", \"acold\"}} {\n\t\tif Cold(c.in) != c.out {\n\t\t\tt.Errorf(\"%v\", c)\n\t\t}\n\t}\n}"}, ""},
		{"a new benchmark", "m_test.go", []string{"var sink any",
			"var sink any\n\nfunc BenchmarkNew(b *testing.B) { for range b.N { sink = Cold(\"new\") } }"}, ""},
		{"a function", "m.go", []string{`"cold"`, `"kold"`}, "Cold"},
		{"a function that was inlined", "m.go", []string{"int { return f(3) }", "int { return f(4) }"}, "Closure"},
		{"a closure", "m.go", []string{"return x + n", "return x - n"}, "Closure"},
		{"a constant that is inlined", "m.go", []string{"factor = 3", "factor = 7"}, "Hot"},
		{"the value of a variable", "m.go", []string{"limit = 40", "limit = 50"}, "Limit"},
		{"a variable that init fills", "m.go", []string{`{"a": 1}`, `{"a": 2}`}, all},
		{"a method behind an interface", "m.go", []string{"s.a * s.a", "s.a * s.a * 2"}, "Shape Reflect"},
		// package testing calls String of whatever is in an interface,
		{"a method that fmt finds", "m.go", []string{"strconv.Itoa(s.a)", "strconv.Itoa(s.a+1)"},
			"Shape Print Reflect"},
		{"a method that is found by its name", "m.go", []string{"2 * s.a", "4 * s.a"}, "Reflect"},
		{"one method more", "m.go", []string{"func (s Square) Double",
			"func (s Square) Triple() int { return 3 * s.a }\n\nfunc (s Square) Double"}, "Shape Print Reflect"},
		{"a generic function", "m.go", []string{"sum += x", "sum -= x"}, "Sum"},
		{"an embedded text", "words.txt", []string{"one", "six"}, "Words"},
		{"embedded bytes", "table.txt", []string{"three", "seven"}, "Table"},
		{"a new init function", "extra.go", []string{"package m\n", "package m\n\nfunc init() { limit++ }\n"}, all},
		{"a new import that initialises", "extra.go",
			[]string{"package m\n",
				"package m\n\nimport \"net/url\"\n\nfunc parse() (*url.URL, error) { return url.Parse(\"\") }\n"}, all},
		{"a large variable", "extra.go", []string{"package m\n",
			"package m\n\nvar large [1 << 20]*int\n\nfunc at(i int) *int { return large[i] }\n"}, all},
		{"a dependency", "dep/dep.go", []string{"n * 7", "n * 8"}, "Deps"},
		{"a part of a dependency that is not used", "dep/dep.go", []string{"n * 9", "n * 8"}, ""},
		{"the benchmark itself", "m_test.go", []string{"Areas([]Shape{Square{b.N}})",
			"Areas([]Shape{Square{b.N + 1}})"}, "Shape"},
		{"a new TestMain", "m_test.go", []string{"var sink any",
			"var sink any\n\nfunc TestMain(m *testing.M) { m.Run() }"}, all},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := maps.Clone(module)
			for i := 0; i < len(c.edit); i += 2 {
				if strings.Count(changed[c.file], c.edit[i]) != 1 {
					t.Fatalf("%q is not once in %s", c.edit[i], c.file)
				}
				changed[c.file] = strings.Replace(changed[c.file], c.edit[i], c.edit[i+1], 1)
			}
			check(t, module, changed, c.differ)
		})
	}
}

// TestMain lets the builds of these tests use a C compiler where there is one, whatever the environment says of cgo.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("gcc"); err == nil {
		os.Setenv("CGO_ENABLED", "1")
	}
	os.Exit(m.Run())
}

// check compares two modules, and wants the benchmarks to differ that are named, and no others.
func check(t *testing.T, a, b map[string]string, differ string, flags ...string) {
	t.Helper()
	checkAll(t, compareModules(t, a, b, flags...), differ)
}

func checkAll(t *testing.T, c *Both, differ string) {
	t.Helper()
	for _, name := range strings.Fields(all) {
		want := !strings.Contains(" "+differ+" ", " "+name+" ")
		if same, why := c.Same("Benchmark" + name); same != want {
			t.Errorf("%s: the same: %t, want %t (%s)", name, same, want, why)
		}
	}
}

func compareModules(t *testing.T, a, b map[string]string, flags ...string) *Both {
	t.Helper()
	c, err := new(Archives).Compare(toolchain(t), [2]Binary{compiled(t, a, flags...), compiled(t, b, flags...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// compiled is the test binary of a module, not linked.
func compiled(t *testing.T, files map[string]string, flags ...string) Binary {
	t.Helper()
	return compiledIn(t, written(t, files), flags...)
}

func written(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func compiledIn(t *testing.T, dir string, flags ...string) Binary {
	t.Helper()
	cmd := exec.Command("go", append(append(ListArgs[:len(ListArgs):len(ListArgs)], "-trimpath", "-buildvcs=false"),
		append(flags, ".")...)...)
	cmd.Dir, cmd.Stderr = dir, &bytes.Buffer{}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, cmd.Stderr)
	}
	l, err := ReadListing(out)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := l.Tests("example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

func toolchain(t *testing.T) *objfile.Toolchain {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := objfile.ReadToolchain(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// with is a module with some files instead of others.
func with(m map[string]string, files ...string) map[string]string {
	changed := maps.Clone(m)
	for i := 0; i < len(files); i += 2 {
		changed[files[i]] = files[i+1]
	}
	return changed
}

func TestAssembly(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("the assembly of this test is for amd64")
	}
	code := func(n string) map[string]string {
		return with(module, "cold.go",
			"package m\n\nfunc coldNumber() int\n\n//go:noinline\nfunc Cold(s string) int { return coldNumber() + len(s) }\n",
			"m.go", strings.Replace(module["m.go"], "func Cold(", "func oldCold(", 1),
			"cold_amd64.s", "#include \"textflag.h\"\n\nTEXT ·coldNumber(SB),NOSPLIT,$0-8\n\tMOVQ $"+n+
				", ret+0(FP)\n\tRET\n")
	}
	check(t, code("3"), code("3"), "")
	check(t, code("3"), with(code("3"), "extra.go", "package m\n\nfunc more() int { return coldNumber() }\n"), "")
	check(t, code("3"), code("4"), "Cold")
}

func TestCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler gcc: cgo is not tested")
	}
	code := func(n string) map[string]string {
		return with(module, "cold.go", "package m\n\n// int cold(void) { return "+n+
			"; }\nimport \"C\"\n\n//go:noinline\nfunc Cold(s string) int { return int(C.cold()) + len(s) }\n",
			"m.go", strings.Replace(module["m.go"], "func Cold(", "func oldCold(", 1))
	}
	check(t, code("3"), code("3"), "")
	check(t, code("3"), code("4"), all)
	// what a C compiler made is not read
	check(t, code("3"), with(code("3"), "extra.go", "package m\n\nfunc more() int { return 1 }\n"), all)
}

// The build flags are the same on both sides.
func TestBuildFlags(t *testing.T) {
	t.Parallel()
	changed := with(module, "tagged.go", "//go:build extra\n\npackage m\n\nfunc init() { limit++ }\n")
	check(t, module, changed, "")
	check(t, module, changed, all, "-tags=extra")
	cold := with(module, "m.go", strings.Replace(module["m.go"], `"cold"`, `"kold"`, 1))
	check(t, module, cold, "Cold", "-gcflags=-N -l")
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler gcc: -race is not tested")
	}
	check(t, module, cold, "Cold", "-race")
}

// Settings of GODEBUG come from go.mod, and are in no archive.
func TestSettings(t *testing.T) {
	t.Parallel()
	old := with(module, "go.mod", strings.Replace(module["go.mod"], "1.24", "1.22", 1))
	if _, err := new(Archives).Compare(toolchain(t), [2]Binary{compiled(t, old), compiled(t, module)},
		nil); err == nil {
		t.Error("modules of different Go versions count as the same")
	}
}

func TestFilesThatCodeNames(t *testing.T) {
	t.Parallel()
	names := with(module, "extra.go", `package m

import (
	"os"
	"path/filepath"
)

func read(name string) int { text, _ := os.ReadFile(filepath.Join("..", "data", name)); return len(text) }

func glob() int { all, _ := filepath.Glob("fixtures/*.json"); return len(all) + len(os.Getenv("./cmd/tool")) }
`, "m.go", strings.NewReplacer("int { return len(words) + ", `int { return read("words") + len(words) + `, "int { return int(table[1])", "int { return glob() + int(table[1])").Replace(module["m.go"]))
	binary := compiled(t, names)
	for file, differ := range map[string]string{
		"README.md": "", "docs/x.md": "", "ci.yml": "", "other.go": "", "data/numbers": "Words",
		"data/deep/er.txt": "Words", "fixtures/a.json": "Table", "b.json": "Table", "data/code.go": "",
		"cmd/tool/main.go": "Table", "cmd/other/main.go": "",
	} {
		c, err := new(Archives).Compare(toolchain(t), [2]Binary{binary, binary}, []string{file})
		if err != nil {
			t.Fatal(err)
		}
		checkAll(t, c, differ)
	}
}
