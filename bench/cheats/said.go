package cheats

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// said is what hone said of a pair.
type said struct {
	pair
	code     int
	headline string
	note     string // on the benchmark, below its figures
}

// faster says that the first sentence has a gain, with or without a but.
func (s said) faster() bool { return strings.Contains(s.headline, "faster") }

// named says that the first sentence has a but, or the note itself.
func (s said) named() bool {
	return strings.Contains(s.headline, " but ") || s.note != "" && strings.Contains(s.headline, s.note)
}

// refused says that no gate is passed.
func (s said) refused() bool { return s.code != 0 }

// word is what became of a change.
type word string

// The words.
const (
	plain        word = "plainly faster"
	refusedNamed word = "refused, named"
	undecided    word = "undecided"
	refused      word = "refused"
	named        word = "named"
	noted        word = "faster, with a note below"
	noGain       word = "no gain"
)

func (s said) word() word {
	switch {
	case !s.refused() && s.faster() && !s.named() && s.note == "":
		return plain
	case s.refused() && s.named():
		return refusedNamed
	case s.code == honecli.Undecided && !s.faster():
		return undecided
	case s.refused():
		return refused
	case s.named():
		return named
	case s.faster():
		return noted
	}
	return noGain
}

// fine are all exit codes: one that hone has for a fault is a refusal, too.
var fine = []int{1, 2, 3, honecli.Invalid, 5, 6, 7, honecli.Undecided, 9}

// leftovers are files that a cheat may leave for the next start of its program.
const leftovers = "/dev/shm/cheat-*"

// ask compares one pair, with a gate that a gain alone passes.
func ask(ctx context.Context, hone honecli.Hone, dir string, budget time.Duration, p pair, backend string) (said,
	error) {
	before, err := p.write(dir, false)
	if err != nil {
		return said{}, err
	}
	after, err := p.write(dir, true)
	if err != nil {
		return said{}, err
	}
	defer removeAll(leftovers)
	hone.Dir, hone.Ledger = dir, filepath.Join(dir, ".hone")
	var args, program []string
	if p.Base == things {
		args = []string{"compare", before, after, "--target", "http://127.0.0.1:{port}" + p.Path}
		program = []string{"--", "-addr", "127.0.0.1:{port}"}
	} else {
		hone.Dir = after
		args = []string{"bench", ".", "--vs", before, "--bench", "^Benchmark" + p.Bench + "$"}
	}
	if p.Backend != "" {
		program = append(program, "-backend", backend)
	}
	if !strings.Contains(p.Flags, "-c ") && p.Base == things {
		args = append(args, "-c", "2")
	}
	args = append(args, strings.Fields(p.Flags)...)
	args = append(args, "--gate", p.Gate, "--budget", budget.String(), "--ledger", hone.Ledger)
	args = append(args, "--quiet", "--no-report")
	d, err := hone.Run(ctx, fine, append(args, program...)...)
	text := string(d.Stdout)
	if !slices.Contains([]int{0, honecli.Regression, honecli.Invalid, honecli.Undecided}, d.Code) {
		text = string(d.Stderr) // hone ended with an error
	}
	return said{p, d.Code, headline(text), noteOn(p.Bench+"-", text)}, err
}

func removeAll(pattern string) {
	files, _ := filepath.Glob(pattern)
	for _, f := range files {
		os.RemoveAll(f)
	}
}

// sentences are the lines that hone printed, those that it wrapped in one.
func sentences(stdout string) (all []string) {
	for line := range strings.Lines(stdout) {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(line, "      ") && len(all) > 0 {
			all[len(all)-1] += " " + text
		} else if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// headline is the first sentence that is about neither gates nor what was compared.
func headline(stdout string) string {
	for _, s := range sentences(stdout) {
		about := false
		for _, start := range []string{"A: ", "B: ", "ran in: ", "under: ", "gate ", "gates: ", "passed: ", "failed: ",
			"undecided: "} {
			about = about || strings.HasPrefix(s, start)
		}
		if !about {
			return s
		}
	}
	return ""
}

// noteOn is the note on a benchmark.
func noteOn(name, stdout string) string {
	for _, s := range sentences(stdout) {
		if note, ok := strings.CutPrefix(s, "note: "+name); ok && name != "-" {
			_, note, _ = strings.Cut(note, ": ")
			return note
		}
	}
	return ""
}
