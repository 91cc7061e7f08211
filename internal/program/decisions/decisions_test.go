package decisions

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Two versions of a package are compiled by the go command in PATH, and one function is asked about.
func TestDecisionsOfTwoBuilds(t *testing.T) {
	const add = "package cart\n\ntype Cart struct{ items [64]int; total int }\n\n" +
		"func (c *Cart) Add(i, n int) int {\n\tc.items[i&7] += n\n\tc.total += n\n"
	const long = "\tif c.total > 1<<40 {\n\t\tc.total = c.total>>3 ^ c.items[2]*3 + c.items[3]*5 ^ c.items[4]\n" +
		"\t\tc.items[5], c.items[6] = c.items[6]-1, c.items[5]+1\n\t\tc.items[7] = c.items[5] ^ c.items[4]>>2\n\t}\n"
	const use = "\treturn c.total\n}\n\nfunc Sum(c *Cart, n int) (s int) {\n\tfor i := range n {\n\t\ts += c.Add(i, n)\n\t}\n" +
		"\treturn s\n}\n"
	for _, test := range []struct {
		name, a, b string
		asked      string
		want       []string // each is in the text of one change, in order; "+" for one that makes it dearer
	}{
		{"cost over the limit", add + use, add + long + use, "cart.Sum",
			[]string{"+cart.(*Cart).Add is no longer inlined in cart.Sum (cost ", ", limit 80)"}},
		{"the function itself is asked", add + use, add + long + use, "cart.(*Cart).Add",
			[]string{"+cart.(*Cart).Add is no longer inlined in cart.Sum (cost "}},
		{"and back", add + long + use, add + use, "cart.Sum", []string{"-cart.(*Cart).Add is now inlined in cart.Sum (cost ",
			", limit 80)"}},
		{"a reason that is no cost", add + use, strings.Replace(add, "func (c", "//go:noinline\nfunc (c", 1) + use,
			"cart.Sum", []string{"+cart.(*Cart).Add is no longer inlined in cart.Sum (marked go:noinline)"}},
		{"a statement", add + use, strings.Replace(add, "\tc.total += n", "\tdefer func() { c.total += n }()", 1) + use,
			"cart.Sum", []string{"+cart.(*Cart).Add is no longer inlined in cart.Sum (it has a statement defer)"}},
		{"a method of a value", "package p\ntype T int\nfunc (t T) Half() int { return int(t) / 2 }\n" +
			"func Use(t T) int { return t.Half() }\n", "package p\ntype T int\n//go:noinline\n" +
			"func (t T) Half() int { return int(t) / 2 }\nfunc Use(t T) int { return t.Half() }\n", "p.Use",
			[]string{"+p.T.Half is no longer inlined in p.Use (marked go:noinline)"}},
		{"a value escapes", "package p\n\nfunc F(n int) int {\n\tx := n\n\treturn use(&x)\n}\n\nfunc use(p *int) int { return *p }\n",
			"package p\n\nvar last *int\n\nfunc F(n int) int {\n\tx := n\n\tlast = &x\n\treturn use(&x)\n}\n\n" +
				"func use(p *int) int { return *p }\n", "p.F", []string{"+x at p.go:6 now escapes"}},
		{"through a call", "package p\n\nimport \"fmt\"\n\nfunc F(n int) string {\n\t_ = fmt.Sprint\n\treturn \"\"\n}\n",
			"package p\n\nimport \"fmt\"\n\nfunc F(n int) string {\n\treturn fmt.Sprintf(\"%d\", n)\n}\n", "p.F",
			[]string{"+n at p.go:6 now escapes: fmt.Sprintf"}},
		{"no longer", "package p\n\nvar last []byte\n\nfunc F(n int) int {\n\tb := make([]byte, n)\n\tlast = b\n\treturn len(b)\n}\n",
			"package p\n\nfunc F(n int) int {\n\tb := make([]byte, 64)\n\treturn len(b) + cap(b)\n}\n", "p.F",
			[]string{"-make([]byte, n) at p.go:6 no longer escapes"}},
		{"through an inlined call", "package p\n\nimport \"errors\"\n\nvar e = errors.New(\"e\")\n\nfunc F(n int) error {\n\tif n < 0 {\n" +
			"\t\treturn e\n\t}\n\treturn nil\n}\n", "package p\n\nimport \"fmt\"\n\nfunc F(n int) error {\n\tif n < 0 {\n" +
			"\t\treturn fmt.Errorf(\"bad %d\", n)\n\t}\n\treturn nil\n}\n", "p.F",
			[]string{"+n at p.go:7 now escapes: fmt.Errorf\n"}},
		{"two values, and a parameter that leaks between", "package p\n\nvar last any\n\nfunc F(a, b int, c *int) {}\n",
			"package p\n\nimport \"fmt\"\n\nvar last any\n\nfunc F(a, b int, c *int) {\n\tlast = a\n\tset(c, c)\n" +
				"\tfmt.Println(a, b)\n}\n\n//go:noinline\nfunc set(c, d *int) { last = c; fmt.Println(d) }\n", "p.F",
			[]string{"+a at p.go:8 now escapes\n", "+a, b at p.go:10 now escape: fmt.Println\n"}},
		{"a size that is not constant", "package p\n\nconst most = 64\n\nfunc F() (n int) {\n\tb := make([]byte, most)\n" +
			"\tfor i := range b {\n\t\tn += int(b[i])\n\t}\n\treturn n\n}\n",
			"package p\n\nvar most = 64\n\nfunc F() (n int) {\n\tb := make([]byte, most)\n" +
				"\tfor i := range b {\n\t\tn += int(b[i])\n\t}\n\treturn n\n}\n", "p.F",
			[]string{"+make([]byte, most) at p.go:6 now escapes (variable size over 32 B)\n"}},
		{"bounds", "package p\n\nfunc F(a, b []int) (s int) {\n\tb = b[:len(a)]\n\tfor i := range a {\n\t\ts += a[i] * b[i]\n\t}\n\treturn s\n}\n",
			"package p\n\nfunc F(a, b []int) (s int) {\n\tb = b[:len(a)]\n\tfor i := range a {\n\t\ts += a[i] * b[i] * b[s&3] * b[s&7]\n\t}\n\treturn s\n}\n",
			"p.F", []string{"+1 bounds check more in p.F (p.go:6)"}},
		{"a generic function", "package p\n\nfunc Max[T int | string](a, b T) T {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\n" +
			"func Use(a, b int, s, t string) int { return Max(a, b) + len(Max(s, t)) }\n",
			"package p\n\n//go:noinline\nfunc Max[T int | string](a, b T) T {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\n" +
				"func Use(a, b int, s, t string) int { return Max(a, b) + len(Max(s, t)) }\n", "p.Use",
			[]string{"+p.Max is no longer inlined in p.Use (marked go:noinline)"}},
		{"nothing of it", add + use, add + use + "\nfunc More() *Cart { return new(Cart) }\n", "cart.Sum", nil},
		{"lines moved", add + use, strings.Replace(add, "type", "// A cart.\ntype", 1) + use, "cart.(*Cart).Add", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := Builds{A: compiled(t, test.a), B: compiled(t, test.b)}
			var texts string
			for _, c := range b.Of(test.asked) {
				texts += map[bool]string{true: "+", false: "-"}[c.Dearer] + c.Text + "\n"
			}
			for _, want := range test.want {
				if !strings.Contains(texts, want) {
					t.Errorf("%q is not in\n%s", want, texts)
				}
			}
			if test.want == nil && texts != "" {
				t.Errorf("no decision differs, got\n%s", texts)
			}
		})
	}
}

