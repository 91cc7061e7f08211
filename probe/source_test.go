package probe

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func parseSource(t *testing.T, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, Sources()[name], parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The injected files share a package with a stranger's program: none of their names may
// be one that a program would choose.
func TestSourcesClaimOnlyTheirOwnNames(t *testing.T) {
	for name := range Sources() {
		checkNames(t, parseSource(t, name))
	}
}

func checkNames(t *testing.T, file *ast.File) {
	t.Helper()
	if file.Name.Name != "main" {
		t.Errorf("package %s, want main", file.Name.Name)
	}
	own := func(name string) {
		if !strings.HasPrefix(name, "honeProbe") {
			t.Errorf("name %s: want the prefix honeProbe", name)
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "init" {
				own(d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ImportSpec:
					if s.Name == nil {
						t.Errorf("import %s: want a name with the prefix honeProbe", s.Path.Value)
						continue
					}
					own(s.Name.Name)
				case *ast.TypeSpec:
					own(s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						own(n.Name)
					}
				}
			}
		}
	}
}

// A program may be built by any Go since 1.16 (runtime/metrics): every function, type
// and constant that the probe takes from the library must be listed in the files that
// Go keeps of its past interfaces. The flight recorder is compiled from Go 1.25 on.
func TestSourcesUseOnlyOldLibrary(t *testing.T) {
	checkLibrary(t, "probe.go", 16, 30)
	checkLibrary(t, "flight.go", 25, 4)
	checkLibrary(t, "flight_none.go", 16, 0)
}

// checkLibrary wants at least so many uses of the library, none of them younger than
// Go 1.last.
func checkLibrary(t *testing.T, name string, last, uses int) {
	t.Helper()
	api := readAPI(t, last)
	file := parseSource(t, name)
	paths := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(path, "net/http") {
			t.Errorf("import %s: it registers handlers in the program", path)
		}
		paths[spec.Name.Name] = path
	}
	seen := 0
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok || paths[pkg.Name] == "" {
			return true
		}
		seen++
		if name := paths[pkg.Name] + "." + sel.Sel.Name; !api[name] {
			t.Errorf("%s is not in Go 1.%d", name, last)
		}
		return true
	})
	if seen < uses {
		t.Errorf("saw %d uses of the library: the test looks at the wrong thing", seen)
	}
}

// readAPI returns path.Name for every package-level name up to go1.last.
func readAPI(t *testing.T, last int) map[string]bool {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	api := map[string]bool{}
	for minor := 0; minor <= last; minor++ {
		name := "go1." + strconv.Itoa(minor) + ".txt"
		if minor == 0 {
			name = "go1.txt"
		}
		f, err := os.Open(filepath.Join(strings.TrimSpace(string(root)), "api", name))
		if err != nil {
			t.Skipf("this Go installation carries no api files: %v", err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			// pkg os, func Getenv(string) string
			words := strings.Fields(lines.Text())
			if len(words) < 4 || words[0] != "pkg" || !strings.HasSuffix(words[1], ",") {
				continue
			}
			name, _, _ := strings.Cut(words[3], "(")
			api[strings.TrimSuffix(words[1], ",")+"."+strings.TrimSuffix(name, ",")] = true
		}
		f.Close()
	}
	return api
}

func TestQuoteIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		var reply honeProbeReply
		honeProbeQuote(&reply.body, s)
		var back string
		if err := json.Unmarshal(reply.body.Bytes(), &back); err != nil {
			t.Fatalf("%q: %v", reply.body.String(), err)
		}
		if want := string([]rune(s)); back != want {
			t.Fatalf("%q came back as %q", want, back)
		}
	})
}

func TestFloatIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		text := honeProbeFloat(f)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			text = strings.Trim(text, `"`)
			back, err := strconv.ParseFloat(text, 64)
			if err != nil || back != f && !math.IsNaN(f) {
				t.Fatalf("%v was written as %s", f, text)
			}
			return
		}
		var back float64
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != f {
			t.Fatalf("%v was written as %s and came back as %v: %v", f, text, back, err)
		}
	})
}

// FuzzRead: whatever comes in, the answer is a request for an absolute path or a
// refusal with a client error, and no more than the limit is read.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"GET /ping HTTP/1.0\r\n\r\n",
		"GET /pprof/cpu?seconds=0.5 HTTP/1.1\r\nHost: probe\r\nUser-Agent: curl/8\r\n\r\n",
		"GET /rates?block=1&&mutex=&=3 HTTP/1.1\n\n",
		"POST /gc HTTP/1.1\r\n\r\n", "\r\n\r\n", "GET http://probe/ping HTTP/1.1\r\n\r\n", "GET /%2e HTTP/1.1\r\n\r\n",
		"GET / HTTP/2.0\r\n\r\n", "GET  /ping HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02", "GET /ping HTTP/1.0\r\nX: " + strings.Repeat("a", honeProbeMaxRequest),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		from := strings.NewReader(in)
		request, reply := honeProbeRead(from)
		if read := len(in) - from.Len(); read > honeProbeMaxRequest {
			t.Errorf("read %d bytes of a request", read)
		}
		switch {
		case reply == nil && !strings.HasPrefix(request.path, "/"):
			t.Errorf("path %q accepted", request.path)
		case reply == nil:
			request.honeProbeGet("seconds", "30")
		case reply.status < 400 || reply.status > 499 || reply.body.Len() == 0:
			t.Errorf("refused with %d %q", reply.status, reply.body.String())
		}
	})
}

// The file for builds with counters is of package main, and no line keeps it out of them.
func TestCountersSourceIsOfPackageMain(t *testing.T) {
	if text := CountersSource(); !strings.HasPrefix(text, "package main\n") || strings.Contains(text, "//go:build") {
		t.Errorf("it begins with %.80q", text)
	}
}
