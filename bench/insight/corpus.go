package insight

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// corpusDir is the module of the programs, from the directory bench.
const corpusDir = "insight/corpus"

// corpus is one half of the programs, in a module.
type corpus struct {
	dir      string
	closed   bool
	programs []*program
}

// program is a directory of the corpus.
type program struct {
	Name string
	dir  string
	truth
}

// openCorpus reads the open half of the corpus where it is, or unpacks the closed one into scratch.
func openCorpus(closed bool, scratch string) (*corpus, error) {
	if !closed {
		return readCorpus(corpusDir, false)
	}
	dir := filepath.Join(scratch, "corpus")
	if err := unpackClosed(corpusDir, dir); err != nil {
		return nil, err
	}
	return readCorpus(dir, true)
}

// half is the name of this one.
func (c *corpus) half() string { return bed.Half(c.closed) }

// named is the program of a name; nil if there is none.
func (c *corpus) named(name string) *program {
	for _, p := range c.programs {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// readCorpus reads the truth of all programs in a directory, by name. A truth that cannot be right is an error.
func readCorpus(dir string, closed bool) (*corpus, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "truth.json"))
	if err != nil {
		return nil, err
	}
	c := &corpus{dir: dir, closed: closed}
	var all error
	for _, path := range files {
		p := &program{Name: filepath.Base(filepath.Dir(path)), dir: filepath.Dir(path)}
		if err := p.read(path); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", path, err))
		}
		c.programs = append(c.programs, p)
	}
	return c, all
}

// read reads the truth of a program.
func (p *program) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.truth); err != nil {
		return err
	}
	return p.check(p.dir)
}

// unpackClosed unpacks the archives closed-PART.tar.gz of the corpus in from, each of which has to have the hash that was committed
// with it, and the files of the module that all programs share.
func unpackClosed(from, to string) error {
	archives, err := filepath.Glob(filepath.Join(from, "closed-*.tar.gz"))
	if err != nil {
		return err
	}
	if err := copyShared(from, to); err != nil {
		return err
	}
	for _, path := range archives {
		if err := unpack(path, to); err != nil {
			return fmt.Errorf("unpack %s: %w", path, err)
		}
	}
	return nil
}

func unpack(path, to string) error {
	packed, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	committed, err := os.ReadFile(strings.TrimSuffix(path, ".tar.gz") + ".sha256")
	if err != nil {
		return err
	}
	if hash := fmt.Sprintf("%x", sha256.Sum256(packed)); !strings.HasPrefix(string(committed), hash) {
		return fmt.Errorf("its SHA-256 is %s, not the one that was committed", hash)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("%s is outside of the corpus", h.Name)
		}
		text, err := io.ReadAll(files)
		if err == nil {
			// What was packed in a directory of its own imports its packages from there.
			text = bytes.ReplaceAll(text, []byte(`"corpus/closed/`), []byte(`"corpus/`))
			err = put(filepath.Join(to, strings.TrimPrefix(h.Name, "closed/")), text)
		}
		if err != nil {
			return err
		}
	}
}

// copyShared copies what all programs of the module share, as far as it is there.
func copyShared(from, to string) error {
	for _, shared := range []string{"go.mod", "go.sum", "truth"} {
		if err := copyAll(filepath.Join(from, shared), filepath.Join(to, shared)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copyAll copies a file, or all files of a directory.
func copyAll(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return put(filepath.Join(to, rel), text)
	})
}

func put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
