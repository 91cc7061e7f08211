package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Tip is one state of a data branch. A name is that of a file at the top, or DIRECTORY/FILE: no deeper ones are seen.
type Tip struct {
	w *workplace
	// commit is "" for a branch that is not there yet.
	commit string
	top    []entry
	below  map[string][]entry // of the directories that were listed
}

// entry is a line of git ls-tree.
type entry struct {
	mode, kind, hash string
	name             string
}

const (
	// mostTree bounds the list of one directory, in bytes: 100,000 files of 80 bytes.
	mostTree = 16 << 20
	// regular is the mode of files that hone writes.
	regular = "100644"
)

// Exists says whether the branch is there.
func (t *Tip) Exists() bool { return t.commit != "" }

// Files are the names of the files at the top. Links and submodules are none.
func (t *Tip) Files() (all []string) {
	for _, e := range t.top {
		if e.isFile() {
			all = append(all, e.name)
		}
	}
	return all
}

// Bring fetches files at the top, those that are not here yet, in one request. Read fetches one that is missing by itself.
func (t *Tip) Bring(ctx context.Context, names []string) error {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var hashes []string
	for _, e := range t.top {
		if wanted[e.name] && e.isFile() {
			hashes = append(hashes, e.hash)
		}
	}
	return t.w.bring(ctx, hashes)
}

func (e entry) isFile() bool {
	return e.kind == "blob" && (e.mode == regular || e.mode == "100755" || e.mode == "100664")
}

// Read reads a file of at most that many bytes. The error wraps fs.ErrNotExist if there is none.
func (t *Tip) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	dir, base := path.Split(name)
	entries, err := t.list(ctx, strings.TrimSuffix(dir, "/"))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch {
		case e.name != base:
			continue
		case !e.isFile():
			return nil, fail.New(fail.BadInput, "%q of %v is no file", name, t.w.branch)
		}
		if err := t.w.bring(ctx, []string{e.hash}); err != nil {
			return nil, err
		}
		text, err := (&Blobs{t.w.dir, t.w.settings, t.w.env}).Read(ctx, e.hash, most)
		if errors.Is(err, ErrTooMuch) {
			err = fmt.Errorf("%q of %v has more than the %d bytes that are read", name, t.w.branch, most)
		}
		return text, err
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

// readTip lists the top of a commit.
func (w *workplace) readTip(ctx context.Context, commit string) (*Tip, error) {
	t := &Tip{w: w, commit: commit, below: map[string][]entry{}}
	if commit == "" {
		return t, nil
	}
	top, err := w.listTree(ctx, commit)
	t.top = top
	return t, err
}

// list are the entries of a directory at the top; "" for the top itself.
func (t *Tip) list(ctx context.Context, dir string) ([]entry, error) {
	if dir == "" {
		return t.top, nil
	}
	if known, is := t.below[dir]; is {
		return known, nil
	}
	i := slices.IndexFunc(t.top, func(e entry) bool { return e.name == dir && e.kind == "tree" })
	if i < 0 {
		return nil, nil
	}
	entries, err := t.w.listTree(ctx, t.top[i].hash)
	if err == nil {
		t.below[dir] = entries
	}
	return entries, err
}

// listTree reads one directory, and none below it: trees in trees can be made that have more entries than atoms
// are in the world.
func (w *workplace) listTree(ctx context.Context, tree string) (all []entry, err error) {
	out := &limited{most: mostTree}
	if err := stream(ctx, w.dir, w.settings, strings.NewReader(""), out, w.env, "ls-tree", "-z", "--full-tree",
		tree); err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(out.text.String(), "\x00"), "\x00") {
		head, name, found := strings.Cut(line, "\t")
		fields := strings.Fields(head) // MODE KIND HASH (git-ls-tree, OUTPUT FORMAT)
		if line == "" {
			continue
		}
		if !found || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree: %q is no entry", line)
		}
		all = append(all, entry{mode: fields[0], kind: fields[1], hash: fields[2], name: name})
	}
	return all, nil
}

// commit makes a commit of the tip's files with those that changed or are new.
func (w *workplace) commit(ctx context.Context, t *Tip, files map[string][]byte, message string) (string, error) {
	changed := map[string][]entry{} // by directory
	for name, content := range files {
		hash, err := w.git(ctx, string(content), "hash-object", "-w", "--stdin")
		if err != nil {
			return "", fmt.Errorf("write %s: %w", name, err)
		}
		dir, base := path.Split(name)
		dir = strings.TrimSuffix(dir, "/")
		changed[dir] = append(changed[dir], entry{mode: regular, kind: "blob", hash: hash, name: base})
	}
	for dir, entries := range changed {
		if dir == "" {
			continue
		}
		old, err := t.list(ctx, dir)
		if err != nil {
			return "", err
		}
		hash, err := w.makeTree(ctx, old, entries)
		if err != nil {
			return "", err
		}
		changed[""] = append(changed[""], entry{mode: "040000", kind: "tree", hash: hash, name: dir})
	}
	tree, err := w.makeTree(ctx, t.top, changed[""])
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", "--no-gpg-sign", "-m", message}
	if t.commit != "" {
		args = append(args, "-p", t.commit)
	}
	return w.git(ctx, "", append(args, tree)...)
}

// makeTree writes a directory: the old entries, and those that replace them or are new.
func (w *workplace) makeTree(ctx context.Context, old, changed []entry) (string, error) {
	var list strings.Builder
	for _, e := range changed {
		fmt.Fprintf(&list, "%s %s %s\t%s\x00", e.mode, e.kind, e.hash, e.name)
	}
	for _, e := range old {
		if !slices.ContainsFunc(changed, func(c entry) bool { return c.name == e.name }) {
			fmt.Fprintf(&list, "%s %s %s\t%s\x00", e.mode, e.kind, e.hash, e.name)
		}
	}
	return w.git(ctx, list.String(), "mktree", "-z", "--missing")
}
