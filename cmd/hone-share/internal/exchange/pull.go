package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// PullOptions say what Pull pulls.
type PullOptions struct {
	// Names are ids of runs and comparisons, or their first 4 digits or more; none means all.
	Names []string
	// Done is told of each object at once.
	Done func(Item)
}

// Pull gets from the store what the ledger in dir does not have, in the order in which it was measured. An object is
// imported whole or not at all. One that is refused does not keep the others from being pulled: the error is the first
// refusal then. What was done before an error stays done, and a later Pull goes on from there. dir is made when the
// first object is imported.
func Pull(ctx context.Context, dir string, s *objectstore.Store, o PullOptions) error {
	items, err := offered(ctx, s)
	if err != nil {
		return err
	}
	if len(o.Names) > 0 {
		if items, err = chosen(items, o.Names, s); err != nil {
			return err
		}
	}
	if err := markThere(items, dir); err != nil {
		return err
	}
	var first error
	refused := 0
	for _, i := range items {
		if ctx.Err() != nil {
			return fail.New(fail.Interrupted, "pull: stopped: %w", context.Cause(ctx))
		}
		if i.Outcome != There {
			i, err = pullOne(ctx, dir, s, i)
			var no *refusal
			if errors.As(err, &no) {
				refused++
				if first == nil {
					first = err
				}
				i.Outcome, i.Why = Refused, err.Error()
			} else if err != nil {
				return err
			}
		}
		o.Done(i)
	}
	if refused > 1 {
		return fail.New(fail.BadInput, "%d objects were refused, the first: %w", refused, first)
	}
	return first
}

// offered lists the objects with names of ours, the oldest first.
func offered(ctx context.Context, s *objectstore.Store) ([]Item, error) {
	objects, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(objects, func(a, b objectstore.Object) int { return cmp.Compare(a.Name, b.Name) })
	var items []Item
	seen := map[string]bool{}
	for _, o := range objects {
		if i, ok := itemOf(o.Name); ok && !seen[o.Name] {
			seen[o.Name] = true
			i.Bytes = o.Size
			items = append(items, i)
		}
	}
	return items, nil
}

// minName is the shortest start of an id that the ledger takes, too.
const minName = 4

// chosen keeps the items that the names are of, each once.
func chosen(items []Item, names []string, s *objectstore.Store) ([]Item, error) {
	var kept []Item
	for _, name := range names {
		prefix := strings.ToLower(name)
		if len(prefix) < minName || strings.Trim(prefix, "0123456789abcdef") != "" {
			return nil, fail.New(fail.BadInput, "pull %.80q: an id has 8 hexadecimal digits; the first %d are enough",
				name, minName).
				WithHint("hone history where the run was measured shows it")
		}
		found := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return !i.has(prefix) })
		switch {
		case len(found) == 0:
			return nil, fail.New(fail.BadInput, "pull %s: %s has no such run or comparison; it has %d objects", name, s,
				len(items)).
				WithHint("was it pushed? hone share pull %s without names takes all that is there", s)
		case len(found) > 1:
			return nil, fail.New(fail.BadInput, "pull %s: several are meant: %v and %v", name, found[0].Ref(),
				found[1].Ref()).
				WithHint("give more digits of the id")
		}
		if !slices.ContainsFunc(kept, func(i Item) bool { return i.Object == found[0].Object }) {
			kept = append(kept, found[0])
		}
	}
	return kept, nil
}

// markThere marks what the ledger has. Without a ledger that is nothing.
func markThere(items []Item, dir string) error {
	l, err := ledger.OpenReader(dir)
	if errors.Is(err, ledger.ErrNoLedger) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.Close()
	for n, i := range items {
		ref, err := l.Find(i.ID)
		switch {
		case err == nil && ref == i.Ref():
			items[n].Outcome = There
		case err != nil && fail.KindOf(err) != fail.BadInput:
			return err
		}
	}
	return nil
}

// refusal is an error about one object, after which the next one can be pulled.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

// pullOne gets, checks and imports one object.
func pullOne(ctx context.Context, dir string, s *objectstore.Store, i Item) (_ Item, err error) {
	temporary, err := tempdir.Make()
	if err != nil {
		return i, err
	}
	defer func() { err = errors.Join(err, temporary.Remove()) }()
	blobs := filepath.Join(temporary.Path, "blobs")
	if err := os.Mkdir(blobs, 0o700); err != nil {
		return i, fail.New(fail.Storage, "make temporary directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(temporary.Path, "archive"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return i, fail.New(fail.Storage, "make temporary file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	got, err := s.Get(ctx, i.Object, i.Bytes, f)
	if err != nil {
		return i, refusalIf(errors.Is(err, objectstore.ErrDamaged), err)
	}
	i.Bytes = got.Size
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return i, fail.New(fail.Storage, "read archive: %w", err)
	}
	read, err := archive.Read(f, blobs, archive.DefaultLimits)
	if err == nil {
		err = check(i, read)
	}
	if err != nil {
		return i, refusalIf(fail.KindOf(err) == fail.BadInput, fmt.Errorf("%s: %w", s.Of(i.Object), err))
	}
	if ctx.Err() != nil {
		return i, fail.New(fail.Interrupted, "pull: stopped: %w", context.Cause(ctx))
	}
	if err := importRead(dir, read); err != nil {
		return i, refusalIf(fail.KindOf(err) == fail.BadInput, fmt.Errorf("%s: %w", s.Of(i.Object), err))
	}
	i.Outcome = Pulled
	return i, nil
}

func refusalIf(is bool, err error) error {
	if is {
		return &refusal{err}
	}
	return err
}

// check holds the content of an archive against the name of its object.
func check(i Item, a *archive.Archive) error {
	for _, r := range a.Records {
		ref := r.Ref()
		switch {
		case ref != i.Ref():
		case r.Run != nil && nameOf(r.Run.Started, ref, nil) == i.Object && len(a.Records) == 1:
			return nil
		case r.Comparison != nil && nameOf(r.Comparison.Started, ref, r.Comparison.Runs) == i.Object &&
			len(a.Records) == 1+len(r.Comparison.Runs):
			return nil
		}
	}
	return fail.New(fail.BadInput, "refuse archive: it holds other runs than the name of its object says").
		WithHint("nothing of it was imported; push it again with --replace from a ledger that has it, or remove it from " +
			"the store")
}

func importRead(dir string, read *archive.Archive) error {
	store, err := ledger.Open(dir)
	if err != nil {
		return err
	}
	_, err = store.Import(read.Records, read.Blob)
	return errors.Join(err, store.Close())
}
