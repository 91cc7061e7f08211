package main

import (
	"os"
	"path/filepath"
	"sync"
)

// journal appends lines to one file per topic.
type journal struct {
	mu   sync.Mutex
	dir  string
	open map[string]*os.File
}

func newJournal(dir string) *journal { return &journal{dir: dir, open: map[string]*os.File{}} }

// file returns the topic's file, which stays open.
func (j *journal) file(topic string) (*os.File, error) {
	if f, ok := j.open[topic]; ok {
		return f, nil
	}
	f, err := os.OpenFile(j.name(topic), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil {
		j.open[topic] = f
	}
	return f, err
}

func (j *journal) name(topic string) string { return filepath.Join(j.dir, topic+".jsonl") }

func (j *journal) append(topic string, line []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	f, err := j.file(topic)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return err
}
