// Package corpus has the public commits that cases measure: of libraries with a benchmark, of services with a load. It clones their
// repositories where they are not there yet, and makes a tree of a commit and one of what it is compared with.
package corpus

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Commit is a public commit, measured against its parent.
type Commit struct {
	// Repo is owner/name on GitHub, Commit its abbreviated hash.
	Repo, Commit string
	// Dir is the directory of the measured package; "" is the root of the repository.
	Dir string
	// Benchmark is one that the parent has, too, without the word Benchmark, with its part after a slash; "" for a service.
	Benchmark string
	// Adds, if any, is a file that a commit on top of Commit adds to Dir; this one is measured against Commit.
	Adds string
}

// Name tells the commits of a repository apart.
func (c Commit) Name() string {
	if c.Adds != "" {
		return c.Commit + "+1"
	}
	return c.Commit
}

// Base is what the commit is compared with.
func (c Commit) Base() string {
	if c.Adds != "" {
		return c.Commit
	}
	return c.Commit + "^"
}

// Pattern matches the benchmark and no other, as -test.bench takes it.
func (c Commit) Pattern() string {
	return "^Benchmark" + strings.ReplaceAll(c.Benchmark, "/", "$/^") + "$"
}

// String is how progress names it.
func (c Commit) String() string {
	return strings.TrimSpace(c.Repo + " " + c.Name() + " " + c.Benchmark)
}

// Kind says why a commit can change nothing.
type Kind string

// The kinds.
const (
	Documents Kind = "documents" // no Go file differs
	Packages  Kind = "packages"  // of other packages, which are not linked
	Comments  Kind = "comments"  // and the format of Go files
	Tests     Kind = "tests"     // the benchmark does not reach them
	Functions Kind = "functions" // nor these
	Unused    Kind = "unused"    // a function that no one calls comes in front of all others, on top of a commit
)

// Kinds are all of them. Where a commit is of several, the last one counts.
var Kinds = []Kind{Documents, Packages, Comments, Tests, Functions, Unused}

// NoOp is a commit that cannot change what is measured.
type NoOp struct {
	Commit
	Kind Kind
}

// unused is the file of a function that no one calls. The linker keeps it because init stores its address: it leaves a variable out
// that nothing uses, with what that is initialised by. The file's name puts it in front of the others of its package.
const (
	unusedFile = "aaa_kept_forever.go"
	unused     = `

var keptForever func([]int) int

func init() { keptForever = sumOfSquares }

func sumOfSquares(values []int) (sum int) {
	for i, v := range values {
		if i%3 == 0 {
			continue
		}
		sum += v * v
	}
	return sum
}
`
)

// AddUnused is the file for a package of this name.
func AddUnused(pkg string) string { return "package " + pkg + unused }

//go:embed noops.txt
var noOps string

// NoOps are the commits of noops.txt, which find lists: of Libraries, and of Services.
func NoOps() ([]NoOp, error) { return readNoOps(noOps) }

// readNoOps reads lines of a repository, a commit and a kind.
func readNoOps(text string) (all []NoOp, err error) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 3 || !slices.Contains(Kinds, Kind(f[2])) {
			return nil, fmt.Errorf("no-op commit %q: want repository, commit and kind", line)
		}
		subject := SubjectOf(f[0])
		if subject == nil {
			return nil, fmt.Errorf("no-op commit %q: its repository is none of the corpus", line)
		}
		c := NoOp{subject.At(f[1]), Kind(f[2])}
		if c.Kind == Unused {
			c.Adds = AddUnused(subject.Package)
		}
		all = append(all, c)
	}
	return all, nil
}
