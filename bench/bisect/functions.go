package bisect

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// functions are the texts of the functions of a Go file, without methods, by name; none of a file that cannot be parsed.
func functions(text []byte) map[string]string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	all := map[string]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			all[f.Name.Name] = string(text[set.Position(f.Pos()).Offset:set.Position(f.End()).Offset])
		}
	}
	return all
}

// reached is the text of a function and of all functions that it mentions, directly or not. It is empty for an unknown function.
func reached(name string, all map[string]string) string {
	var text strings.Builder
	todo, seen := []string{name}, map[string]bool{name: true}
	for len(todo) > 0 {
		function := all[todo[0]]
		todo = todo[1:]
		text.WriteString(function)
		for _, word := range identifiers(function) {
			if all[word] != "" && !seen[word] {
				seen[word], todo = true, append(todo, word)
			}
		}
	}
	return text.String()
}

// identifiers are all of a text of Go, in order.
func identifiers(text string) (all []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for {
		switch _, kind, word := s.Scan(); kind {
		case token.EOF:
			return all
		case token.IDENT:
			all = append(all, word)
		}
	}
}
