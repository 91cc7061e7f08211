package touches

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// Change is what differs between two commits.
type Change struct {
	// Files are the files that differ, slash-separated from the root of the repository, sorted.
	Files []string `json:"files"`
	// Touches are what differs besides code, in the order of the files.
	Touches []Touch `json:"touches,omitempty"`
}

// Touch is one thing that differs besides code.
type Touch struct {
	Kind Kind   `json:"kind"`
	File string `json:"file"`
	// Line and Text are of the line in the new file that is it; 0 and "" where it is the file.
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"`
}

// String names the place.
func (t Touch) String() string {
	switch {
	case t.Line > 0:
		return fmt.Sprintf("%q:%d (%.80q)", t.File, t.Line, t.Text)
	case t.Text != "":
		return fmt.Sprintf("%q (%.80q)", t.File, t.Text)
	}
	return fmt.Sprintf("%q", t.File)
}

// The bounds: a change of more files is no patch of a program, and a Go file of more bytes is not one that a person
// has written.
const (
	mostFiles = 5000
	mostBytes = 8 << 20
)

// Between says what differs between two commits of the repository around dir.
//
// Errors are fail.BadInput for a change of more files, or with larger files, than are looked at; fail.Environment of
// git.
func Between(ctx context.Context, dir, a, b string) (*Change, error) {
	changed, err := git.TreeChanges(ctx, dir, a, b)
	if err != nil {
		return nil, fail.New(fail.Or(fail.Environment, err), "list what differs between %.12s and %.12s: %w", a, b, err)
	}
	if len(changed) > mostFiles {
		return nil, fail.New(fail.BadInput, "%d files differ between %.12s and %.12s, and hone looks at up to %d",
			len(changed), a, b, mostFiles).WithHint("name a nearer base, or a smaller patch")
	}
	blobs, err := git.OpenBlobs(ctx, dir)
	if err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, blobs: blobs, old: map[string]bool{}, gone: map[string]int{}, found: &Change{}}
	for _, c := range changed {
		if err := r.read(c); err != nil {
			return nil, err
		}
	}
	r.conclude()
	return r.found, nil
}

// Refused are the touches of kinds that are not allowed.
func (c *Change) Refused(allowed []Kind) (refused []Touch) {
	for _, t := range c.Touches {
		if !slices.Contains(allowed, t.Kind) {
			refused = append(refused, t)
		}
	}
	return refused
}

// reader looks at the files that differ. Code may move from file to file: a directive is new if no file that differs
// had it before.
type reader struct {
	ctx   context.Context
	blobs *git.Blobs
	found *Change
	// fresh are the marks of the new files, and old those of the files before.
	fresh []Touch
	old   map[string]bool
	// tagged are files whose build constraints are new or others, with them; gone counts those that are no longer there.
	tagged []Touch
	gone   map[string]int
}

func (r *reader) read(c git.TreeChange) error {
	r.found.Files = append(r.found.Files, c.Path)
	kinds := byPath(c)
	for _, kind := range kinds {
		r.add(kind, c.Path)
	}
	base := path.Base(c.Path)
	inert := slices.Contains(kinds, Testdata) || slices.Contains(kinds, Vendor) || slices.Contains(kinds, Links)
	switch {
	case inert:
		return nil
	case base == "go.mod", base == "go.work":
		return r.readModule(c)
	case strings.HasSuffix(base, ".go"):
		return r.readGo(c)
	}
	return nil
}

func (r *reader) add(kind Kind, file string) {
	r.found.Touches = append(r.found.Touches, Touch{Kind: kind, File: file})
}

func (r *reader) texts(c git.TreeChange) (both [2][]byte, err error) {
	for i, hash := range []string{c.OldHash, c.NewHash} {
		if hash == "" {
			continue
		}
		both[i], err = r.blobs.Read(r.ctx, hash, mostBytes)
		if err != nil && r.ctx.Err() == nil {
			return both, fail.New(fail.BadInput, "read %q at %.12s: %w", c.Path, hash, err).
				WithHint("hone looks at Go files of up to %d MiB; leave a generated file out of the patch", mostBytes>>20)
		}
		if err != nil {
			return both, err
		}
	}
	return both, nil
}

func (r *reader) readModule(c git.TreeChange) error {
	texts, err := r.texts(c)
	if err != nil {
		return err
	}
	toolA, restA := readModule(texts[0])
	toolB, restB := readModule(texts[1])
	if toolA != toolB {
		text := strings.Join(strings.Fields(toolB), " ")
		r.found.Touches = append(r.found.Touches, Touch{Kind: Toolchain, File: c.Path, Text: text})
	}
	if restA != restB {
		r.add(Modules, c.Path)
	}
	return nil
}

func (r *reader) readGo(c git.TreeChange) error {
	texts, err := r.texts(c)
	if err != nil {
		return err
	}
	var a, b source
	if c.OldHash != "" {
		a = readGo(c.Path, texts[0])
	}
	if c.NewHash != "" {
		b = readGo(c.Path, texts[1])
	}
	if a.benchmarks != b.benchmarks {
		r.add(Benchmarks, c.Path)
	}
	if isTest(c.Path) && (a.tests != b.tests || a.benchmarks == b.benchmarks) {
		r.add(Tests, c.Path)
	}
	for _, m := range a.marks {
		r.old[string(m.kind)+m.text] = true
	}
	for _, m := range b.marks {
		r.fresh = append(r.fresh, Touch{m.kind, c.Path, m.line, m.text})
	}
	if a.tags != b.tags {
		if a.tags != "" {
			r.gone[a.tags]++
		}
		if b.tags != "" || c.NewHash != "" {
			r.tagged = append(r.tagged, Touch{Kind: BuildTags, File: c.Path, Text: b.tags})
		} else {
			r.tagged = append(r.tagged, Touch{Kind: BuildTags, File: c.Path, Text: goneWith + a.tags})
		}
	}
	return nil
}

// goneWith begins the text of a file that is gone, and had build constraints.
const goneWith = "gone: "

// conclude decides on what may only have moved.
func (r *reader) conclude() {
	for _, t := range r.fresh {
		if !r.old[string(t.Kind)+t.Text] {
			r.found.Touches = append(r.found.Touches, t)
		}
	}
	moved := map[string]int{}
	for _, t := range r.tagged {
		if !strings.HasPrefix(t.Text, goneWith) && r.gone[t.Text] > moved[t.Text] {
			moved[t.Text]++
		}
	}
	left := map[string]int{} // how many of those that moved have been seen, on each side
	for _, t := range r.tagged {
		tags := strings.TrimPrefix(t.Text, goneWith)
		if left[t.Text] < moved[tags] {
			left[t.Text]++
			continue
		}
		t.Text = strings.TrimSpace(strings.ReplaceAll(t.Text, "\n", " "))
		r.found.Touches = append(r.found.Touches, t)
	}
	slices.SortStableFunc(r.found.Touches, func(a, b Touch) int { return cmp.Compare(a.File, b.File) })
}
