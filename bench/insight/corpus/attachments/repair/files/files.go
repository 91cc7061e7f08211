// Package files keeps attachments in a directory.
package files

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Box is a directory with attachments.
type Box struct {
	dir string
	mu  sync.RWMutex
	in  map[string]string
}

// NewBox returns an empty box.
func NewBox(dir string) *Box { return &Box{dir: dir, in: map[string]string{}} }

// Attachment is an attachment to be sent.
type Attachment struct {
	Name string
	Size int64
	file *os.File
}

// Close frees what the attachment holds.
func (a *Attachment) Close() error { return a.file.Close() }

// Send writes the content to w.
func (a *Attachment) Send(w io.Writer) (int64, error) {
	return io.Copy(w, a.file)
}

// Save adds an attachment.
func (b *Box) Save(id, name string, data []byte) error {
	if err := os.WriteFile(filepath.Join(b.dir, id), data, 0o600); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in[id] = name
	return nil
}

// Load finds an attachment.
func (b *Box) Load(id string) (*Attachment, error) {
	b.mu.RLock()
	name, ok := b.in[id]
	b.mu.RUnlock()
	if !ok {
		return nil, fs.ErrNotExist
	}
	f, err := os.Open(filepath.Join(b.dir, id))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Attachment{Name: name, Size: info.Size(), file: f}, nil
}
