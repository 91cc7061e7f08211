package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/internal/store/bucket"
)

// objectsCommand gives hone the objects of a place: hone track --store s3://BUCKET/PREFIX runs it.
func (a *app) objectsCommand() *cobra.Command {
	f := &storeFlags{}
	return &cobra.Command{
		Use:    bucket.Command + " s3://BUCKET[/PREFIX]",
		Short:  "Serve the objects of a place to hone, over standard input and output",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, _, err := f.location(args, "hone track --store s3://BUCKET/PREFIX")
			if err != nil {
				return err
			}
			store, err := f.open(at)
			if err != nil {
				return err
			}
			defer store.Close()
			return bucket.Serve(cmd.Context(), os.Stdin, a.Raw, place{store})
		},
	}
}

// place is a store as hone asks for it.
type place struct{ store *objectstore.Store }

var _ bucket.Place = place{}

// List implements bucket.Place.
func (p place) List(ctx context.Context) (all []bucket.Object, err error) {
	objects, err := p.store.List(ctx)
	for _, o := range objects {
		all = append(all, bucket.Object{Name: o.Name, Size: o.Size})
	}
	return all, err
}

// getters is how many objects are asked for at once: a store answers after some 30 ms.
const getters = 8

// Get implements bucket.Place. What of an object is not as hone put it there is given as it is: each point has a hash.
func (p place) Get(ctx context.Context, names []string, most int64, take func(bucket.Object) error) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	next := make(chan string)
	errs := make([]error, getters)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { // ends with the names
			for name := range next {
				if errs[i] == nil {
					if errs[i] = p.get(ctx, name, most, take); errs[i] != nil {
						end()
					}
				}
			}
		})
	}
	for _, name := range names {
		next <- name
	}
	close(next)
	all.Wait()
	for _, err := range errs { // the first one ended the others
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

func (p place) get(ctx context.Context, name string, most int64, take func(bucket.Object) error) error {
	var content bytes.Buffer
	_, err := p.store.Get(ctx, name, most, &content)
	o := bucket.Object{Name: name, Content: content.Bytes()}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, objectstore.ErrDamaged) && (content.Len() == 0 || int64(content.Len()) > most):
		o.Fault, o.Content = err.Error(), nil
	case err != nil && !errors.Is(err, objectstore.ErrDamaged):
		return err
	}
	return take(o)
}

// Put implements bucket.Place.
func (p place) Put(ctx context.Context, o bucket.Object) error {
	sum := sha256.Sum256(o.Content)
	hash := hex.EncodeToString(sum[:])
	return p.store.Put(ctx, objectstore.Object{Name: o.Name, Size: int64(len(o.Content)), SHA256: hash, Content: hash},
		bytes.NewReader(o.Content))
}
