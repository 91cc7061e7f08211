package holders

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// corpusDir is the module of the programs, from the directory bench.
const corpusDir = "holders/corpus"

// program is a directory of the corpus with a package main.
type program struct {
	Name   string
	Closed bool
	Decoy  bool
	marks  []mark
}

// mark is a comment of a program, //holder: NAME | NAME, at the declaration of its holder. Each of the names is right. A decoy has
// one, //holder: none.
type mark struct {
	names []string
	file  string // its name without directories
	line  int
}

const none = "none"

var holderComment = regexp.MustCompile(`//holder: (.+)$`)

// openCorpus reads the marks of all programs in dir, by name. A program without a mark is an error.
func openCorpus(dir, seed string) ([]*program, error) {
	mains, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil {
		return nil, err
	}
	var programs []*program
	var all error
	for _, path := range mains {
		p, err := readProgram(filepath.Dir(path))
		all = errors.Join(all, err)
		programs = append(programs, p)
	}
	closeHalf(programs, seed)
	return programs, all
}

func readProgram(dir string) (*program, error) {
	p := &program{Name: filepath.Base(dir)}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := os.ReadFile(path)
		p.marks = append(p.marks, readMarks(filepath.Base(path), string(source))...)
		return err
	})
	if err == nil && len(p.marks) == 0 {
		err = fmt.Errorf("no comment //holder: in %s", dir)
	}
	p.Decoy = err == nil && p.marks[0].names[0] == none
	return p, err
}

func readMarks(file, source string) (all []mark) {
	for i, line := range strings.Split(source, "\n") {
		if found := holderComment.FindStringSubmatch(line); found != nil {
			all = append(all, mark{strings.Split(found[1], " | "), file, i + 1})
		}
	}
	return all
}

// closeHalf puts half of the programs and half of the decoys into the closed half.
func closeHalf(programs []*program, seed string) {
	names := map[bool][]string{}
	for _, p := range programs {
		names[p.Decoy] = append(names[p.Decoy], p.Name)
	}
	chosen := append(bed.ClosedHalf(names[false], seed), bed.ClosedHalf(names[true], seed)...)
	for _, p := range programs {
		p.Closed = slices.Contains(chosen, p.Name)
	}
}

// half is the one that the program is in.
func (p *program) half() string { return bed.Half(p.Closed) }

// isNamed says whether a name is that of the holder.
func (p *program) isNamed(name string) bool {
	return slices.ContainsFunc(p.marks, func(m mark) bool {
		return slices.ContainsFunc(m.names, func(right string) bool { return contains(words(name), words(right)) })
	})
}

// isAt says whether a line is that of one of the declarations.
func (p *program) isAt(file string, line int) bool {
	return slices.ContainsFunc(p.marks, func(m mark) bool { return m.file == filepath.Base(file) && m.line == line })
}

var (
	directory  = regexp.MustCompile(`[\w.~-]+/`)
	identifier = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
)

// words are the identifiers of a name, without the directories of import paths: main, server, handle of "a.b/c/main.(*server).handle".
func words(name string) []string {
	return identifier.FindAllString(directory.ReplaceAllString(name, ""), -1)
}

// contains says whether some words are among all, in a row.
func contains(all, some []string) bool {
	for i := range len(all) - len(some) + 1 {
		if slices.Equal(all[i:i+len(some)], some) {
			return true
		}
	}
	return false
}
