package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// terminalFiles are the files that may touch standard output and error, or the handles
// without a filter, with the reason. All else writes to the app's stdout and stderr, which let no
// control character through.
var terminalFiles = map[string]string{
	"cmd/hone/main.go":                  "gives them to the app",
	"cmd/hone-metrics/main.go":          "gives them to extension.Main, which puts the filter in front of them",
	"cmd/hone-agent/main.go":            "gives them to extension.Main, which puts the filter in front of them",
	"cmd/hone-agent/coordinate.go":      "standard input",
	"cmd/hone-share/main.go":            "gives them to extension.Main, which puts the filter in front of them",
	"cmd/hone-sign/main.go":             "gives them to extension.Main, which puts the filter in front of them",
	"cmd/hone/internal/app/terminal.go": "puts the filter in front of them, and hands them to what draws",
}

// ownPrinters are functions that print to standard output or error by themselves.
var ownPrinters = map[string][]string{
	"fmt": {"Print", "Printf", "Println"},
	"log": {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Default"},
}

// Text from outside would steer the terminal if a file wrote past the filter.
func TestOneWayToTheTerminal(t *testing.T) {
	checked := 0
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		if strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "services/") ||
			strings.HasSuffix(rel, "test/promtest.go") || strings.HasPrefix(rel, "internal/testkit/") {
			return
		}
		if terminalFiles[rel] != "" {
			checked++
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if why := pastTheFilter(n); why != "" {
				t.Errorf("%s: %s: write to the app's stdout or stderr, or draw by a function of cmd/hone/internal/app/terminal.go",
					fset.Position(n.Pos()), why)
			}
			return true
		})
	})
	if checked != len(terminalFiles) {
		t.Errorf("saw %d of the files in terminalFiles: take those out that are gone", checked)
	}
}

// pastTheFilter says how a piece of code reaches the terminal past the filter, or nothing.
func pastTheFilter(n ast.Node) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		name := n.Sel.Name
		pkg, ok := n.X.(*ast.Ident)
		switch {
		case name == "unfiltered":
			return "unfiltered output"
		case ok && (pkg.Name == "os" || pkg.Name == "syscall") && (name == "Stdout" || name == "Stderr"):
			return pkg.Name + "." + name
		case ok && slices.Contains(ownPrinters[pkg.Name], name):
			return pkg.Name + "." + name
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
			return f.Name
		}
	}
	return ""
}

// The rule sees what it is for, and nothing else.
func TestPastTheFilter(t *testing.T) {
	for code, want := range map[string]string{
		`fmt.Fprintln(os.Stdout, "x")`:       "os.Stdout",
		`log.Fatal("x")`:                     "log.Fatal",
		`fmt.Println("x")`:                   "fmt.Println",
		`println("x")`:                       "println",
		`a.unfiltered.stderr.Write(nil)`:     "unfiltered output",
		`syscall.Write(syscall.Stdout, nil)`: "syscall.Stdout",
		`fmt.Fprintln(a.stdout, "x")`:        "",
		`cmd.Stdout.Write(nil)`:              "",
	} {
		e, err := parser.ParseExpr(code)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		ast.Inspect(e, func(n ast.Node) bool {
			got += pastTheFilter(n)
			return true
		})
		if got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
