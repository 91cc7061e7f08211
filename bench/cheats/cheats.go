// Package cheats compares a program with changes of it that only look faster, and with some that are. Of the first none
// is to stand as plainly faster, the others are to: hone exits with 0, its first line says "faster" without a "but",
// and no note on the benchmark follows.
package cheats

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

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
)

// Case compares all pairs once.
var Case = bed.Case{Name: "cheats", Shows: "are changes that only look faster called so, and honest ones faster",
	Takes: "10 minutes", Run: run}

// said is what hone said of a pair.
type said struct {
	pair
	code     int
	headline string
	note     string // on the benchmark, below its figures
}

// plain says that the change stands as faster, without a but and without a note.
func (s said) plain() bool {
	return s.code == 0 && s.note == "" && strings.Contains(s.headline, "faster") &&
		!strings.Contains(s.headline, " but ")
}

func run(ctx context.Context, b *bed.Bed) error {
	var some []pair
	budget := b.Duration("budget", 20*time.Second, "time of hone for a pair")
	bed.Choice(b.Flags, &some, "pairs", "", "pair", pairs, func(p pair) string { return p.Name }, "pairs to compare")
	b.Read()
	b.Want(*budget >= time.Second, "want -budget of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		io.WriteString(w, "yes")
	}))
	defer backend.Close()
	columns := []string{"pair", "what B does", "exit", "plainly faster", "what hone says first"}
	tables := map[bool]*bed.Table{false: b.Table("Changes that only look faster", columns...),
		true: b.Table("Honest changes", columns...)}
	shares := map[bool]*bed.Share{false: {}, true: {}}
	for _, p := range some {
		s, err := ask(ctx, b, *budget, p, backend.URL)
		if err != nil {
			return fmt.Errorf("compare %s: %w", p.Name, err)
		}
		b.Progress("%s, exit %d: %s %s", p.Name, s.code, s.headline, s.note)
		tables[p.Honest].Row(s.row()...)
		shares[p.Honest].Add(s.plain())
	}
	b.Claim("changes that only look faster, "+budget.String()+" each: plainly faster", "%d of %d", shares[false].Of,
		shares[false].N)
	b.Claim("honest changes, "+budget.String()+" each: plainly faster", "%d of %d", shares[true].Of, shares[true].N)
	return nil
}

func (s said) row() []string {
	kind := "service"
	if s.Code != "" {
		kind = "benchmark"
	}
	text := s.headline
	if s.note != "" && !strings.Contains(text, s.note) {
		text += "; note: " + s.note
	}
	return []string{s.Name + " (" + kind + ")", s.Does, fmt.Sprint(s.code),
		map[bool]string{true: "yes", false: "no"}[s.plain()], text}
}

// fine are the exit codes of a comparison that came to its end.
var fine = []int{honecli.Regression, honecli.Invalid, honecli.Undecided}

// ask compares one pair.
func ask(ctx context.Context, b *bed.Bed, budget time.Duration, p pair, backend string) (said, error) {
	var args []string
	hone := b.Hone
	if p.Target != "" {
		args = []string{"compare", "./cheats/server", "./cheats/server -as " + p.Name, "-c", "2", "--target",
			"http://127.0.0.1:{port}" + p.Target}
	} else {
		var err error
		if hone.Dir, err = benchmark(b.Dir, p.Name, p.Code); err != nil {
			return said{}, err
		}
		before, err := benchmark(b.Dir, "plain", plainCode)
		if err != nil {
			return said{}, err
		}
		args = []string{"bench", ".", "--vs", before}
	}
	args = append(args, "--budget", budget.String(), "--quiet", "--no-report", "--ledger", hone.Ledger)
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
	for file, text := range map[string]string{"go.mod": moduleFile, "op.go": codeHead + code + "\n",
		"op_test.go": testFile} {
		if err := os.WriteFile(filepath.Join(module, file), []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("write benchmark %s: %w", name, err)
		}
	}
	return module, nil
}
