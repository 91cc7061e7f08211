// Command fsync writes some requests to a journal, in blocks each of which has to be on the disk before
// the next one is written.
package main

import (
	"context"
	"os"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

// A record has so many blocks of so many bytes. journals is how many records can be written at a time.
const (
	blocks   = 24
	size     = 4 << 10
	journals = 16
)

type disk struct {
	free  chan *os.File
	block [size]byte
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	dir, err := os.MkdirTemp("", "hone-fsync-")
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { os.RemoveAll(dir) })
	d := &disk{free: make(chan *os.File, journals)}
	for range journals {
		f, err := os.CreateTemp(dir, "journal-")
		if err != nil {
			return nil, err
		}
		d.free <- f
	}
	return d.accept, nil
}

func (d *disk) accept(_ context.Context, r *serving.Request) error {
	if !serving.Seldom() {
		return nil
	}
	f := <-d.free
	defer func() { d.free <- f }()
	for i := range int64(blocks) {
		if _, err := f.WriteAt(d.block[:], i*size); err != nil {
			return err
		}
		began := time.Now()
		err := f.Sync() // cause: syscall
		r.Waited(1, began)
		if err != nil {
			return err
		}
	}
	return nil
}
