package compiler

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gohone/hone/bench/bed"
)

// corpusDir has a file for each pair, from the directory bench.
const corpusDir = "compiler/corpus"

// pair is a package in two versions. Its file is an archive (golang.org/x/tools/txtar). A line that begins with - is only
// in A, one that begins with + only in B. Before the files stand lines KEY: VALUE.
type pair struct {
	Name   string
	Closed bool
	kinds  []string // names of kinds, each of which is right
	about  string   // what a developer would say of the change
	// function has the decision. It is one of B, as in "(*scanner).next".
	function string
	file     string // its name
	line     int    // of the decision in file, in B
	archive  *txtar.Archive
}

// The sides of a pair, and what a line of the archive begins with that is only in one.
const sideA, sideB = "-", "+"

// mark is at the end of the line with the decision.
const mark = " //<- cause"

// openCorpus reads all pairs in dir, by name.
func openCorpus(dir, seed string) (pairs []*pair, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var names []string
	var all error
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p, err := readPair(strings.TrimSuffix(filepath.Base(path), ".txt"), text)
		if err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", path, err))
			continue
		}
		pairs, names = append(pairs, p), append(names, p.Name)
	}
	chosen := bed.ClosedHalf(names, seed)
	for _, p := range pairs {
		p.Closed = slices.Contains(chosen, p.Name)
	}
	return pairs, all
}

// readPair reads a pair. One without a kind, a function, or the mark of one line is an error.
func readPair(name string, text []byte) (*pair, error) {
	p := &pair{Name: name, archive: txtar.Parse(text)}
	for line := range strings.Lines(string(p.archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "kind":
			p.kinds = strings.Split(value, " | ")
		case "function":
			p.function = value
		case "about":
			p.about = value
		default:
			return nil, fmt.Errorf("key %q: want kind, function or about", key)
		}
	}
	for _, k := range p.kinds {
		if kinds[k] == nil {
			return nil, fmt.Errorf("kind %q is not known", k)
		}
	}
	marks := 0
	for file, source := range p.sources(sideB) {
		for i, line := range strings.Split(source, "\n") {
			if strings.HasSuffix(line, mark) {
				p.file, p.line = file, i+1
				marks++
			}
		}
	}
	if len(p.kinds) == 0 || p.function == "" || p.about == "" || marks != 1 {
		return nil, fmt.Errorf("want a kind, a function, what it is about, and one line with%s; it has %d", mark, marks)
	}
	return p, nil
}

// sources are the files of one side by name, with the marks. A mark is a comment: the compiler does not see it.
func (p *pair) sources(side string) map[string]string {
	other := map[string]string{sideA: sideB, sideB: sideA}[side]
	all := map[string]string{"go.mod": "module pair/" + p.Name + "\n\ngo 1.26.0\n"}
	for _, f := range p.archive.Files {
		var b strings.Builder
		for line := range strings.Lines(string(f.Data)) {
			if !strings.HasPrefix(line, other) {
				b.WriteString(strings.TrimPrefix(line, side))
			}
		}
		all[f.Name] = b.String()
	}
	return all
}

// layOut writes the files of one side into a directory.
func (p *pair) layOut(side, dir string) error {
	err := os.MkdirAll(dir, 0o700)
	for name, text := range p.sources(side) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return err
}
