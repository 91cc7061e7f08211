package git

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// pullRefs are where GitHub and GitLab keep the heads of pull requests.
var pullRefs = []string{"refs/pull/%s/head", "refs/merge-requests/%s/head"}

// FetchPull fetches the head of a pull request from the remote origin of the repository around dir, and returns its
// commit. page, if not "", is the URL of the repository that the user named, which has to be origin's.
//
// It works in a repository of hone's own, as a data branch does: of .git/config only the URL and http.*.extraHeader
// hold. A remote that is a directory is read by git's own transport, which runs no hook of it to read. What comes goes
// into hone's cache; the user's repository has no ref more.
//
// Errors: fail.BadInput without such a remote or pull request; fail.Environment where the remote does not answer.
func FetchPull(ctx context.Context, dir, page, number string) (string, error) {
	config, err := readConfig(ctx, dir)
	if err != nil {
		return "", err
	}
	remote := config.first("remote." + origin + ".url")
	if strings.HasPrefix(remote, "-") || strings.ContainsAny(remote, "\n\x00") {
		return "", fail.New(fail.BadInput, "the URL of the remote %s is %q, which is none", origin, remote).
			WithHint("git remote set-url %s URL", origin)
	}
	if remote == "" {
		return "", fail.New(fail.BadInput, "#%s is fetched from the remote %s, and this repository has none", number,
			origin).WithHint("git remote add %s URL, or name a branch that has the change", origin)
	}
	if page != "" && !sameRepository(page, remote) {
		return "", fail.New(fail.BadInput, "the page %s is of another repository than the remote %s", page, origin).
			WithHint("run hone in a clone of that repository")
	}
	own, err := makeOwnObjects()
	if err != nil {
		return "", err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return "", err
	}
	defer temp.Remove() // what is left a later hone removes
	repo := filepath.Join(temp.Path, "pull")
	if err := borrow(ctx, dir, repo); err != nil {
		return "", err
	}
	f := &fetcher{dir: repo, url: remote, settings: slices.Concat(dataSettings, always, config.headers(),
		[]setting{{"fetch.unpackLimit", "1000000"}, {"fetch.fsckObjects", "true"}, {"core.alternateRefsCommand", "true"}})}
	f.env = []string{"GIT_OBJECT_DIRECTORY=" + own, alternates(filepath.Join(repo, ".git", "objects")),
		"GIT_ALLOW_PROTOCOL=" + allowedProtocols()}
	if path, local := localPath(config.rewritten(remote)); local {
		if f.url, err = absoluteRemote(ctx, dir, path); err != nil {
			return "", err
		}
		f.env[2] = "GIT_ALLOW_PROTOCOL=file"
	}
	return f.fetch(ctx, dir, number)
}

type fetcher struct {
	dir, url string
	settings []setting
	env      []string
}

func (f *fetcher) git(ctx context.Context, args ...string) (string, error) {
	out, err := runWith(ctx, f.dir, f.settings, "", f.env, args...)
	if err != nil {
		err = withoutPasswords(err, f.url)
	}
	return out, err
}

func (f *fetcher) fetch(ctx context.Context, dir, number string) (string, error) {
	args := []string{"ls-remote", "--quiet", "--", f.url}
	for _, ref := range pullRefs {
		args = append(args, fmt.Sprintf(ref, number))
	}
	list, err := f.git(ctx, args...)
	if err != nil {
		return "", unreachablePull(ctx, number, err)
	}
	commit, ref, found := strings.Cut(strings.SplitN(list, "\n", 2)[0], "\t")
	if !found {
		return "", fail.New(fail.BadInput, "the remote %s has no pull request #%s", origin, number).
			WithHint("hone looks for refs/pull/%s/head (GitHub) and refs/merge-requests/%s/head (GitLab); on others, fetch "+
				"the branch and name it", number, number)
	}
	tips := []string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"}
	if head, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err == nil {
		tips = append(tips, "--negotiation-tip="+head)
	}
	if _, err := f.git(ctx, append(tips, "--", f.url, "+"+ref+":refs/hone/pull")...); err != nil {
		return "", unreachablePull(ctx, number, err)
	}
	return commit, nil
}

func unreachablePull(ctx context.Context, number string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if fail.KindOf(err) == fail.Storage {
		return fmt.Errorf("fetch pull request #%s: %w", number, err)
	}
	return fail.New(fail.Environment, "fetch pull request #%s from %s: %w", number, origin, err).
		WithHint("git ls-remote %s has to work with your own configuration; or fetch the branch by yourself and name it: "+
			"git fetch %s pull/%s/head", origin, origin, number)
}

// absoluteRemote is the directory of a remote.
func absoluteRemote(ctx context.Context, dir, path string) (string, error) {
	if !filepath.IsAbs(path) {
		top, err := Run(ctx, dir, "rev-parse", "--show-toplevel")
		if err != nil {
			return "", err
		}
		path = filepath.Join(top, path)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fail.New(fail.BadInput, "the remote %s is a directory that is not there: %w", origin, err)
	}
	return path, nil
}

// sameRepository says whether the URL of a page and that of a remote name one repository: host and path, whatever the
// protocol.
func sameRepository(page, remote string) bool {
	return placeOf(page) != "" && placeOf(page) == placeOf(remote)
}

// placeOf is HOST/PATH of a URL, or of git's short form of ssh (git@host:path), in lower case.
func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		_, rest, _ := strings.Cut(address, "@")
		host, path, found := strings.Cut(rest, ":")
		if !found {
			return ""
		}
		u = &url.URL{Host: host, Path: path}
	}
	name := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	return strings.ToLower(u.Hostname() + "/" + name)
}
