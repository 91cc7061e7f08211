package rewrite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

const perCall = `package main

import "regexp"

func isWord(text string) bool {
	return regexp.MustCompile("^[a-z]+$").MatchString(text)
}

func main() { println(isWord("a")) }
`

// layOut writes the files of a module.
func layOut(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files["go.mod"] = "module example.com/x\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func apply(t *testing.T, dir string, p Place) (*Change, error) {
	t.Helper()
	return For("compile-per-call").Apply(t.Context(), Options{Module: dir}, p)
}

func TestWhatIsNotTheUsersIsRefused(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1") // which takes no C compiler where nothing is compiled
	cgo := strings.Replace(perCall, "import \"regexp\"",
		"// int one(void) { return 1; }\nimport \"C\"\nimport \"regexp\"", 1)
	dir := layOut(t, map[string]string{
		"main.go": perCall, "vendor/example.com/v/v.go": perCall, "main_test.go": perCall,
		"c/main.go": cgo, "other/main_plan9.go": perCall, "other/main.go": "package main\n\nfunc main() {}\n",
		"nested/main.go": perCall, "nested/go.mod": "module example.com/nested\n",
		"lines/main.go": strings.Replace(perCall, "func isWord", "//line x.y:1\nfunc isWord", 1),
	})
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "outside.go"), []byte(perCall), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(layOut(t, map[string]string{"main.go": perCall}), filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]Place{
		"outside of the module":            {File: "../outside.go", Line: 6},
		"cannot be reached within":         {File: "linked/main.go", Line: 6},
		"is vendored":                      {File: "vendor/example.com/v/v.go", Line: 6},
		"is a test":                        {File: "main_test.go", Line: 6},
		"it uses cgo":                      {File: "c/main.go", Line: 8},
		"its build tags leave it out":      {File: "other/main_plan9.go", Line: 6},
		"not of the module":                {File: "nested/main.go", Line: 6},
		"has line directives":              {File: "lines/main.go", Line: 6},
		"there is no such file":            {File: "gone.go", Line: 6},
		"here is isWord, not main.other":   {File: "main.go", Line: 6, Function: "main.other"},
		"there is no function here":        {File: "main.go", Line: 3},
		"has no call of a constructor":     {File: "main.go", Line: 9, Function: "main.main"},
		"there is no function here: the s": {File: "main.go", Line: 100},
	} {
		_, err := apply(t, dir, p)
		var refusal *Refusal
		if !errors.As(err, &refusal) || fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", p, err, want)
		}
	}
	if _, err := apply(t, dir, Place{File: "main.go", Line: 6, Function: "main.isWord.func1"}); err != nil {
		t.Errorf("a literal in the function: %v", err)
	}
	if For("nothing") != nil {
		t.Error("there is a rewrite for a rule that is none")
	}
}

