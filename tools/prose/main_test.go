package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The rule sees what it is for, and nothing else.
func TestWorstTurns(t *testing.T) {
	for text, want := range map[string]bool{
		"pinning is not to be had":                               true,
		"// what is to be\n\t// had here":                        true,
		"TestNobodyThere":                                        true,
		"all the\nsame":                                          true,
		"what is said of it is said":                             true,
		"an order in\n// place of three":                         true,
		"undecided, which is no pass":                            true,
		"put them behind -- in quotes":                           true,
		"what it does beside that":                               true,
		"%q is no label":                                         true,
		"what needs those beside these":                          true,
		"another program in its place":                           true,
		"remove the socket of before":                            true,
		"about 40 s more would tell: -d":                         true,
		"under no line of yours":                                 true,
		"two slices were disturbed by the machine, and are kept": true,
		"it was disturbed by the machine":                        false,
		"there is no file of that name":                          false,
		"(there is no profile)":                                  false,
		"a list of before and after":                             false,
		"it waits behind another":                                false,
		"a test beside the code":                                 false,
		"noBody := true":                                         false,
		"the same for all":                                       false,
		"errors.As(err, &fault)":                                 false,
		"it is said to be fast":                                  false,
	} {
		if got := len(worstIn(text)) > 0; got != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

// What is found is named by file and line. Other kinds of files, hidden directories and the rule itself are not read.
func TestList(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/b.go":              "package b\n\n// It is not to\n// be had, in place of that.\n",
		"docs/c.md":           "Plain words.\n",
		"d.txt":               "Nobody knows.\n",
		".git/e.md":           "Nobody knows.\n",
		"tools/prose/main.go": "// Nobody\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	found, err := list(&out, dir)
	const want = "a/b.go:3: \"to\\n// be had\"\na/b.go:4: \"in place of\"\n"
	if err != nil || found != 2 || out.String() != want {
		t.Errorf("%d turns, %v\n%swant\n%s", found, err, out.String(), want)
	}
}
