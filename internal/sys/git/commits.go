package git

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Commit is one commit of a history.
type Commit struct {
	Hash    string    `json:"hash"`
	Parents []string  `json:"parents,omitempty"`
	Author  string    `json:"author,omitempty"`
	Date    time.Time `json:"date,omitzero"` // of the author
	Subject string    `json:"subject,omitempty"`
}

// Short is the beginning of the hash, as people write it.
func (c Commit) Short() string { return c.Hash[:min(12, len(c.Hash))] }

// String is what names a commit in a line of text.
func (c Commit) String() string { return c.Short() + " " + c.Subject }

// commitFormat has the fields of a commit on one line, parted by a byte that no subject has.
const commitFormat = "%H%x00%P%x00%aI%x00%an%x00%s"

// History lists the commits after good, up to bad, the oldest first: the first parents of bad. good is an ancestor of
// bad, and among its first parents, or the history begins where the line of first parents leaves what good contains.
func History(ctx context.Context, dir, good, bad string) ([]Commit, error) {
	out, err := Run(ctx, dir, "rev-list", "--first-parent", "--reverse", "--format="+commitFormat, bad, "^"+good)
	if err != nil {
		return nil, err
	}
	return parseCommits(out)
}

// Describe is one commit.
func Describe(ctx context.Context, dir, commit string) (Commit, error) {
	out, err := Run(ctx, dir, "rev-list", "--max-count=1", "--format="+commitFormat, commit)
	if err != nil {
		return Commit{}, err
	}
	all, err := parseCommits(out)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("git rev-list: %d commits, want 1", len(all))
	}
	if err != nil {
		return Commit{}, err
	}
	return all[0], nil
}

// parseCommits reads what rev-list prints with commitFormat: a line with the word commit before each.
func parseCommits(out string) (all []Commit, err error) {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.SplitN(line, "\x00", 5)
		if len(fields) < 5 {
			continue // commit HASH
		}
		c := Commit{Hash: fields[0], Parents: strings.Fields(fields[1]), Author: fields[3], Subject: fields[4]}
		if c.Date, err = time.Parse(time.RFC3339, fields[2]); err != nil {
			return nil, fmt.Errorf("git rev-list: the date of commit %s: %w", c.Short(), err)
		}
		all = append(all, c)
	}
	return all, nil
}

// Base is the newest commit that two commits have in common; fail.BadInput if there is none.
func Base(ctx context.Context, dir, a, b string) (string, error) {
	base, err := Run(ctx, dir, "merge-base", a, b)
	if err != nil && ctx.Err() == nil && base == "" {
		return "", fail.New(fail.BadInput, "the commits %.12s and %.12s have no ancestor in common", a, b).
			WithHint("name two commits of one history; a shallow clone lacks older commits: git fetch --unshallow")
	}
	return base, err
}

// ChangedFiles are the names of the files that each commit changes against its first parent, slash-separated from the
// root of the repository. A commit without a parent changes all of its files.
func ChangedFiles(ctx context.Context, dir string, commits []Commit) ([][]string, error) {
	var input strings.Builder
	place := map[string]int{}
	for i, c := range commits {
		place[c.Hash] = i
		input.WriteString(c.Hash)
		if len(c.Parents) > 0 {
			input.WriteString(" " + c.Parents[0])
		}
		input.WriteString("\n")
	}
	config, err := readConfig(ctx, dir)
	if err != nil {
		return nil, err
	}
	// Names alone: no command for differences is run (diff.external, textconv).
	out, err := runWith(ctx, dir, config.shield(), input.String(), nil, "-c", "core.quotePath=false", "diff-tree",
		"--stdin", "--root", "-r", "-m", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv")
	if err != nil {
		return nil, err
	}
	files := make([][]string, len(commits))
	at := -1
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		hash, _, _ := strings.Cut(line, " ")
		if i, known := place[hash]; known {
			at = i
			continue
		}
		if at >= 0 && line != "" {
			files[at] = append(files[at], strings.Trim(line, `"`))
		}
	}
	return files, nil
}

// plainRef is what PlainRef accepts: names of branches and tags, hashes, and their ancestors (gitrevisions(7)).
var plainRef = regexp.MustCompile(`^[A-Za-z0-9@_.][A-Za-z0-9@_./^~{}+-]{0,199}$`)

// PlainRef says whether the name of a commit can stand in a command that is printed: it is one word, which no shell
// reads as anything else, and no option. A stored name may be a stranger's.
func PlainRef(name string) bool { return plainRef.MatchString(name) }

// IsShallow says whether a clone lacks older commits.
func IsShallow(ctx context.Context, dir string) bool {
	out, err := Run(ctx, dir, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// Contained are the commits since a day that a branch has, here or as the remotes had it when it was fetched; nil where
// dir is in no repository, or in one that does not know the branch, or is shallow, so that it does not know all of them.
// Its only error is that of ctx.
func Contained(ctx context.Context, dir, branch string, since time.Time) (map[string]bool, error) {
	if IsShallow(ctx, dir) {
		return nil, ctx.Err()
	}
	name := globbed.Replace(branch)
	// Without a character of a pattern git would take /* for its end; and a ref that is not there is no error in one.
	out, err := Run(ctx, dir, "rev-list", fmt.Sprintf("--since=%d", since.Unix()), "--glob=refs/head[s]/"+name,
		"--glob=refs/remotes/*/"+name)
	if err != nil || out == "" {
		return nil, ctx.Err()
	}
	all := map[string]bool{}
	for line := range strings.Lines(out) {
		all[strings.TrimSpace(line)] = true
	}
	return all, nil
}

// globbed takes the meaning from characters of a name that stands in a pattern of git.
var globbed = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
