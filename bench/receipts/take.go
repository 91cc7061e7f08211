package receipts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/view/receipt"
)

// make makes the receipt of a subject.
func (c config) make(ctx context.Context, s subject) (r record, err error) {
	dir, err := os.MkdirTemp(c.Dir, "receipt-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	at, words, err := s.command(ctx, c.clones, dir)
	if err != nil {
		return r, err
	}
	text, err := c.measure(ctx, at, dir, c.budget, words...)
	return record{Subject: s.String(), Repo: s.Repo, Budget: c.budget, Receipt: text}, err
}

// measure runs hone, with a ledger in dir, and returns the receipt, which has to be one that can be verified. Where the
// words end with those of a program, flags come before.
func (c config) measure(ctx context.Context, at, dir string, budget time.Duration, words ...string) (string, error) {
	file := filepath.Join(dir, "receipt.json")
	dash := slices.Index(words, "--")
	if dash < 0 {
		dash = len(words)
	}
	flags := []string{"--quiet", "--no-report", "--budget", budget.String(), "--receipt", file, "--ledger",
		filepath.Join(dir, "ledger")}
	hone := c.Hone
	hone.Dir = at
	if _, err := hone.Run(ctx, []int{refuted, open}, slices.Insert(slices.Clone(words), dash, flags...)...); err != nil {
		return "", err
	}
	r, text, err := receipt.ReadFile(ctx, file)
	if err == nil && r.Open != "" {
		err = fmt.Errorf("nobody can verify the receipt: %s", r.Open)
	}
	return string(text), err
}

// verify verifies a receipt by a hone that does not know it.
func (c config) verify(ctx context.Context, r record) (record, error) {
	dir, err := os.MkdirTemp(c.Dir, "verify-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "receipt.json")
	tree, err := c.tree(ctx, r.Repo, dir)
	if err = cmp.Or(err, os.WriteFile(file, []byte(r.Receipt), 0o600)); err != nil {
		return r, fmt.Errorf("write a receipt: %w", err)
	}
	hone, begun := c.Hone, c.now()
	hone.Dir = tree
	done, err := hone.Run(ctx, []int{refuted, refused, open}, "verify", file, "--yes", "--json", "--ledger",
		filepath.Join(dir, "ledger"))
	if err != nil {
		return r, err
	}
	r.Said, r.Age = answerOf(done), begun.Sub(r.At).Round(time.Minute)
	r.Said.Seconds = c.now().Sub(begun).Seconds()
	r.Entry.At = time.Time{} // the journal sets it
	if r.Forged == "" {
		r.Receipt = "" // the line of its making has it
	}
	return r, nil
}

// answerOf is what hone verify said: its document, or the error of a receipt for which nothing was measured.
func answerOf(done proc.Done) *said {
	s := &said{Exit: done.Code}
	var document struct {
		Answer repeat.Answer
		Reason string
	}
	if json.Unmarshal(done.Stdout, &document) == nil && document.Answer != "" {
		s.Answer, s.Reason = document.Answer, document.Reason
		return s
	}
	for line := range strings.Lines(string(done.Stderr)) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), "hone: "); ok {
			s.Reason = said
			break
		}
	}
	return s
}

// forge forges a receipt as it is ordered, and verifies it.
func (c config) forge(ctx context.Context, o order) (record, error) {
	dir, err := os.MkdirTemp(c.Dir, "forge-")
	if err != nil {
		return o.of, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, err := c.tree(ctx, o.of.Repo, dir)
	if err != nil {
		return o.of, err
	}
	r := o.of
	f := &forging{ctx: ctx, rng: draws(r.Number), tree: tree, text: r.Receipt}
	if f.receipt, err = r.receipt(); err != nil {
		return r, err
	}
	for _, other := range o.others {
		if other.Subject != r.Subject {
			one, err := other.receipt()
			if err != nil {
				return r, err
			}
			f.others = append(f.others, one)
		}
	}
	f.try = func(words ...string) (string, error) {
		again, err := os.MkdirTemp(dir, "try-")
		if err != nil {
			return "", fmt.Errorf("make a directory: %w", err)
		}
		at := filepath.Join(tree, filepath.FromSlash(f.receipt.Repository.Below))
		return c.measure(ctx, at, again, c.budget/tries, words...)
	}
	f.careful = (r.Number-1)/len(c.forgeries)%2 == 0
	if err := o.do(f); err != nil {
		return r, fmt.Errorf("forge: %w", err)
	}
	if r.Careful = f.careful; f.text == r.Receipt {
		if r.Receipt, err = written(f.receipt); err != nil {
			return r, err
		}
	} else {
		r.Receipt = f.text
	}
	return c.verify(ctx, r)
}
