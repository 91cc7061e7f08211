package symbol

import "testing"

// The names are those of go1.26 for a program with closures of all kinds, and of older releases where they differ.
func TestNamesOfClosures(t *testing.T) {
	for function, want := range map[string]ClosureName{
		"main.serve.func2":                   {"main.serve", "2", kindLiteral, 1, false},
		"main.serve.func2.1":                 {"main.serve", "2.1", kindLiteral, 2, false},
		"main.serve.gowrap1":                 {"main.serve", "w1", kindCall, 1, false},
		"main.serve.deferwrap12":             {"main.serve", "w12", kindCall, 1, false},
		"main.serve-range1":                  {"main.serve", "r1", kindRange, 1, false},
		"main.serve.func1-range2":            {"main.serve", "1.r2", kindRange, 2, false},
		"main.serve.func1-range2.3":          {"main.serve", "1.r2.3", kindLiteral, 3, false},
		"main.(*T).M.func1":                  {"main.(*T).M", "1", kindLiteral, 1, false},
		"main.(*T).func1.func1":              {"main.(*T).func1", "1", kindLiteral, 1, false},
		"main.(*T[...]).M.func1":             {"main.(*T.M", "1", kindLiteral, 1, false},
		"main.glob..func3":                   {"main.init", "3", kindLiteral, 1, false},
		"main.init.func3":                    {"main.init", "3", kindLiteral, 1, false},
		"main.init.1.func2":                  {"main.init.1", "2", kindLiteral, 1, false},
		"main.main.routes.func10":            {"main.routes", "10", kindLiteral, 1, true},
		"main.main.func3.serve.2":            {"main.serve", "2", kindLiteral, 1, true},
		"main.main.(*T).P.func15":            {"main.(*T).P", "15", kindLiteral, 1, true},
		"main.main.T.V.func14":               {"main.V", "14", kindLiteral, 1, true},
		"main.main.G[go.shape.int].func16":   {"main.G", "16", kindLiteral, 1, true},
		"main.Map[example.com/v2.T].func1.2": {"main.Map", "1.2", kindLiteral, 2, false},
		"main.Sum[...].func1":                {"main.Sum", "1", kindLiteral, 1, false},
		"example.com/a1/b2%2ev2.F.func1":     {"example.com/a1/b2%2ev2.F", "1", kindLiteral, 1, false},
		"net/http.(*http2Server).ServeConn.func1.1": {"net/http.(*http2Server).ServeConn", "1.1", kindLiteral, 2,
			false},
		"main.serve.func2 (server.go:20)":         {"main.serve", "2", kindLiteral, 1, false},
		"main.serve":                              {},
		"main.func1":                              {}, // a function of that name
		"main.(*T).M-fm":                          {},
		"main.(*T).func1":                         {},
		"main.step12":                             {},
		"main.init.0":                             {},
		"runtime.mallocgcSmallScanNoHeaderSC2":    {},
		"type:.eq.main.T1":                        {},
		"[libc.so.6]":                             {},
		"internal/runtime/syscall/linux.Syscall6": {},
		"main.f.func1.funcs":                      {},
	} {
		got, ok := ClosureOf(function)
		if ok != (want.Kind != 0) || ok && got != want {
			t.Errorf("closureOf(%q) = %+v, %v, want %+v", function, got, ok, want)
		}
	}
}

// Whatever the name of a function is.
func FuzzClosureName(f *testing.F) {
	for _, name := range []string{
		"main.f.func1.2-range3", "a/b.c[d.e].func1", "glob..func1", "main.(*T).f",
		"", ".", "..", "a.-range1", "a.b.[.func1", "init.0.1",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if c, ok := ClosureOf(name); ok && (c.Home == "" || c.Path == "" || c.Kind == 0 || c.Depth < 1) {
			t.Errorf("%q is %+v", name, c)
		}
		CFunction(name)
	})
}
