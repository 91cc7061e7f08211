// Command cheats compares a program with changes of it that only look faster, and with some that are. Of the first none is to
// stand as plainly faster, the others are to.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone, doc string
	budget    time.Duration
	pairs     []pair
}

func main() { side.Main("cheats", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("cheats")
	fs.Hone(&c.hone)
	fs.StringVar(&c.doc, "doc", "../docs/cheats.md", "`file` that the document is written to; empty: none")
	fs.DurationVar(&c.budget, "budget", 20*time.Second, "time of hone for a pair")
	side.Choice(fs, &c.pairs, "pairs", "", "pair", pairs, func(p pair) string { return p.Name }, "pairs to compare")
	fs.Read(args)
	fs.Want(c.budget >= time.Second, "want -budget of 1s or more")
	return c, fs.Faults()
}

// said is what hone said of a pair.
type said struct {
	pair
	code     int
	headline string
	note     string // on the benchmark, below its figures
}

// plain says that the change stands as faster, without a but and without a note.
func (s said) plain() bool {
	return s.code == 0 && s.note == "" && strings.Contains(s.headline, "faster") && !strings.Contains(s.headline, " but ")
}

func run(ctx context.Context, c config) error {
	return side.WithHone(c.hone, func(hone honecli.Hone, dir string) error {
		version, err := hone.Version(ctx)
		if err != nil {
			return err
		}
		backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "yes") }))
		defer backend.Close()
		var all []said
		for _, p := range c.pairs {
			s, err := c.ask(ctx, hone, dir, p, backend.URL)
			if err != nil {
				return fmt.Errorf("compare %s: %w", p.Name, err)
			}
			fmt.Printf("%-10s honest %-5t plainly faster %-5t exit %d  %s\n", p.Name, p.Honest, s.plain(), s.code, s.headline+" "+s.note)
			all = append(all, s)
		}
		if c.doc == "" || len(c.pairs) < len(pairs) {
			return nil
		}
		return results.WriteDocument(c.doc, document(all, version, c.budget))
	})
}

// fine are the exit codes of a comparison that came to its end.
var fine = []int{honecli.Regression, honecli.Invalid, honecli.Undecided}

// ask compares one pair.
func (c config) ask(ctx context.Context, hone honecli.Hone, dir string, p pair, backend string) (said, error) {
	var args []string
	if p.Target != "" {
		args = []string{"compare", "./cheats/server", "./cheats/server -as " + p.Name, "-c", "2", "--target", "http://127.0.0.1:{port}" + p.Target}
	} else {
		var err error
		if hone.Dir, err = benchmark(dir, p.Name, p.Code); err != nil {
			return said{}, err
		}
		before, err := benchmark(dir, "plain", plainCode)
		if err != nil {
			return said{}, err
		}
		args = []string{"bench", ".", "--vs", before}
	}
	args = append(args, "--budget", c.budget.String(), "--quiet", "--no-report", "--ledger", hone.Ledger)
	if p.Target != "" {
		args = append(args, "--", "-addr", "127.0.0.1:{port}")
	}
	if p.Backend {
		args = append(args, "-backend", backend)
	}
	d, err := hone.Run(ctx, fine, args...)
	return said{p, d.Code, headline(string(d.Stdout)), noteOn("Op-", string(d.Stdout))}, err
}

// headline is the first line that is not about what was compared.
func headline(stdout string) string {
	for line := range strings.Lines(stdout) {
		about := strings.HasPrefix(line, " ")
		for _, start := range []string{"A: ", "B: ", "ran in: ", "under: "} {
			about = about || strings.HasPrefix(line, start)
		}
		if !about {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// noteOn is the note on a benchmark.
func noteOn(name, stdout string) string {
	for line := range strings.Lines(stdout) {
		if note, ok := strings.CutPrefix(line, "note: "+name); ok {
			_, note, _ = strings.Cut(note, ": ")
			return strings.TrimSpace(note)
		}
	}
	return ""
}

// benchmark writes a module with a benchmark.
func benchmark(dir, name, code string) (string, error) {
	module := filepath.Join(dir, name)
	if err := os.MkdirAll(module, 0o700); err != nil {
		return "", fmt.Errorf("write benchmark %s: %w", name, err)
	}
	for file, text := range map[string]string{"go.mod": moduleFile, "op.go": codeHead + code + "\n", "op_test.go": testFile} {
		if err := os.WriteFile(filepath.Join(module, file), []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("write benchmark %s: %w", name, err)
		}
	}
	return module, nil
}

// document is the list of all pairs.
func document(all []said, version string, budget time.Duration) string {
	var b strings.Builder
	var caught, cheats, left, honest int
	for _, s := range all {
		switch {
		case s.Honest && s.plain():
			honest, left = honest+1, left+1
		case s.Honest:
			honest++
		case !s.plain():
			cheats, caught = cheats+1, caught+1
		default:
			cheats++
		}
	}
	fmt.Fprintf(&b, `# Cheats

A program and changes of it that only look faster, and changes that are faster, each pair compared once for %v. Made by `+"`make cheats`"+`
(bench/cheats); do not edit. A pair is plainly faster if hone exits with 0 and its first line says "faster" without a "but",
and no note on the benchmark follows.

- Of %d changes that only look faster %d are not plainly faster.
- Of %d honest changes %d are.

`, budget, cheats, caught, honest, left)
	fmt.Fprintf(&b, "```\n%s\nversion   %s\ndate      %s\ncommand   %s\n```\n", strings.Join(side.Machine(), "\n"), version,
		results.Moment(results.Now()), strings.Join(append([]string{"go run ./cheats"}, os.Args[1:]...), " "))
	for _, part := range []struct {
		title  string
		honest bool
	}{{"Changes that only look faster", false}, {"Honest changes", true}} {
		fmt.Fprintf(&b, "\n## %s\n\n", part.title)
		results.TableHead(&b, "pair", "what B does", "exit", "plainly faster", "what hone says first")
		for _, s := range all {
			if s.Honest == part.honest {
				kind := "service"
				if s.Code != "" {
					kind = "benchmark"
				}
				text := s.headline
				if s.note != "" && !strings.Contains(text, s.note) {
					text += "; note: " + s.note
				}
				results.TableRow(&b, s.Name+" ("+kind+")", s.Does, fmt.Sprint(s.code), map[bool]string{true: "yes", false: "no"}[s.plain()], strings.ReplaceAll(text, "|", "\\|"))
			}
		}
	}
	return b.String()
}
