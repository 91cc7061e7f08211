package bisect

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// branch is the rebuilt history.
const branch = "refs/heads/planted"

// A commit that does not build has this file next to the hot one.
const (
	brokenFile = "zzz_broken.go"
	brokenText = "package broken\n\nfunc {\n"
)

// rebuild writes the history anew into the repository at dir, which has its objects, each commit with what is planted, and checks out
// its end. Author, date and message stay. It returns the hashes by place.
//
// Commits without a go.mod get that of the last one, with its go.sum: today's Go builds nothing without.
func (h *history) rebuild(ctx context.Context, dir string, d draw, iterations int) ([]string, error) {
	var hot []string
	for _, c := range h.commits {
		hot = append(hot, c.hot)
	}
	files, err := texts(ctx, h.clone, hot)
	if err != nil {
		return nil, err
	}
	last := h.commits[len(h.commits)-1]
	modules, err := hashes(ctx, h.clone, []string{last.hash + ":go.mod", last.hash + ":go.sum"})
	if err != nil {
		return nil, err
	}
	w := &writer{blobs: map[string]int{}}
	for at, c := range h.commits {
		var changes []string
		if what := d.planted(at, iterations); what != (corpus.Planted{}) {
			text, file, err := h.subject.PlantIn(files[c.hot], what)
			if err != nil {
				return nil, err
			}
			changes = append(changes, w.file(h.subject.HotFile(), string(text)), w.file(h.subject.PlantedFile(), file))
		}
		if d.broken(at) {
			changes = append(changes, w.file(path.Join(path.Dir(h.subject.HotFile()), brokenFile), brokenText))
		}
		for i, name := range []string{"go.mod", "go.sum"} {
			if !c.module && modules[i] != "" {
				changes = append(changes, fileLine(modules[i], name))
			}
		}
		w.commit(c, changes)
	}
	if _, err := corpus.Git(ctx, dir, w.text.String(), "fast-import", "--quiet"); err != nil {
		return nil, err
	}
	if _, err := corpus.Git(ctx, dir, "", "checkout", "--quiet", "--detach", branch); err != nil {
		return nil, err
	}
	return listed(ctx, dir)
}

// listed are the commits of the branch, the oldest first, or those that change files.
func listed(ctx context.Context, dir string, files ...string) ([]string, error) {
	out, err := corpus.Git(ctx, dir, "", append([]string{"rev-list", "--reverse", branch, "--"}, files...)...)
	return strings.Fields(string(out)), err
}

// writer makes the input of git fast-import: blobs, each once, and a line of commits.
type writer struct {
	text  strings.Builder
	blobs map[string]int // marks of texts
	marks int
	last  int // mark of the last commit
}

func (w *writer) mark() int {
	w.marks++
	return w.marks
}

// file is the line that puts a text into a tree.
func (w *writer) file(name, text string) string {
	mark := w.blobs[text]
	if mark == 0 {
		mark = w.mark()
		w.blobs[text] = mark
		fmt.Fprintf(&w.text, "blob\nmark :%d\ndata %d\n%s\n", mark, len(text), text)
	}
	return fileLine(fmt.Sprintf(":%d", mark), name)
}

func fileLine(blob, name string) string { return fmt.Sprintf("M 100644 %s %s\n", blob, name) }

// commit writes one with the tree of c, and changes of it.
func (w *writer) commit(c commit, changes []string) {
	mark := w.mark()
	fmt.Fprintf(&w.text, "commit %s\nmark :%d\n%sdata %d\n%s\n", branch, mark, c.head, len(c.message), c.message)
	if w.last > 0 {
		fmt.Fprintf(&w.text, "from :%d\n", w.last)
	}
	fmt.Fprintf(&w.text, "M 040000 %s \n%s\n", c.tree, strings.Join(changes, ""))
	w.last = mark
}
