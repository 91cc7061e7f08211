package series

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/store/bucket"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// objectFiles are the objects with points that were got, packed, by name.
type objectFiles map[string]bucket.Object

// get gets all points, of those that have a copy the copy alone. single are the sound ones that have none, by name.
func (f objectFiles) get(ctx context.Context, p bucket.Place) (single []encoded, faults []Fault, err error) {
	several, alone, err := list(ctx, p)
	if err == nil {
		err = f.fetch(ctx, p, several)
	}
	if err != nil {
		return nil, nil, err
	}
	known := map[string]bool{}
	for _, name := range several {
		here := map[string]bool{}
		if _, _, err := readIDs(ctx, f, name, here); err != nil {
			continue // Read names it
		}
		if _, n, _ := namedBy(name); n != len(here) {
			faults = append(faults, Fault{File: name, Reason: fmt.Sprintf("it has %d sound points, and its name says %d", len(here), n)})
		}
		maps.Copy(known, here)
	}
	alone = slices.DeleteFunc(alone, func(name string) bool {
		id, _, _ := namedBy(name)
		return known[id]
	})
	if err := f.fetch(ctx, p, alone); err != nil {
		return nil, nil, err
	}
	for _, name := range alone {
		if one, sound := f.sound(ctx, name); sound {
			single = append(single, one)
		}
	}
	return single, faults, ctx.Err()
}

// list are the names of the objects with several points and with one, sorted.
func list(ctx context.Context, p bucket.Place) (several, alone []string, err error) {
	all, err := p.List(ctx)
	size := int64(0)
	for _, o := range all {
		switch _, n, ok := namedBy(o.Name); {
		case !ok:
			continue
		case n > 1:
			several = append(several, o.Name)
		default:
			alone = append(alone, o.Name)
		}
		if size += o.Size; size > mostStored {
			return nil, nil, fail.New(fail.BadInput, "the objects with points have more than %d MiB", mostStored>>20).
				WithHint("move the objects of old years to another prefix")
		}
	}
	slices.Sort(several)
	slices.Sort(alone)
	return several, alone, err
}

// fetch gets objects. Those that were removed meanwhile are left out.
func (f objectFiles) fetch(ctx context.Context, p bucket.Place, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return p.Get(ctx, names, inputs.SeriesFile.Most, func(o bucket.Object) error {
		f[o.Name] = o
		return nil
	})
}

// sound is the point of an object with one, as it was written.
func (f objectFiles) sound(ctx context.Context, name string) (one encoded, sound bool) {
	in, err := f.open(ctx, name)
	if err != nil {
		return one, false
	}
	defer in.Close()
	lines := 0
	err = eachLine(ctx, in, func(l line) bool {
		lines++
		id, ok := trueID(l.text)
		p, err := decode(ctx, l.text)
		want, _, _ := namedBy(name)
		sound = ok && err == nil && id == want && l.ended && lines == 1
		one = encoded{id, p.At, append(slices.Clone(l.text), '\n')}
		return sound
	})
	return one, sound && err == nil
}

func (f objectFiles) files() ([]string, error) { return slices.Sorted(maps.Keys(f)), nil }

func (f objectFiles) open(_ context.Context, name string) (io.ReadCloser, error) {
	o := f[name]
	if o.Fault != "" {
		return nil, errors.New(o.Fault)
	}
	z, err := gzip.NewReader(bytes.NewReader(o.Content))
	if err != nil {
		return nil, err
	}
	return io.NopCloser(inputs.SeriesFile.Reader("", z)), nil
}
