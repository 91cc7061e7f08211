// Package marks finds in the source of a service what was planted there. A comment at the end of a
// line marks the statement, or the function, that begins on this line:
//
//	s.mu.Lock() // cause: lock
//	time.Sleep(d) // cause 2: sleep
//	func (x *index) part() { // cause behind: before, runnable
//	answer, err := client.Get(url) // behind
//
// A cause is where the user's code stands while a request waits, with the states that it may be called
// there; causes count from 1. A cause behind is what another goroutine does while requests wait. Behind
// alone is what those do that the requests of a cause wait for.
package marks

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Mark is one marked place.
type Mark struct {
	// Cause counts from 1; 0 is a mark that is only behind.
	Cause  int      `json:"cause,omitempty"`
	Behind bool     `json:"behind,omitempty"`
	States []string `json:"states,omitempty"`
	// Function is named as the runtime does: main.(*store).count.
	Function string `json:"function"`
	File     string `json:"file"` // without its directory
	First    int    `json:"first"`
	Last     int    `json:"last"`
}

// String is the place, as in "main.(*store).count main.go:44".
func (m Mark) String() string { return fmt.Sprintf("%s %s:%d", m.Function, m.File, m.First) }

// Covers says whether a frame is in the marked place. A function literal counts as its function.
func (m Mark) Covers(function, file string, line int) bool {
	return (function == m.Function || strings.HasPrefix(function, m.Function+".")) &&
		filepath.Base(file) == m.File && m.First <= line && line <= m.Last
}

// Read reads the marks of the Go files in a directory.
func Read(dir string) (all []Mark, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(fmt.Errorf("read marks: no Go files in %s", dir), err)
	}
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read marks: %w", err)
		}
		some, err := parse(path, source)
		if err != nil {
			return nil, fmt.Errorf("read marks: %w", err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// parse finds the marks of one file.
func parse(path string, source []byte) (all []Mark, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			some, err := read(comment.Text)
			at := set.Position(comment.Pos())
			if err != nil {
				return nil, fmt.Errorf("%v: %w", at, err)
			}
			for _, m := range some {
				m.File = filepath.Base(path)
				if !m.place(set, file, at.Line) {
					return nil, fmt.Errorf("%v: no statement of a function begins on the line of this mark", at)
				}
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// form is a mark in a comment.
var form = regexp.MustCompile(`^(cause)?( [1-9])?( ?behind)?(: .+)?$`)

// read reads the marks of a comment; none if it is an ordinary one.
func read(comment string) (all []Mark, err error) {
	for part := range strings.SplitSeq(strings.TrimPrefix(comment, "//"), "//") {
		part = strings.TrimSpace(part)
		if !strings.HasPrefix(part, "cause") && !strings.HasPrefix(part, "behind") {
			continue
		}
		found := form.FindStringSubmatch(part)
		if found == nil {
			continue // a sentence that begins with the word
		}
		m := Mark{Behind: found[3] != ""}
		if found[1] != "" {
			m.Cause = 1
		}
		if found[2] != "" {
			m.Cause, _ = strconv.Atoi(found[2][1:]) // a digit
		}
		if found[4] != "" {
			m.States = strings.Split(found[4][2:], ", ")
		}
		if (m.Cause > 0) != (len(m.States) > 0) {
			return nil, fmt.Errorf("mark %q: want \"cause: STATE, ...\", or \"behind\" without a state", part)
		}
		all = append(all, m)
	}
	return all, nil
}

// place finds the function, and the lines of what begins on the line of the mark.
func (m *Mark) place(set *token.FileSet, file *ast.File, line int) bool {
	m.First = line
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || line < set.Position(f.Pos()).Line || line > set.Position(f.End()).Line {
			continue
		}
		m.Function = file.Name.Name + "." + receiver(f) + f.Name.Name
		ast.Inspect(f, func(n ast.Node) bool {
			switch n.(type) {
			case ast.Stmt, *ast.FuncDecl:
				if set.Position(n.Pos()).Line == line {
					m.Last = max(m.Last, set.Position(n.End()).Line)
				}
			}
			return true
		})
	}
	return m.Last > 0
}

// receiver is "(*store)." for a method of *store.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	switch t := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		if name, ok := t.X.(*ast.Ident); ok {
			return "(*" + name.Name + ")."
		}
	case *ast.Ident:
		return t.Name + "."
	}
	return ""
}
