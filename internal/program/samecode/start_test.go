package samecode

import (
	"slices"
	"strings"
	"testing"
)

// startModule has two functions init and two tables that are filled before main, of which one is used.
var startModule = with(module, "extra.go", `package m

import "os"

var byKey = map[string]int{"a": 1, "b": 2, "c": 3}

var used = map[string]int{"x": 1, "y": 2}

func Used(s string) int { return used[s] }

func init() { limit = len(os.Args) + 40 }
`, "m_test.go", strings.Replace(module["m_test.go"], "var sink any",
	"var sink any\n\nfunc BenchmarkUsed(b *testing.B) { sink = Used(\"x\") }", 1))

// What runs before main and differs is known where it only fills variables. Then a benchmark may differ through those
// variables alone: by functions that use them, or where their data are reached without a function that names them.
func TestWhatOnlyAStartExecutes(t *testing.T) {
	t.Parallel()
	added := func(text string) map[string]string { return with(startModule, "aaa.go", "package m\n\n"+text) }
	edited := func(from, to string) map[string]string {
		if strings.Count(startModule["extra.go"], from) != 1 {
			t.Fatalf("%q is not once in extra.go", from)
		}
		return with(startModule, "extra.go", strings.Replace(startModule["extra.go"], from, to, 1))
	}
	for _, c := range []struct {
		name      string
		changed   map[string]string
		why       string // why it is not known
		variables string
		reads     string // what a benchmark reads where no function shows it
		filled    *Filled
	}{
		{"an init before another one", added("var kept func(int) int\n\nfunc init() { kept = double }\n\n" +
			"func double(n int) int { return 2 * n }\n"), "", "kept", "", nil},
		{"the first init of a package", with(startModule, "dep/dep.go", "package dep\n\nimport \"strings\"\n\nvar kept func(int) int\n\n"+
			"func init() { kept = Unused }\n\nfunc Used(n int) int { return n * 7 }\n\n"+
			"func Unused(n int) int { return n * len(strings.ToUpper(\"a\")) }\n"), "", "kept", "", nil},
		{"a table", edited(`"b": 2`, `"b": 3`), "", "byKey names used", "", nil},
		{"a table by its source", edited(`"b": 2`, `"b": 3`), "", "byKey", "", &Filled{Variables: []string{"byKey"}}},
		{"a table that is used", edited(`"y": 2`, `"y": 3`), "", "used", "", &Filled{Variables: []string{"used"}}},
		{"a table that init changes", added("var more = map[string]int{\"d\": 4}\n\nfunc init() { more[\"e\"] = len(more) }\n"), "",
			"more", "", &Filled{Variables: []string{"more", "other"}}},
		{"a function that is not there", edited(`"b": 2`, `"b": 3`), "none, which", "", "",
			&Filled{Calls: []Symbol{{"example.com/m", "none"}}}},
		{"a regular expression", added("import \"regexp\"\n\nvar word *regexp.Regexp\n\n" +
			"func init() { word = regexp.MustCompile(`\\w+`) }\n"), "", "word", "", nil},
		{"what functions compute", added("var sums []int\n\nfunc init() { sums = squares(9) }\n\n" +
			"//go:noinline\nfunc squares(n int) (all []int) {\n\tfor i := range n {\n\t\tall = append(all, i*i)\n\t}\n\treturn all\n}\n"),
			"", "sums", "", nil},
		{"through a pointer", added("var at = &used\n\nfunc init() { (*at)[\"z\"] = 3 }\n"), "", "at used", "example.com/m.used", nil},
		{"a goroutine", added("var c = 1\n\nfunc init() { go func() { c++ }() }\n"), "runtime.newproc", "", "", nil},
		{"a setting of the collector", added("import \"runtime/debug\"\n\nvar p int\n\nfunc init() { p = debug.SetGCPercent(50) }\n"),
			"runtime/debug.setGCPercent", "", "", nil},
		{"the number of threads", added("import \"runtime\"\n\nvar p int\n\nfunc init() { p = runtime.GOMAXPROCS(1) }\n"),
			"runtime.GOMAXPROCS", "", "", nil},
		{"a finalizer", added("import \"runtime\"\n\nvar p *[9]int\n\nfunc init() { p = new([9]int); runtime.SetFinalizer(p, func(*[9]int) {}) }\n"),
			"runtime.SetFinalizer", "", "", nil},
		{"a call of what a variable holds", added("var f = func() {}\n\nvar g = f\n\nfunc init() { f() }\n"), "hone cannot see", "", "", nil},
		{"a variable of the library", added("import \"net/http\"\n\nfunc init() { http.DefaultClient = nil }\n"),
			"net/http.DefaultClient", "", "", nil},
		{"the environment", edited("len(os.Args) + 40", "len(os.Getenv(\"HOME\"))"), "os.", "", "", nil},
		{"a send", added("var c = make(chan int, 1)\n\nfunc init() { c <- 1 }\n"), "runtime.makechan", "", "", nil},
		{"a lock", added("import \"sync\"\n\nvar mu sync.Mutex\n\nvar n int\n\nfunc init() { mu.Lock(); n++; mu.Unlock() }\n"),
			"sync.", "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			archives := new(Archives)
			binaries := [2]Binary{compiled(t, startModule), compiled(t, c.changed)}
			d, err := archives.Differences(toolchain(t), binaries)
			if err != nil {
				t.Fatal(err)
			}
			s := d.Start(func(Function) *Filled { return c.filled })
			if c.why != "" {
				if !strings.Contains(s.Why, c.why) {
					t.Errorf("known, want %q: %q", c.why, s.Why)
				}
				return
			}
			var variables []string
			for _, v := range s.Variables {
				variables = append(variables, v.Name)
			}
			if got := strings.Join(variables, " "); s.Why != "" || got != c.variables {
				t.Errorf("fills %q, want %q; %s", got, c.variables, s.Why)
			}
			var tasks [2][]string
			for side, b := range binaries {
				r, err := archives.Reachable(toolchain(t), b, nil, s, side)
				if err != nil {
					t.Fatal(err)
				}
				tasks[side] = r.Tasks()
				by := r.By("BenchmarkHot")
				if by.Why != "" || by.Reads != c.reads && side == 1 {
					t.Errorf("side %d: reads %q, want %q; %s", side, by.Reads, c.reads, by.Why)
				}
				for _, f := range []string{"double", "squares"} {
					if by.Functions[Symbol{"example.com/m", f}] {
						t.Errorf("side %d reaches %s", side, f)
					}
				}
			}
			if !slices.Equal(tasks[0], tasks[1]) {
				t.Errorf("initialised: %q and %q", tasks[0], tasks[1])
			}
		})
	}
}

