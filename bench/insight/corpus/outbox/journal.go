package main

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// journal appends lines to one file per topic.
type journal struct {
	mu  sync.Mutex
	dir string
}

func newJournal(dir string) *journal { return &journal{dir: dir} }

func (j *journal) name(topic string) string { return filepath.Join(j.dir, topic+".jsonl") }

func (j *journal) append(topic string, line []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	f, err := os.OpenFile(j.name(topic), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
