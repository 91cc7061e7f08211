package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faultRows is the number of faults that hone promises to survive (docs/faults.md).
const faultRows = 37

// faultRow is a row of the table: "| 3 | fault | what hone does | exit |".
var faultRow = regexp.MustCompile(`(?m)^\| (\d+) \|.*\|$`)

// TestEveryFaultHasItsProof holds the table in docs/faults.md against testdata/faults.txt, and that against the tree:
// all rows are there, and each names the mutation that was tried, and tests and stories that exist.
func TestEveryFaultHasItsProof(t *testing.T) {
	root := repoRoot(t)
	rows := faultRow.FindAllStringSubmatch(readText(t, root, "docs/faults.md"), -1)
	proofs := strings.Split(strings.TrimSpace(readText(t, root, "internal/lint/testdata/faults.txt")), "\n\n")[1:]
	if len(rows) != faultRows || len(proofs) != faultRows {
		t.Fatalf("docs/faults.md has %d rows, testdata/faults.txt has %d, want %d", len(rows), len(proofs), faultRows)
	}
	for i, text := range proofs {
		lines := strings.Split(text, "\n")
		row, mutation, _ := strings.Cut(lines[0], " ")
		if row != fmt.Sprint(i+1) || rows[i][1] != row {
			t.Fatalf("row %s of the document and %s of the proofs at place %d: the rows are 1 to %d in order",
				rows[i][1], row, i+1, faultRows)
		}
		if strings.TrimSpace(mutation) == "" {
			t.Errorf("row %s names no mutation: break the promise, see that the proof fails, and say so", row)
		}
		if len(lines) == 1 {
			t.Errorf("row %s names no proof: add `dir: TestName` or the path of a story", row)
		}
		for _, p := range lines[1:] {
			if err := provenBy(root, strings.TrimSpace(p)); err != nil {
				t.Errorf("row %s: %v", row, err)
			}
		}
	}
}

// provenBy says why a proof does not exist, or nil.
func provenBy(root, name string) error {
	dir, test, isTest := strings.Cut(name, ": ")
	if !isTest {
		_, err := os.Stat(filepath.Join(root, name))
		return err
	}
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == test {
				return nil
			}
		}
	}
	return fmt.Errorf("%s has no test %s", dir, test)
}
