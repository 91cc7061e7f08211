package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// PushOptions say what Push pushes.
type PushOptions struct {
	// Wanted are finished runs and comparisons; none means all complete ones that the store does not list.
	Wanted []ledger.Ref
	// Replace pushes also what is there.
	Replace bool
	Archive archive.Options
	// Done is told of each object at once.
	Done func(Item)
}

// Push puts archives into the store, the oldest first. A run of a comparison goes with the comparison. What is there
// with the same content is left alone. What was done before an error stays done.
func Push(ctx context.Context, l *ledger.Ledger, s *objectstore.Store, o PushOptions) (err error) {
	items, err := wantedItems(l, o.Wanted)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	if len(o.Wanted) == 0 && !o.Replace {
		if listed, err = names(ctx, s); err != nil {
			return err
		}
	}
	dir, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	p := &pushing{PushOptions: o, l: l, s: s, file: filepath.Join(dir.Path, "archive")}
	for _, i := range items {
		if ctx.Err() != nil {
			return fail.New(fail.Interrupted, "push: stopped: %w", context.Cause(ctx))
		}
		i.Outcome = There
		if !listed[i.Object] {
			if i, err = p.one(ctx, i); err != nil {
				return err
			}
		}
		o.Done(i)
	}
	return nil
}

// names lists the store.
func names(ctx context.Context, s *objectstore.Store) (map[string]bool, error) {
	objects, err := s.List(ctx)
	all := map[string]bool{}
	for _, o := range objects {
		all[o.Name] = true
	}
	return all, err
}

// wantedItems are the objects of what is wanted, or of all that is complete, each once, in the order of arrival.
func wantedItems(l *ledger.Ledger, wanted []ledger.Ref) ([]Item, error) {
	if len(wanted) == 0 {
		return completeItems(l)
	}
	var items []Item
	for _, ref := range wanted {
		if ref.Kind == ledger.KindRun {
			run, err := l.Run(ref.ID)
			if err != nil {
				return nil, err
			}
			if run.Comparison == "" {
				items = append(items, itemFor(run.Started, ref, nil))
				continue
			}
			ref = ledger.Ref{Kind: ledger.KindComparison, ID: run.Comparison}
		}
		c, err := l.Comparison(ref.ID)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(items, func(i Item) bool { return i.ID == c.ID }) {
			items = append(items, itemFor(c.Started, ref, c.Runs))
		}
	}
	return items, nil
}

func completeItems(l *ledger.Ledger) ([]Item, error) {
	runs, err := l.Runs(ledger.RunFilter{NoDoc: true})
	if err != nil {
		return nil, err
	}
	comparisons, err := l.Comparisons(0)
	if err != nil {
		return nil, err
	}
	complete := map[string]ledger.Comparison{}
	for _, c := range comparisons {
		if c.Status == ledger.Complete {
			complete[c.ID] = c
		}
	}
	var items []Item
	for _, run := range slices.Backward(runs) { // the newest is the first
		c, found := complete[run.Comparison]
		switch {
		case run.Comparison == "" && run.Status == ledger.Complete:
			items = append(items, itemFor(run.Started, ledger.Ref{Kind: ledger.KindRun, ID: run.ID}, nil))
		case found:
			items = append(items, itemFor(c.Started, ledger.Ref{Kind: ledger.KindComparison, ID: c.ID}, c.Runs))
			delete(complete, c.ID)
		}
	}
	return items, nil
}

func itemFor(started time.Time, ref ledger.Ref, runs []string) Item {
	return Item{Kind: ref.Kind, ID: ref.ID, Runs: runs, Object: nameOf(started, ref, runs)}
}

// pushing is the work of one Push.
type pushing struct {
	PushOptions
	l *ledger.Ledger
	s *objectstore.Store
	// file is where the archive is made.
	file string
}

// one pushes one object, unless it is there.
func (p *pushing) one(ctx context.Context, i Item) (_ Item, err error) {
	f, err := os.OpenFile(p.file, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return i, fail.New(fail.Storage, "make archive: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h, to := sha256.New(), &target{w: f}
	summary, err := archive.Write(io.MultiWriter(h, to), p.l, []ledger.Ref{i.Ref()}, p.Archive)
	if to.err != nil {
		return i, fail.New(fail.Storage, "make archive: %w",
			to.err).WithHint("free some space there, or point TMPDIR at another directory")
	}
	if err != nil {
		return i, err
	}
	info, err := f.Stat()
	if err != nil {
		return i, err
	}
	o := objectstore.Object{Name: i.Object, Size: info.Size(), SHA256: hex.EncodeToString(h.Sum(nil)),
		Content: summary.Content}
	i.Bytes = o.Size
	if !p.Replace {
		there, found, err := p.s.Stat(ctx, o.Name)
		switch {
		case err != nil:
			return i, err
		case found && (there.SHA256 == o.SHA256 || there.Content == o.Content):
			return i, nil
		case found:
			return i, fail.New(fail.BadInput, "push %v: %s is there with other content", i.Ref(), p.s.Of(o.Name)).
				WithHint("push to a prefix of your own; or --replace it, if it is damaged")
		}
	}
	i.Outcome = Pushed
	return i, p.s.Put(ctx, o, f)
}

// target remembers that the fault is one of writing, not of reading.
type target struct {
	w   io.Writer
	err error
}

func (t *target) Write(b []byte) (int, error) {
	n, err := t.w.Write(b)
	if err != nil {
		t.err = err
	}
	return n, err
}
