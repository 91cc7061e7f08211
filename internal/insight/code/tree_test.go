package code

import (
	"go/scanner"
	"go/token"
	"strings"
	"testing"
)

// sourceOf is a file that is a package by itself.
func sourceOf(name string, text []byte) *File {
	p := (&Package{fset: token.NewFileSet()}).with(&Tree{}, name, text)
	return &File{p, p.files[name]}
}

// parsed is a source file, and the lines of it that end in a comment with a mark.
func parsed(t *testing.T, text string) (*File, map[string]int) {
	t.Helper()
	f := sourceOf("test.go", []byte(text))
	if f.file == nil {
		t.Fatal("the test's source cannot be parsed")
	}
	marks := map[string]int{}
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("test.go", -1, len(text)), []byte(text), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return f, marks
		}
		if tok == token.COMMENT {
			marks[strings.TrimSpace(strings.TrimPrefix(lit, "//"))] = set.Position(pos).Line
		}
	}
}

// Source is whatever lies in the user's directory.
func FuzzSource(f *testing.F) {
	for _, text := range []string{searches1, values, allocating, "package p\nfunc f() { for { } }",
		"package p\nfunc f() { for range 3 { _ = 1 }; for i := range g { i() } }"} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, line int) {
		if len(text) > 1<<13 {
			t.Skip("as large as it needs to be")
		}
		file := sourceOf("fuzz.go", []byte(text))
		file.SearchInLoop(line)
		file.SearchLoop(line)
		file.CopiedValue(line)
		file.ConstantHashed(line)
		file.ReadsUnderLock(line)
		file.Unflushed(line)
		file.LogArgument(line)
		file.SortsKept(line)
		file.ParsesAgain(line, "Parse")
		file.Grows(line)
		file.MakesClosure(line)
		file.StreamAt(line)
		file.Allocations(line)
	})
}

// A file that is not known answers no to everything.
func TestUnknownSource(t *testing.T) {
	f := (&Tree{}).File("gone.go")
	if f.InLoop(3) || f.SearchInLoop(3) != "" || f.CopiedValue(3) != "" || f.ConstantHashed(3) != "" ||
		f.ReadsUnderLock(3) || f.LogArgument(3) || f.SortsKept(3) != "" || f.MakesClosure(3) {
		t.Error("it says something of a file that it has not")
	}
	if line, instead := f.Unflushed(3); line != 0 {
		t.Error(line, instead)
	}
}