// A package that waits for another import comes later. That matters only if more than its own variables are filled.
func TestPackagesThatComeInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		other string
		want  bool // the order is another one
	}{
		"types and errors": {"import (\n\t\"errors\"\n\t\"reflect\"\n)\n\n" +
			"var E = reflect.TypeOf((*error)(nil)).Elem()\n\nvar F = errors.New(\"f\")\n", false},
		"a registry":   {"import \"flag\"\n\nvar E = flag.Bool(\"e\", false, \"\")\n", true},
		"an interface": {"import \"io\"\n\nvar E, _ = io.EOF.Error(), 0\n", true},
		"types, and a function": {"import \"reflect\"\n\nvar f = func() {}\n\nvar g = &f\n\n" +
			"var E = reflect.TypeOf((*error)(nil)).Elem()\n\nfunc init() { (*g)() }\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n",
				"m.go":   "package m\n\nvar C = make(chan int, 1)\n",
				"z/z.go": "package z\n\n" + c.other,
				"x_test.go": "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n\t\"example.com/m/z\"\n)\n\n" +
					"func BenchmarkX(b *testing.B) { _, _ = m.C, z.E }\n"}
			var tasks [2][]string
			for side, files := range []map[string]string{files, with(files, "m_test.go",
				"package m\n\nimport \"testing\"\n\nfunc TestM(t *testing.T) {}\n")} {
				r, err := new(Archives).Reachable(toolchain(t), compiled(t, files), nil, nil, side)
				if err != nil {
					t.Fatal(err)
				}
				tasks[side] = r.Tasks()
			}
			if got := !slices.Equal(tasks[0], tasks[1]); got != c.want {
				t.Errorf("another order: %v; %q and %q", got, tasks[0], tasks[1])
			}
		})
	}
}
