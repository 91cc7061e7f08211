package series

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Branch is a store in a branch of a git repository: the same files as those of a Dir. Each Append is a commit upon the
// newest state of the branch, on the remote named origin if there is one, else in the repository. A writer that loses a
// race reads what the winner wrote, and adds its lines to that: so nothing is ever merged.
type Branch struct {
	branch  *git.DataBranch
	segment int64
}

var _ Store = (*Branch)(nil)

// OpenBranch returns the store in a branch of the repository around dir. The first Append makes the branch.
func OpenBranch(ctx context.Context, dir, name string) (*Branch, error) {
	branch, err := git.OpenDataBranch(ctx, dir, name)
	if err != nil {
		return nil, err
	}
	return &Branch{branch: branch, segment: segmentBytes}, nil
}

// String names the branch.
func (b *Branch) String() string { return branchPrefix + b.branch.Name() }

// noteFile marks a branch as a store, so that hone writes to no other one, and tells readers what it is.
const noteFile = "hone-series.md"

const note = `# Performance of this repository, commit by commit

hone track writes this branch, and hone history shows it. Each line of a file is one point: what one job measured. The
folder reports has the comparisons that showed a difference. Do not merge this branch.
`

// Append writes one commit, or none.
func (b *Branch) Append(ctx context.Context, points []Point, reports map[string][]byte) error {
	chunks, err := encodeAll(points)
	if err == nil {
		err = checkReports(reports)
	}
	if err != nil || len(chunks) == 0 && len(reports) == 0 {
		return err
	}
	// [skip ci]: GitHub, GitLab and others start no job for such a commit.
	message := fmt.Sprintf("hone: points: %d [skip ci]", len(points))
	return b.branch.Change(ctx, message, func(tip *git.Tip) (map[string][]byte, error) {
		files, err := b.additions(ctx, tip, chunks)
		if err != nil {
			return nil, err
		}
		if err := addReports(ctx, tip, reports, files); err != nil {
			return nil, err
		}
		if len(files) > 0 && !tip.Exists() {
			files[noteFile] = []byte(note)
		}
		return files, nil
	})
}

// additions are the files that get lines, as they will be.
func (b *Branch) additions(ctx context.Context, tip *git.Tip, chunks []chunk) (map[string][]byte, error) {
	if tip.Exists() && !slices.Contains(tip.Files(), noteFile) {
		return nil, fail.New(fail.BadInput, "the branch %s has no file %s, so it is no store of a series", b.branch.Name(),
			noteFile).WithHint("name another branch: %sNAME", branchPrefix)
	}
	from := tipFiles{tip: tip, read: map[string][]byte{}}
	additions, err := plan(ctx, chunks, from, b.segment)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, add := range additions {
		if len(add.lines) == 0 {
			continue
		}
		content := slices.Clone(from.read[add.file]) // nil for a new file
		if add.torn {
			content = append(content, '\n')
		}
		files[add.file] = append(content, add.lines...)
	}
	return files, nil
}

// addReports adds the reports to files that the tip does not have.
func addReports(ctx context.Context, tip *git.Tip, reports, files map[string][]byte) error {
	for name, content := range reports {
		there, err := tip.Read(ctx, path.Join(reportsDir, name), inputs.SeriesReport.Most)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			files[path.Join(reportsDir, name)] = content
		case err != nil:
			return err
		case !bytes.Equal(there, content):
			return errOtherReport(name)
		}
	}
	return nil
}

// Read reads the newest state of the branch.
func (b *Branch) Read(ctx context.Context) (content Content, err error) {
	err = b.branch.Look(ctx, func(tip *git.Tip) error {
		from := tipFiles{tip: tip}
		names, err := from.files()
		if err == nil {
			err = tip.Bring(ctx, names)
		}
		if err == nil {
			content, err = read(ctx, from)
		}
		return err
	})
	return content, err
}

// Report reads a report.
func (b *Branch) Report(ctx context.Context, name string) (content []byte, err error) {
	if err := checkReport(name); err != nil {
		return nil, err
	}
	err = b.branch.Look(ctx, func(tip *git.Tip) error {
		content, err = tip.Read(ctx, path.Join(reportsDir, name), inputs.SeriesReport.Most)
		return err
	})
	return content, err
}

// tipFiles are the files with points of a branch.
type tipFiles struct {
	tip *git.Tip
	// read keeps what was read, for a writer that needs the whole file; nil for none.
	read map[string][]byte
}

func (t tipFiles) files() (all []string, err error) {
	for _, name := range t.tip.Files() {
		if strings.HasSuffix(name, suffix) {
			all = append(all, name)
		}
	}
	return all, nil
}

func (t tipFiles) open(ctx context.Context, name string) (io.ReadCloser, error) {
	content, err := t.tip.Read(ctx, name, inputs.SeriesFile.Most)
	if err != nil {
		return nil, err
	}
	if t.read != nil {
		t.read[name] = content
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}
