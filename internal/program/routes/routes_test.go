package routes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseFindsWhatRoutersAreTold(t *testing.T) {
	const source = `package main
import ("net/http"; "example.com/m/api")
func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/", home)
	mux.HandleFunc("GET /items", items)
	mux.HandleFunc("POST /orders", order)
	mux.HandleFunc("GET /items/{id}", item)
	mux.Handle("/exact/{$}", h)
	r.Get("/chi", h)
	r.Post("/posted", h)
	e.GET("/echo", h)
	g.Method("GET", "/method", h)
	g.Method("PUT", "/put", h)
	m.Path("/gorilla").Handler(h)
	r.Get("/users/:id", h)
	values.Get("/no-route")
	log.Print("/text", "x")
	http.HandleFunc("example.com/host", h)
	mux.HandleFunc("/bad\r\nX: y", h)
	http.HandleFunc(api.Path, h)
}`
	found, imports := Parse("main.go", []byte(source))
	if want := []string{"/items", "/exact/", "/chi", "/echo", "/method", "/gorilla"}; !slices.Equal(found.Paths, want) {
		t.Errorf("paths %q, want %q", found.Paths, want)
	}
	if want := []string{"net/http", "example.com/m/api"}; !slices.Equal(imports, want) {
		t.Errorf("imports %q, want %q", imports, want)
	}
	stub, _ := Parse("x_grpc.pb.go",
		[]byte("package x\nconst a = \"/hello.Greeter/SayHello\"\nvar b = \"/not/a-method\"\nvar c = \"/plain\""))
	if want := []string{"/hello.Greeter/SayHello"}; !slices.Equal(stub.Methods, want) || stub.Paths != nil {
		t.Errorf("stub %+v, want methods %q", stub, want)
	}
}

// Routes often stand in packages of the same module, and only those are read.
func TestInFollowsTheModule(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"cmd/app/main.go":      "package main\nimport \"m.example/m/web\"\nfunc main() { web.Serve(); get(\"/main\", nil) }",
		"cmd/app/main_test.go": "package main\nfunc x() { get(\"/test\", nil) }",
		"web/web.go":           "package web\nimport (\"m.example/m/cmd/app\"; \"m.example/m/gone\"; \"other.example/y\")\nfunc Serve() { r.GET(\"/web\", h); r.GET(\"/main\", h) }",
		"unused/unused.go":     "package unused\nfunc f() { r.GET(\"/unused\", h) }",
		"web/broken.go":        "package web\nfunc {",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := In(Program{Dir: filepath.Join(root, "cmd", "app"), Package: "m.example/m/cmd/app",
		Module: "m.example/m"}).Paths
	if want := []string{"/main", "/web"}; !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	if got := In(Program{Dir: filepath.Join(root, "none")}); got.Paths != nil || got.Methods != nil {
		t.Errorf("found %+v in a directory that is not there", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("package p\nfunc f() { mux.HandleFunc(\"GET /x\", h) }")
	f.Add("package p\nvar a = get(\"/\\x00\", 1)")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := Parse("a.go", []byte(text))
		for _, p := range found.Paths {
			if !strings.HasPrefix(p, "/") || strings.ContainsAny(p, " \r\n\t{}") {
				t.Errorf("%q is not a path that can be asked for", p)
			}
		}
	})
}

// A path with a parameter is known to be there, and not asked for.
func TestPathsWithParameters(t *testing.T) {
	for text, want := range map[string]bool{
		`http.HandleFunc("GET /items/{id}", f)`: true, `r.GET("/items/:id", f)`: true,
		`r.Handle("/files/*path", f)`:    true,
		`http.HandleFunc("/metrics", f)`: false, `log.Print("a {b}", f)`: false,
	} {
		found, _ := Parse("a.go", []byte("package a\nfunc g() { "+text+" }"))
		if found.Parameters != want {
			t.Errorf("%s: %v", text, found.Parameters)
		}
	}
}
