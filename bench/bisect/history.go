package bisect

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// commit is one of a history, as git stores it.
type commit struct {
	hash, tree string
	// head has the lines of author and committer, each with its end. message is the text.
	head, message string
	// hot is the blob of the hot file, dir the tree of the measured package, module whether the root has a go.mod.
	hot, dir string
	module   bool
}

// history is first-parent commits of a repository, the oldest first.
type history struct {
	subject corpus.Subject
	clone   string
	commits []commit
}

// mostRead are the most commits that are looked at.
const mostRead = 3000

// read reads the history up to a ref.
func read(ctx context.Context, clone string, s corpus.Subject, ref string) (h history, err error) {
	h = history{subject: s, clone: clone}
	out, err := corpus.Git(ctx, clone, "", "rev-list", "--first-parent", "--reverse", fmt.Sprintf("--max-count=%d", mostRead), ref)
	if err != nil {
		return h, err
	}
	names := strings.Fields(string(out))
	found, err := objects(ctx, clone, names)
	if err != nil {
		return h, err
	}
	for _, o := range found {
		h.commits = append(h.commits, readCommit(o))
	}
	return h, h.locate(ctx)
}

// readCommit reads a commit object: lines of its head, an empty one, and its message.
func readCommit(o object) (c commit) {
	head, message, _ := strings.Cut(string(o.text), "\n\n")
	c.hash, c.message = o.hash, message
	for line := range strings.Lines(head + "\n") {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "tree":
			c.tree = strings.TrimSpace(rest)
		case "author", "committer":
			c.head += line
		}
	}
	return c
}

// locate finds the hot file, the package and the go.mod of each commit.
func (h *history) locate(ctx context.Context) error {
	var names []string
	for _, c := range h.commits {
		dir := c.hash + "^{tree}"
		if h.subject.Dir != "" {
			dir = c.hash + ":" + h.subject.Dir
		}
		names = append(names, c.hash+":"+h.subject.HotFile(), dir, c.hash+":go.mod")
	}
	found, err := hashes(ctx, h.clone, names)
	if err != nil {
		return err
	}
	for i := range h.commits {
		c := &h.commits[i]
		c.hot, c.dir, c.module = found[3*i], found[3*i+1], found[3*i+2] != ""
	}
	return nil
}

// stretch is the longest one of consecutive commits that have the hot function and the same text of the benchmark, if any: the newest
// of those that are long enough for all.
func (h *history) stretch(ctx context.Context, enough int) (history, error) {
	marks, err := h.marks(ctx)
	if err != nil {
		return history{}, err
	}
	from, to := 0, 0
	for end := len(marks); end > 0 && to-from < enough; {
		begin := end - 1
		for begin > 0 && marks[begin-1] == marks[end-1] {
			begin--
		}
		if marks[end-1] != "" && end-begin > to-from {
			from, to = begin, end
		}
		end = begin
	}
	return h.part(from, to), nil
}

// part is the commits from one place to the one before another.
func (h *history) part(from, to int) history {
	return history{h.subject, h.clone, h.commits[from:to]}
}

// marks are equal for commits whose benchmark is the same, and empty where the benchmark, the package or the hot function is missing.
func (h *history) marks(ctx context.Context) ([]string, error) {
	var hot, dirs []string
	for _, c := range h.commits {
		hot, dirs = append(hot, c.hot), append(dirs, c.dir)
	}
	files, err := texts(ctx, h.clone, hot)
	if err != nil {
		return nil, err
	}
	fits := map[string]bool{}
	for hash, text := range files {
		_, _, err := h.subject.PlantIn(text, corpus.Planted{Iterations: 1})
		fits[hash] = err == nil
	}
	of, err := h.benchmarks(ctx, dirs)
	if err != nil {
		return nil, err
	}
	marks := make([]string, len(h.commits))
	for i, c := range h.commits {
		if fits[c.hot] {
			marks[i] = of[c.dir]
		}
	}
	return marks, nil
}

// benchmarks are the texts of the benchmark by the tree of its package; of a service, which has none, another text.
func (h *history) benchmarks(ctx context.Context, dirs []string) (map[string]string, error) {
	of := map[string]string{}
	if h.subject.Benchmark == "" {
		for _, dir := range dirs {
			of[dir] = "service"
		}
		of[""] = ""
		return of, nil
	}
	trees, err := texts(ctx, h.clone, dirs)
	if err != nil {
		return nil, err
	}
	tests := map[string][]string{}
	var blobs []string
	for hash, text := range trees {
		for _, e := range entries(text) {
			if strings.HasSuffix(e.name, "_test.go") {
				tests[hash], blobs = append(tests[hash], e.hash), append(blobs, e.hash)
			}
		}
	}
	files, err := texts(ctx, h.clone, blobs)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut("Benchmark"+h.subject.Benchmark, "/")
	found := map[string]map[string]string{}
	for hash, text := range files {
		found[hash] = functions(text)
	}
	for dir, blobs := range tests {
		all := map[string]string{}
		for _, b := range blobs {
			maps.Copy(all, found[b])
		}
		of[dir] = reached(name, all)
	}
	return of, nil
}
