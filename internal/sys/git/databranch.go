package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// DataBranch is a branch of files that hone writes, without a checkout, an index or a merge: on the remote named
// origin, or in the repository itself where there is no such remote. The clone may be shallow, and may lack the
// branch.
//
// Each operation asks the remote for its newest state, in a repository of hone's own (workplace.go): neither
// configuration nor hooks of the user's repository hold there.
type DataBranch struct {
	dir, name string
	// home is the repository on this machine that has the branch; "" where the remote is elsewhere, at url. format is
	// then that of its hashes.
	home, url, pushURL, format string
	settings                   []setting
}

// origin is the remote of a data branch.
const origin = "origin"

// dataName is what the name of a data branch may be: a subset of git's own rules (git-check-ref-format), which no shell
// and no refspec reads as anything else.
var dataName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$`)

// OpenDataBranch returns a branch of the repository around dir, which need not be there yet. Errors: fail.BadInput
// for a directory that is in no repository, and for a name that is no plain name of a branch.
func OpenDataBranch(ctx context.Context, dir, name string) (*DataBranch, error) {
	if !dataName.MatchString(name) || len(name) > 200 || strings.HasSuffix(name, ".lock") || name == "HEAD" {
		return nil, fail.New(fail.BadInput, "%.200q is no name of a branch for data", name).
			WithHint("a name has letters, digits, and between them . / _ and -")
	}
	d := &DataBranch{dir: dir, name: name}
	home, err := Run(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	var known *fail.Error
	switch {
	case err == nil:
		if err := d.find(ctx, home); err != nil {
			return nil, err
		}
		return d, nil
	case ctx.Err() != nil || errors.As(err, &known):
		return nil, err
	}
	return nil, fail.New(fail.BadInput, "the branch %s needs a git repository: %w", name, err).
		WithHint("run hone in a repository, or name a directory")
}

// find says where the branch is, by the configuration of the repository at home.
func (d *DataBranch) find(ctx context.Context, home string) error {
	config, err := readConfig(ctx, d.dir)
	if err != nil {
		return err
	}
	d.settings = slices.Concat(dataSettings, config.identity())
	d.url = config.first("remote." + origin + ".url")
	d.pushURL = cmp.Or(config.first("remote."+origin+".pushurl"), d.url)
	if d.url == "" {
		d.home, d.settings = home, append(d.settings, config.shield()...)
		return nil
	}
	for _, u := range []string{d.url, d.pushURL} {
		if strings.HasPrefix(u, "-") || strings.ContainsAny(u, "\n\x00") {
			return fail.New(fail.BadInput, "the remote %s has the URL %q", origin, u).
				WithHint("git remote set-url %s URL", origin)
		}
	}
	_, fetched := localPath(config.rewritten(d.url))
	path, pushed := localPath(config.rewritten(d.pushURL))
	if fetched && pushed {
		return d.findDirectory(ctx, path)
	}
	d.settings = slices.Concat(d.settings, always, config.headers())
	d.format, err = Run(ctx, d.dir, "rev-parse", "--show-object-format")
	return err
}

// findDirectory finds the repository in a directory that a remote names, as git does (path.c, enter_repo).
func (d *DataBranch) findDirectory(ctx context.Context, path string) error {
	if !filepath.IsAbs(path) {
		top, err := Run(ctx, d.dir, "rev-parse", "--show-toplevel")
		if err != nil {
			return err
		}
		path = filepath.Join(top, path)
	}
	for _, home := range []string{filepath.Join(path, ".git"), path, path + ".git"} {
		env := []string{"GIT_DIR=" + home}
		if _, err := runWith(ctx, d.dir, always, "", env, "rev-parse", "--git-dir"); err != nil {
			continue
		}
		config, err := readConfigWith(ctx, d.dir, env)
		if err != nil {
			return err
		}
		d.home, d.settings = home, append(d.settings, config.shield()...)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return d.unreachable(fmt.Errorf("%q is no repository: %w", path, fs.ErrNotExist))
}

// Name is the name of the branch.
func (d *DataBranch) Name() string { return d.name }

// Look shows the newest state of the branch. The tip is valid until look returns.
func (d *DataBranch) Look(ctx context.Context, look func(*Tip) error) (err error) {
	w, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	tip, err := w.tip(ctx)
	if err != nil {
		return err
	}
	return look(tip)
}

const (
	// mostTries is how often a writer builds upon the newest state before it gives up. One of all writers wins each race,
	// so that many are only lost where that many others write.
	mostTries = 200
	// sameTries is how often it tries where the branch has not moved: another writer may hold git's lock.
	sameTries = 4
	// firstPause and longestPause are how long a writer that lost waits, times a random number up to 1.
	firstPause, longestPause = 20 * time.Millisecond, time.Second
)

// Change writes a commit with the files that change returns, by their names, on top of the newest state. Files that it
// does not return stay. Where another writer was faster, change is asked again, for the state that the other has made:
// so it must look at its tip each time. If it returns no files, all is well, and nothing is written.
func (d *DataBranch) Change(ctx context.Context, message string,
	change func(*Tip) (map[string][]byte, error)) (err error) {
	w, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	pause, same := firstPause, 0
	for try := 1; ; try++ {
		tip, err := w.tip(ctx)
		if err != nil {
			return err
		}
		files, err := change(tip)
		if err != nil || len(files) == 0 {
			return err
		}
		commit, err := w.commit(ctx, tip, files, message)
		if err != nil {
			return err
		}
		lost := w.publish(ctx, tip.commit, commit)
		if lost == nil || ctx.Err() != nil {
			return lost
		}
		now, err := w.newest(ctx)
		switch {
		case err != nil:
			return err
		case now == commit: // it was written, and only the answer was lost
			return nil
		case now == tip.commit:
			same++
		}
		if same == sameTries || try == mostTries {
			return d.refused(lost)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(rand.Float64() * float64(pause))):
		}
		pause = min(2*pause, longestPause)
	}
}

func (d *DataBranch) refused(err error) error {
	refused := fail.New(fail.Environment, "write the branch %s: %w", d.name, err)
	if d.home != "" {
		return refused.WithHint("this user needs the right to write to %q; if a file of the name %s.lock was left there "+
			"by a git that was killed, remove it", d.home, d.name)
	}
	return refused.WithHint("this job needs the right to push the branch %s (GitHub Actions: permissions: contents: "+
		"write), and no rule may protect it", d.name)
}

// unreachable explains why the remote does not answer.
func (d *DataBranch) unreachable(err error) error {
	return fail.New(fail.Environment, "read the branch %s of %s: %w", d.name, origin, err).
		WithHint("git ls-remote %s has to work with your own configuration (git config --global), the environment, "+
			"or http.extraHeader of the repository; hone uses nothing else of .git/config, and the protocols %s",
			origin, strings.Join(protocols, ", "))
}

// String names the branch for messages.
func (d *DataBranch) String() string { return fmt.Sprintf("branch %s of %s", d.name, d.dir) }
