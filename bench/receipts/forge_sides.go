package receipts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/sys/git"
)

// editCommit says that B was the commit of A, with B's tree still, or, with care, with the tree of A.
func editCommit(f *forging) error {
	r := f.receipt
	a, b := &r.Sides[0], &r.Sides[1]
	for i, word := range r.Line {
		r.Line[i] = strings.ReplaceAll(word, b.Commit, a.Commit)
	}
	b.Source = strings.ReplaceAll(b.Source, b.Commit, a.Commit)
	b.Commit, r.Patch, r.Checked = a.Commit, nil, nil
	if f.careful {
		b.Tree = a.Tree
	}
	return nil
}

// replaceTree says that B had another tree: that of A, or one that nobody has.
func replaceTree(f *forging) error {
	f.receipt.Sides[1].Tree = f.receipt.Sides[0].Tree
	if !f.careful {
		var tree [20]byte
		for i := range tree {
			tree[i] = byte(f.rng.Uint32())
		}
		f.receipt.Sides[1].Tree = hex.EncodeToString(tree[:])
	}
	return nil
}

// editPatch edits a digit of the patch, or, with care, has another patch, which changes nothing, with its commit.
func editPatch(f *forging) error {
	p := f.receipt.Patch
	if !f.careful {
		at := strings.LastIndexAny(p.Text, "0123456789")
		if at < 0 {
			return fmt.Errorf("the patch has no digit")
		}
		p.Text = p.Text[:at] + string('0'+(p.Text[at]-'0'+1)%10) + p.Text[at+1:]
		p.SHA256 = sum(p.Text)
		return nil
	}
	text, err := f.unused()
	if err != nil {
		return err
	}
	made, err := git.Apply(f.ctx, f.tree, p.Base, git.PatchText{Name: "a patch", Text: []byte(text)})
	if err != nil {
		return err
	}
	tree, err := git.TreeOf(f.ctx, f.tree, made.Commit)
	if err != nil {
		return err
	}
	p.Text, p.SHA256 = text, sum(text)
	b := &f.receipt.Sides[1]
	b.Commit, b.Tree, f.receipt.Checked = made.Commit, tree, nil
	return nil
}

func sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// unused is a patch of the measured package that adds a function which nothing calls.
func (f *forging) unused() (string, error) {
	r := f.receipt
	files, err := corpus.Git(f.ctx, f.tree, "", "ls-tree", "--name-only", "-r", r.Sides[0].Commit, "--",
		path.Clean(r.Repository.Below))
	if err != nil {
		return "", err
	}
	for file := range strings.Lines(string(files)) {
		file = strings.TrimSpace(file)
		if path.Dir(file) != path.Clean(r.Repository.Below) || !strings.HasSuffix(file, ".go") ||
			strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := corpus.Git(f.ctx, f.tree, "", "show", r.Sides[0].Commit+":"+file)
		if err != nil {
			return "", err
		}
		if m := isPackage.FindSubmatch(text); m != nil {
			return newFile(path.Join(path.Dir(file), "aaa_kept.go"), corpus.AddUnused(string(m[1]))), nil
		}
	}
	return "", fmt.Errorf("%s has no package", r.Repository.Below)
}

// unusedFile is unused as a file, and checks the base out, where hone can be asked about it.
func (f *forging) unusedFile() (string, error) {
	text, err := f.unused()
	if err != nil {
		return "", err
	}
	name := filepath.Join(f.tree, ".git", "unused.diff")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write a patch: %w", err)
	}
	_, err = corpus.Git(f.ctx, f.tree, "", "checkout", "--quiet", "--detach", f.receipt.Sides[0].Commit)
	return name, err
}

var (
	isPackage   = regexp.MustCompile(`(?m)^package (\w+)`)
	isBenchmark = regexp.MustCompile(`func Benchmark(\w*)\(`)
)

// newFile is a patch that adds a file.
func newFile(name, text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return fmt.Sprintf("--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n+%s\n", name, len(lines), strings.Join(lines, "+"))
}

// benchmarks are the words of the receipt's command that choose benchmarks.
func (f *forging) benchmarks() (words []string) {
	for _, word := range f.receipt.Line {
		if strings.HasPrefix(word, "--bench=") {
			words = append(words, word)
		}
	}
	return words
}

// changeLoad says that the figures are of another benchmark of the package, or of a load of one connection without
// depth.
func changeLoad(f *forging) error {
	r := f.receipt
	if r.Line.Verb() == "compare" {
		r.Line = r.Line.With("--connections=1", "--depth=1")
		return nil
	}
	own, others, err := f.otherBenchmarks()
	if err != nil {
		return err
	}
	if len(others) == 0 {
		return editFigures(f)
	}
	other := others[f.rng.IntN(len(others))]
	r.Line = r.Line.With("--bench=^Benchmark" + other + "$")
	if f.careful && len(r.Claims) == 1 {
		of := &r.Claims[0].Of
		at := strings.LastIndex(*of, "."+own)
		cpus := "" // go test ends a name with their number
		if i := strings.LastIndexByte(*of, '-'); i > at {
			cpus = (*of)[i:]
		}
		*of = (*of)[:max(at, 0)] + "." + other + cpus
	}
	return nil
}

// otherBenchmarks are those of the package that the receipt is not of; own is the one that it is of.
func (f *forging) otherBenchmarks() (own string, names []string, err error) {
	r := f.receipt
	below := path.Clean(r.Repository.Below)
	text, err := corpus.Git(f.ctx, f.tree, "", "grep", "-h", "-o", "-E", `^func Benchmark\w*\(`, r.Sides[0].Commit, "--",
		":(glob)"+path.Join(below, "*_test.go"))
	if err != nil {
		return "", nil, err
	}
	chosen := fmt.Sprint(f.benchmarks())
	for _, m := range isBenchmark.FindAllStringSubmatch(string(text), -1) {
		switch {
		case strings.Contains(chosen, "Benchmark"+m[1]+"$"):
			own = m[1]
		case !slices.Contains(names, m[1]):
			names = append(names, m[1])
		}
	}
	return own, names, nil
}
