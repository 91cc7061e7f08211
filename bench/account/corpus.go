package account

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// corpusDir is the module of the programs, from the directory bench.
const corpusDir = "account/corpus"

// program is a directory of the corpus with a package main. The comment at its top has lines of its own:
//
//	planted: KIND, N MB
//	env: NAME=VALUE ...        of the environment that it runs in
//	needs: disk cgroup shm     of the machine
type program struct {
	Name   string
	Closed bool
	kind   string
	bytes  int64
	env    []string
	needs  []string
}

// usesC is what the source of a program has that needs a C compiler.
const usesC = `import "C"`

// compiler is that need.
const compiler = "compiler"

var headLine = regexp.MustCompile(`(?m)^// (planted|env|needs): (.+)$`)

// openCorpus reads the heads of all programs in dir, by name.
func openCorpus(dir, seed string) (programs []*program, err error) {
	mains, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil {
		return nil, err
	}
	var names []string
	var all error
	for _, path := range mains {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p := &program{Name: filepath.Base(filepath.Dir(path))}
		if err := p.read(string(source)); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", path, err))
		}
		programs, names = append(programs, p), append(names, p.Name)
	}
	chosen := bed.ClosedHalf(names, seed)
	for _, p := range programs {
		p.Closed = slices.Contains(chosen, p.Name)
	}
	return programs, all
}

// read reads the head of a program.
func (p *program) read(source string) error {
	head, _, _ := strings.Cut(source, "\npackage main\n")
	for _, found := range headLine.FindAllStringSubmatch(head, -1) {
		switch value := found[2]; found[1] {
		case "env":
			p.env = strings.Fields(value)
		case "needs":
			p.needs = strings.Fields(value)
		default:
			name, size, _ := strings.Cut(value, ", ")
			n, err := strconv.ParseInt(strings.TrimSuffix(size, " MB"), 10, 64)
			if err != nil || !slices.ContainsFunc(kinds, func(k kind) bool { return k.name == name }) {
				return fmt.Errorf("planted %q: want a known kind and MB", value)
			}
			p.kind, p.bytes = name, n*1e6
		}
	}
	if strings.Contains(source, usesC) {
		p.needs = append(p.needs, compiler)
	}
	if p.kind == "" {
		return errors.New("no line // planted:")
	}
	return nil
}
