// Command find lists commits of the corpus' repositories that cannot change what is measured, a line each: the repository, the
// commit and its kind. It reads the declarations of both trees and follows names from the benchmark, or from main, and wants no
// declaration among those reached that differs. With -check it builds what noops.txt has, and prints the lines whose two sides build
// and run the benchmark.
//
//	go run ./corpus/find -clones DIR > corpus/noops.txt
//	go run ./corpus/find -clones DIR -check > noops.new
package main

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

func main() {
	var f finder
	flag.StringVar(&f.clones, "clones", "", "`directory` of the repositories, each in OWNER/NAME")
	flag.IntVar(&f.each, "n", 20, "commits of each repository")
	flag.BoolVar(&f.why, "why", false, "say of each commit that is left out why")
	only := flag.String("repo", "", "only this one")
	check := flag.Bool("check", false, "build the commits of the list")
	flag.Parse()
	var err error
	if *check {
		err = f.check(context.Background(), *only)
	} else {
		err = f.find(*only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "find:", err)
		os.Exit(1)
	}
}

type finder struct {
	clones string
	each   int
	why    bool
	known  map[string]bool
}

// find lists the commits of one repository, or of all.
func (f finder) find(only string) (err error) {
	if f.known, err = interfaceMethods(); err != nil {
		return err
	}
	for _, s := range slices.Concat(corpus.Libraries, corpus.Services) {
		if only != "" && s.Repo != only {
			continue
		}
		if err := f.list(s); err != nil {
			return err
		}
	}
	return nil
}

// since is when modules are common; older commits do not build.
const since = "2020-06-01"

// list prints commits of one repository, the youngest of each kind first, the kinds by turns. With kinds that link something else
// it begins: there are less of them.
func (f finder) list(s corpus.Subject) error {
	r := &repository{dir: filepath.Join(f.clones, s.Repo), files: map[string]*file{}}
	sub := &subject{repository: r, dir: path.Clean(s.Dir), root: "main", known: f.known, trees: map[string]*tree{}}
	if s.Benchmark != "" {
		name, _, _ := strings.Cut(s.Benchmark, "/")
		sub.root, sub.tests = "Benchmark"+name, true
	}
	history, err := r.git("log", "--no-merges", "--since="+since, "--format=%h %p")
	if err != nil {
		return err
	}
	byKind := map[corpus.Kind][]string{}
	for line := range strings.Lines(history) {
		commit, parent, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		kind, err := sub.classify(parent, commit)
		if err != nil {
			if f.why {
				fmt.Fprintln(os.Stderr, s.Repo, commit, err)
			}
			continue
		}
		byKind[kind] = append(byKind[kind], commit)
	}
	counts := ""
	for _, k := range corpus.Kinds {
		counts += fmt.Sprintf(" %s %d", k, len(byKind[k]))
	}
	fmt.Fprintln(os.Stderr, s.Repo+":"+counts)
	for n := 0; n < f.each; {
		took := false
		for _, k := range []corpus.Kind{corpus.Functions, corpus.Tests, corpus.Unused, corpus.Comments, corpus.Unused, corpus.Packages, corpus.Documents} {
			from := k
			if k == corpus.Unused { // on top of one that would be listed later
				from = corpus.Documents
			}
			if len(byKind[from]) > 0 && n < f.each {
				fmt.Println(s.Repo, byKind[from][0], k)
				byKind[from], n, took = byKind[from][1:], n+1, true
			}
		}
		if !took {
			break
		}
	}
	return nil
}

// interfaceMethods are the names of the methods of all interfaces of the standard library, by which it may call a type's.
func interfaceMethods() (map[string]bool, error) {
	known := map[string]bool{}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go's library: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	return known, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "cmd") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						known[name.Name] = true
					}
				}
			}
			return true
		})
		return nil
	})
}
