package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// declaration is one declaration of a file: a function, a method, a variable, a type, or a group of constants, whose values depend on
// their order.
type declaration struct {
	// names are what it declares. receiver is the type of a method, else "".
	names    []string
	receiver string
	// text is its tokens without comments. mentions are the identifiers in it, those in its strings included: reflection calls by name.
	text     string
	mentions []string
	// atStart says that it runs before any benchmark.
	atStart bool
}

// key tells the declarations of a package apart.
func (d declaration) key() string { return d.receiver + "." + strings.Join(d.names, ",") }

// file is what counts of a Go file.
type file struct {
	pkg string
	// imports are paths by name; the name is "" where the file gives none.
	imports map[string][]string
	// directives are the comments that the compiler or the go command reads.
	directives string
	decls      []declaration
	third      bool // it imports something of another module, as far as paths show
}

// word is an identifier within a string.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// parseFile reads a Go file.
func parseFile(text []byte) (*file, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &file{pkg: tree.Name.Name, imports: map[string][]string{}}
	for _, i := range tree.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		}
		f.imports[name] = append(f.imports[name], path)
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "// +build") || strings.HasPrefix(c.Text, "//export") || strings.HasPrefix(c.Text, "//line") {
				f.directives += c.Text + "\n"
			}
		}
	}
	source := func(n ast.Node) []byte { return text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset] }
	for _, d := range tree.Decls {
		f.decls = append(f.decls, declared(d, source)...)
	}
	return f, nil
}

// declared are the declarations of one of the syntax.
func declared(d ast.Decl, source func(ast.Node) []byte) (all []declaration) {
	if f, ok := d.(*ast.FuncDecl); ok {
		one := read(source(f))
		one.names, one.atStart = []string{f.Name.Name}, f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "TestMain")
		if f.Recv != nil {
			one.receiver = corpus.Receiver(f.Recv.List[0].Type)
		}
		return []declaration{one}
	}
	group := d.(*ast.GenDecl)
	if group.Tok == token.CONST {
		one := read(source(group))
		for _, s := range group.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				one.names = append(one.names, n.Name)
			}
		}
		return []declaration{one}
	}
	for _, s := range group.Specs {
		one := read(source(s))
		switch s := s.(type) {
		case *ast.TypeSpec:
			one.names = []string{s.Name.Name}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				one.names = append(one.names, n.Name)
			}
			// What is called to initialise a variable may change others.
			for _, v := range s.Values {
				ast.Inspect(v, func(n ast.Node) bool {
					_, call := n.(*ast.CallExpr)
					one.atStart = one.atStart || call
					return true
				})
			}
			one.atStart = one.atStart || slices.Contains(one.names, "_")
		default:
			continue // an import
		}
		all = append(all, one)
	}
	return all
}

// read is a declaration with its tokens and mentions.
func read(text []byte) (d declaration) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, 0)
	var tokens strings.Builder
	for {
		_, t, literal := s.Scan()
		switch t {
		case token.EOF:
			d.text = tokens.String()
			slices.Sort(d.mentions)
			d.mentions = slices.Compact(d.mentions)
			return d
		case token.IDENT:
			d.mentions = append(d.mentions, literal)
		case token.STRING:
			d.mentions = append(d.mentions, word.FindAllString(literal, -1)...)
		case token.SEMICOLON:
			literal = ";" // a newline is one, too
		}
		tokens.WriteString(t.String() + " " + literal + " ")
	}
}
