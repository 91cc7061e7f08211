// Package hinttest checks the hints in a program's source: the flags and commands that they name exist.
package hinttest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// ofOthers are flags that a hint names together with the command they belong to, or that are
// of another program.
var ofOthers = regexp.MustCompile(
	`git [a-z -]*--[a-z-]+|systemd-run( --[a-z]+)+|hone load TARGET --fail-if|(hone [a-z]+( [a-z]+)? )--[a-z-]+`)

// command is a command of hone with what follows it, up to the next part of a sentence.
var command = regexp.MustCompile(`\bhone ([a-z]+(?: [a-z]+)?)[^;,:()]*`)

var flagWord = regexp.MustCompile(`(?:^|[\s(])--([a-z][a-z0-9-]*)`)

// Check wants each flag that a hint in the Go files below dirs names, with two dashes, to be one of
// the command that the hint names with it. A flag without a command must belong to one of the
// commands whose users read the hint: printedBy gives their names for the directory of the file;
// nil stands for any command. An extension's root is named hone-NAME. It returns the number of hints.
func Check(t *testing.T, root *cobra.Command, printedBy func(dir string) []string, dirs ...string) (hints int) {
	t.Helper()
	find := func(words []string) *cobra.Command {
		if name, found := strings.CutPrefix(root.Name(), "hone-"); found {
			if words[0] != name {
				return nil
			}
			words = words[1:]
		}
		cmd, _, err := root.Find(words)
		if err != nil || cmd == root {
			return nil // a sentence about hone, or a command of another program
		}
		return cmd
	}
	for _, dir := range dirs {
		eachHint(t, dir, func(where, hint string) {
			hints++
			for _, m := range command.FindAllStringSubmatch(hint, -1) {
				if cmd := find(strings.Fields(m[1])); cmd != nil {
					WantFlags(t, where, m[0], cmd)
				}
			}
			rest := ofOthers.ReplaceAllString(hint, "")
			names := printedBy(filepath.ToSlash(filepath.Dir(where)))
			if names == nil {
				WantFlags(t, where, rest, allCommands(root)...)
			}
			for _, name := range names {
				cmd, _, err := root.Find([]string{name})
				if err != nil {
					t.Fatal(err)
				}
				WantFlags(t, where+", as hone "+name+" shows it", rest, cmd)
			}
		})
	}
	return hints
}

// WantFlags wants every long flag of a text in one of the commands.
func WantFlags(t *testing.T, where, text string, commands ...*cobra.Command) {
	t.Helper()
	for _, m := range flagWord.FindAllStringSubmatch(text, -1) {
		known := m[1] == "help" || m[1] == "layouts" || // whose hints come only to those who gave it
			slices.ContainsFunc(commands, func(c *cobra.Command) bool {
				return c.Flags().Lookup(m[1]) != nil || c.InheritedFlags().Lookup(m[1]) != nil
			})
		if !known {
			t.Errorf("%s: %q names --%s, which is not a flag there", where, text, m[1])
		}
	}
}

func allCommands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, allCommands(sub)...)
	}
	return all
}

// eachHint calls f for the literal text of every WithHint in the Go files below dir.
func eachHint(t *testing.T, dir string, f func(where, hint string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "WithHint" {
				if text := textOf(call.Args[0]); text != "" {
					f(fmt.Sprintf("%s:%d", path, set.Position(call.Pos()).Line), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// textOf is the text of a string literal, or of a sum of them.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	}
	return ""
}