// compiled is what the compiler decided about a package of one file.
func compiled(t *testing.T, source string) Listing {
	t.Helper()
	dir, name := t.TempDir(), strings.Fields(source)[1]
	write(t, filepath.Join(dir, "go.mod"), "module example.com/"+name+"\n\ngo 1.23\n")
	write(t, filepath.Join(dir, name+".go"), source)
	cmd := exec.Command("go", "build", "-gcflags="+Flags, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+dir, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return Parse(string(out), "")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The lines are those of go1.26 with -pgo.
func TestAProfileIsTheReason(t *testing.T) {
	const before = `# example.com/shop/cart
cart/cart.go:10:6: cannot inline (*Cart).Add: function too complex: cost 88 exceeds budget 80
# example.com/shop
./main.go:10:6: cannot inline work: function too complex: cost 234 exceeds budget 80
`
	const after = `# example.com/shop/cart
hot-node enabled increased budget=2000 for func=example.com/shop/cart.(*Cart).Add
cart/cart.go:10:6: can inline (*Cart).Add with cost 88 as: method(*Cart) func(int, int) int { return 0 }
# example.com/shop
./main.go:10:6: cannot inline work: function too complex: cost 222 exceeds budget 80
hot-budget check allows inlining for call example.com/shop/cart.(*Cart).Add (cost 88) at ./main.go:14:13 in function example.com/shop.work
./main.go:14:13: inlining call to cart.(*Cart).Add
./main.go:16:9: PGO devirtualizing interface call r.Read to (*bytes.Reader).Read
`
	got := Builds{A: Parse(before, "example.com/shop"), B: Parse(after, "example.com/shop")}.Of("main.work")
	want := []Change{
		{Text: "cart.(*Cart).Add is now inlined in main.work (cost 88, over the limit of 80, but a hot call in the profile " +
			"of -pgo: main.go:14)", Callee: "cart.(*Cart).Add"},
		{Text: "the call r.Read in main.work is now direct: (*bytes.Reader).Read (a hot call in the profile of -pgo: " +
			"main.go:16)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// A profile shows that a function is called where the compiler does not say why it is not inlined.
func TestACallThatStays(t *testing.T) {
	const text = "# example.com/p\n./p.go:3:6: can inline leaf with cost 30 as: func() { x() }\n" +
		"./p.go:9:6: cannot inline work: recursive\n"
	b := Builds{A: Parse(text+"./p.go:10:3: inlining call to leaf\n", ""), B: Parse(text, "")}
	if got := b.Of("p.work"); got != nil {
		t.Errorf("the call may be gone from the source, got %+v", got)
	}
	b.Called = func(side int, function string) bool { return side == 1 && function == "p.leaf" }
	want := []Change{{Text: "p.leaf is no longer inlined in p.work", Dearer: true}}
	if got := b.Of("p.work"); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/shop/cart.(*Cart).Add":               "cart.(*Cart).Add",
		"example.com/shop/cart.Cart.Text.func1":           "cart.Cart.Text",
		"main.work.func2.1":                               "main.work",
		"main.(*T).M.deferwrap1":                          "main.(*T).M",
		"example.com/p.Map[go.shape.int,go.shape.string]": "p.Map",
		"example.com/p.Map[...].func1":                    "p.Map",
		"example.com/p.(*Stack[go.shape.int]).Push":       "p.(*Stack).Push",
	} {
		if got := Name(name); got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
	}
}

// Whatever go prints.
func FuzzParse(f *testing.F) {
	f.Add("# example.com/p\n./p.go:3:6: can inline leaf with cost 30 as: func() { x() }\n./p.go:3:6: x escapes to heap in F:\n"+
		"./p.go:3:6:     from f(x) (call parameter) at ./p.go:4:1\n./p.go:3:6: x escapes to heap\n", "example.com/p")
	f.Add("# p [p.test]\nhot-node enabled increased budget=20 for func=.\nhot-budget check allows inlining for call a (cost 1) at "+
		"x.go:1 in function b\nx.go:1:1: Found IsInBounds\nx.go:1: devirtualizing a to b\nx.go:2:1: cannot inline a: r\n", "")
	f.Add("# \nx.go:99999999999999999999:1: moved to heap: x\n.go:1:\n#  \n.go:1:1: cannot inline : : cost\n", "")
	f.Fuzz(func(t *testing.T, text, main string) {
		l := Parse(text, main)
		for name, function := range l {
			if function == nil {
				t.Fatalf("%q has no decisions", name)
			}
			if all := (Builds{A: l, B: l}).Of(name); len(all) > 0 {
				t.Errorf("a build differs from itself: %+v", all)
			}
		}
	})
}
