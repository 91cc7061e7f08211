package lint

import (
	"bufio"
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

// faultRow is a row of the table: "| 3 | fault | what hone does | exit | mutation tried | proof |".
var faultRow = regexp.MustCompile(`^\| (\d+) \|.*\| ([^|]*)\| ([^|]+) \|$`)

// proof is one proof in the last column: `dir: TestName` or the path of a story.
var proof = regexp.MustCompile("`([^`]+)`")

// TestEveryFaultHasItsProof holds the table in docs/faults.md against the tree: all rows are
// there, and each names tests and stories that exist.
func TestEveryFaultHasItsProof(t *testing.T) {
	root := repoRoot(t)
	file, err := os.Open(filepath.Join(root, "docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	next := 1
	for lines := bufio.NewScanner(file); lines.Scan(); {
		row := faultRow.FindStringSubmatch(lines.Text())
		if row == nil {
			continue
		}
		if row[1] != fmt.Sprint(next) {
			t.Fatalf("row %s follows row %d: the rows are 1 to %d in order", row[1], next-1, faultRows)
		}
		next++
		if strings.TrimSpace(row[2]) == "" {
			t.Errorf("row %s names no mutation: break the promise, see that the proof fails, and say so", row[1])
		}
		proofs := proof.FindAllStringSubmatch(row[3], -1)
		if len(proofs) == 0 && !strings.Contains(row[3], "comes with") {
			t.Errorf("row %s names no proof: add `dir: TestName` or the path of a story", row[1])
		}
		for _, p := range proofs {
			if err := provenBy(root, p[1]); err != nil {
				t.Errorf("row %s: %v", row[1], err)
			}
		}
	}
	if next != faultRows+1 {
		t.Errorf("docs/faults.md has %d rows, want %d", next-1, faultRows)
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