func TestWhatDoesNotCompileIsNotRewritten(t *testing.T) {
	dir := layOut(t, map[string]string{"main.go": strings.Replace(perCall, "println(", "undefined(", 1)})
	if _, err := apply(t, dir, Place{File: "main.go", Line: 6}); fail.ExitCode(err) != int(fail.BadInput) ||
		!strings.Contains(err.Error(), "undefined") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := For("compile-per-call").Apply(ctx, Options{Module: dir},
		Place{File: "main.go", Line: 6}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A file that is not formatted keeps its form, and its line ends.
func TestAFileThatIsNotFormattedKeepsItsForm(t *testing.T) {
	odd := strings.ReplaceAll(strings.Replace(perCall, "func main() {", "func   main()  {", 1), "\n", "\r\n")
	dir := layOut(t, map[string]string{"main.go": odd})
	change, err := apply(t, dir, Place{File: "main.go", Line: 6})
	if err != nil {
		t.Fatal(err)
	}
	if after := string(change.Files[0].After); !strings.Contains(after, "func   main()  {") ||
		!strings.Contains(after, "isWordPattern.MatchString(text)\r\n") {
		t.Errorf("%q", after)
	}
}

func TestBuildTagsAreThoseOfTheRun(t *testing.T) {
	tagged := strings.Replace(perCall, "package main", "//go:build fast\n\npackage main", 1)
	dir := layOut(t, map[string]string{"main.go": "package main\n\nimport \"regexp\"\n\nfunc main() { regexp.MustCompile(word) }\n", "fast.go": "//go:build fast\n\npackage main\n\nconst word = \"a\"\n", "x.go": tagged})
	_, err := For("compile-per-call").Apply(t.Context(), Options{Module: dir, Flags: []string{"-tags=none"}},
		Place{File: "main.go", Line: 5})
	if err == nil || !strings.Contains(err.Error(), "word") {
		t.Errorf("without the tag: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "x.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := For("compile-per-call").Apply(t.Context(), Options{Module: dir, Flags: []string{"-tags=fast"}},
		Place{File: "main.go", Line: 5}); err != nil {
		t.Errorf("with the tag: %v", err)
	}
}

const wordTest = `package main

import "testing"

func TestIsWord(t *testing.T) {
	if !isWord("a") || isWord("1") {
		t.Error("isWord")
	}
}
`

func TestCheckOfAChange(t *testing.T) {
	dir := layOut(t, map[string]string{"main.go": perCall, "main_test.go": wordTest})
	change, err := apply(t, dir, Place{File: "main.go", Line: 6})
	if err != nil {
		t.Fatal(err)
	}
	proof, err := change.Check(t.Context())
	if err != nil || !proof.Tested {
		t.Fatalf("%+v, %v", proof, err)
	}
	right := change.Files[0].After
	change.Files[0].After = []byte(strings.Replace(string(right), "^[a-z]", "^[0-9]", 1))
	if _, err := change.Check(t.Context()); fail.ExitCode(err) != int(fail.Subject) ||
		!strings.Contains(err.Error(), "TestIsWord") {
		t.Errorf("a wrong change: %v", err)
	}
	change.Files[0].After = []byte(strings.Replace(string(right), "isWordPattern.", "isWordPatern.", 1))
	if _, err := change.Check(t.Context()); fail.ExitCode(err) != int(fail.Subject) || !strings.Contains(err.Error(), "undefined") {
		t.Errorf("a change that does not compile: %v", err)
	}
	change.Files[0].After = right
	if err := os.WriteFile(filepath.Join(dir, "main_test.go"),
		[]byte(strings.Replace(wordTest, `isWord("1")`, `isWord("b")`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if proof, err := change.Check(t.Context()); err != nil || proof.Tested ||
		!strings.Contains(proof.NotTested, "without the change") {
		t.Errorf("tests that fail anyway: %+v, %v", proof, err)
	}
	if err := os.Remove(filepath.Join(dir, "main_test.go")); err != nil {
		t.Fatal(err)
	}
	if proof, err := change.Check(t.Context()); err != nil || proof.Tested ||
		!strings.Contains(proof.NotTested, "no tests") {
		t.Errorf("no tests: %+v, %v", proof, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.go")); err != nil || string(text) != perCall {
		t.Errorf("the tree was touched: %v", err)
	}
}

func TestWrite(t *testing.T) {
	dir := layOut(t, map[string]string{"main.go": perCall})
	path := filepath.Join(dir, "main.go")
	change, err := apply(t, dir, Place{File: path, Line: 6, Function: "main.isWord"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(perCall+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := change.Write(); fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
		!strings.Contains(err.Error(), "main.go has changed") {
		t.Errorf("over another file: %v", err)
	}
	if err := os.WriteFile(path, []byte(perCall), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := change.Write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != change.Overlay()[path] || !strings.Contains(string(text), "var isWordPattern") {
		t.Errorf("%s, %v", text, err)
	}
}
