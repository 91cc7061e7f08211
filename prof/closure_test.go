package prof

import (
	"math/rand/v2"
	"testing"
)

func TestClosuresOfAFunctionHaveOneName(t *testing.T) {
	for function, want := range map[string]string{
		"main.serve":                                "main.serve",
		"main.serve.func2.1":                        "main.serve.func*",
		"main.serve.func2":                          "main.serve.func*",
		"main.serve.gowrap1":                        "main.serve.func*",
		"main.serve.deferwrap12":                    "main.serve.func*",
		"main.serve-range1":                         "main.serve.func*",
		"main.serve.func1-range2":                   "main.serve.func*",
		"main.main.serve.func1":                     "main.main.serve.func*",
		"main.main.func3.serve.2":                   "main.main.func*.serve.func*",
		"main.(*T).M-fm":                            "main.(*T).M-fm",
		"main.(*T).M.func1":                         "main.(*T).M.func*",
		"main.glob..func3":                          "main.init.func*",
		"main.init.func3":                           "main.init.func*",
		"main.init.0":                               "main.init",
		"main.init.1.func2":                         "main.init.func*",
		"main.func1":                                "main.func1", // a function of that name
		"main.step12":                               "main.step12",
		"main.sha256.Sum.func1":                     "main.sha256.Sum.func*",
		"example.com/a1/b2%2ev2.F.func1":            "example.com/a1/b2%2ev2.F.func*",
		"main.Map[go.shape.int].func1":              "main.Map[go.shape.int].func*",
		"main.Map[example.com/v2.T].func1.2":        "main.Map[example.com/v2.T].func*",
		"runtime.mallocgcSmallScanNoHeaderSC2":      "runtime.mallocgcSmallScanNoHeaderSC2",
		"type:.eq.main.T1":                          "type:.eq.main.T1",
		"[libc.so.6]":                               "[libc.so.6]",
		"main.f.funcs.func1":                        "main.f.funcs.func*",
		"main.Sum[...].func1":                       "main.Sum[...].func*",
		"internal/runtime/syscall/linux.Syscall6":   "internal/runtime/syscall/linux.Syscall6",
		"net/http.(*http2Server).ServeConn.func1.1": "net/http.(*http2Server).ServeConn.func*",
	} {
		if got := canonical(function); got != want {
			t.Errorf("canonical(%q) = %q, want %q", function, got, want)
		}
	}
}

// A closure more makes func2 of func1 and gowrap2 of gowrap1, and another release names
// inner closures differently: only the closures together are a function that changed.
func TestDiffIsNotMisledByTheNumbersOfClosures(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	a := program{"other": 30, "serve.func1": 20, "serve.func2.1": 20, "serve.gowrap1": 20, "init.func1": 20}.captures(rng, 5, 10_000, 0)
	b := program{"other": 30, "serve.func1": 15, "serve.func2": 20, "serve.func3.1": 20, "serve.gowrap2": 20, "glob..func4": 20}.captures(rng, 5, 10_000, 0)
	changed := diffOf(t, a, b, DiffOptions{}).Changed()
	if len(changed) != 1 || changed[0].Function != "main.serve.func*" || changed[0].Word != Dearer {
		t.Errorf("%+v, want the closures of serve alone", changed)
	}
	// A closure that is the only one keeps its name.
	same := program{"serve.func1": 20}
	d := diffOf(t, same.captures(rng, 2, 10_000, 0), same.captures(rng, 2, 10_000, 0), DiffOptions{})
	for _, r := range d.Rows {
		if r.Function == "main.serve.func*" {
			t.Errorf("%+v, want its own name", r)
		}
	}
}

// Whatever the name: to find the canonical one twice is to find it once.
func FuzzCanonical(f *testing.F) {
	for _, name := range []string{"main.f.func1.2-range3", "a/b.c[d.e].func1", "glob..func1", "main.(*T).f", "", ".", "..", "a.-range1", "a.b.[.func1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		once := canonical(name)
		if twice := canonical(once); twice != once {
			t.Errorf("%q becomes %q, and that %q", name, once, twice)
		}
		cFunction(name)
	})
}
