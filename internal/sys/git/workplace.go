package git

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// workplace is where the commits of a data branch are made: the repository that has the branch, if that is on this
// machine, else a repository of hone's own, which fetches from the remote and pushes to it.
//
// Its commands are, besides those of Run: config, hash-object, mktree, commit-tree and update-ref, of which none runs
// a filter or knows a work tree; ls-remote, fetch and push in a repository of hone's own only. A remote that is a
// directory is written to as the local repository is: git's own transport would run its hooks.
type workplace struct {
	branch   *DataBranch
	dir      string
	env      []string
	settings []setting
	close    func() error
	// fetched is the newest commit that was fetched, with its directories; of its files only those that are asked for.
	fetched string
	here    map[string]bool // objects that were fetched; nil: not known
}

// protocols are those by which a data branch is fetched and pushed. Not file: that is a directory. Not git: it
// identifies nobody.
var protocols = []string{"https", "http", "ssh"}

// dataSettings hold wherever a data branch is written: what is acknowledged survives a loss of power (git 2.36 and
// later), nothing runs in the background, and a server that says nothing for 10 minutes is given up. What is pushed
// goes in one piece of up to 64 MiB: some servers and proxies take no others.
var dataSettings = []setting{{"core.fsync", "committed,reference"}, {"gc.auto", "0"}, {"maintenance.auto", "false"},
	{"http.lowSpeedLimit", "1"}, {"http.lowSpeedTime", "600"}, {"http.postBuffer", "67108864"}}

// open makes the place to work in.
func (d *DataBranch) open(ctx context.Context) (*workplace, error) {
	if d.home != "" {
		return &workplace{branch: d, dir: d.home, env: []string{"GIT_DIR=" + d.home}, settings: d.settings,
			close: func() error { return nil }}, nil
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	w := &workplace{branch: d, dir: filepath.Join(temp.Path, "git"), settings: d.settings, close: temp.Remove}
	w.env = []string{"GIT_DIR=" + w.dir, "GIT_ALLOW_PROTOCOL=" + allowedProtocols()}
	if _, err := run(ctx, temp.Path, always, "init", "--quiet", "--bare", "--template=", "--initial-branch=main",
		"--object-format="+d.format, w.dir); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// isHere says that the branch is in a repository of this machine, which is written to.
func (w *workplace) isHere() bool { return w.branch.home != "" }

// allowedProtocols are protocols, fewer where the user's environment allows fewer.
func allowedProtocols() string {
	users, set := os.LookupEnv("GIT_ALLOW_PROTOCOL")
	if !set {
		return strings.Join(protocols, ":")
	}
	allowed := slices.DeleteFunc(slices.Clone(protocols), func(p string) bool {
		return !slices.Contains(strings.Split(users, ":"), p)
	})
	if len(allowed) == 0 {
		return "none"
	}
	return strings.Join(allowed, ":")
}

// git runs one command in the workplace.
func (w *workplace) git(ctx context.Context, input string, args ...string) (string, error) {
	out, err := runWith(ctx, w.dir, w.settings, input, w.env, args...)
	if err != nil && !w.isHere() {
		return out, withoutPasswords(err, w.branch.url, w.branch.pushURL)
	}
	return out, err
}

// withoutPasswords is an error that does not have the passwords of URLs.
func withoutPasswords(err error, urls ...string) error {
	text := err.Error()
	for _, u := range urls {
		if parsed, parseErr := url.Parse(u); parseErr == nil && parsed.User != nil {
			text = strings.ReplaceAll(text, u, parsed.Redacted())
			if password, set := parsed.User.Password(); set && password != "" {
				text = strings.ReplaceAll(text, password, "xxxxx")
			}
		}
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// newest is the commit that the branch has now, where it is; "" if it is not there.
func (w *workplace) newest(ctx context.Context) (string, error) {
	ref := "refs/heads/" + w.branch.name
	if w.isHere() {
		return w.newestHere(ctx, ref)
	}
	list, err := w.git(ctx, "", "ls-remote", "--quiet", "--", w.branch.url, ref)
	if err != nil {
		return "", w.branch.unreachable(err)
	}
	for line := range strings.Lines(list) {
		if hash, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); name == ref {
			return hash, nil
		}
	}
	return "", nil
}

// newestHere reads the ref of this repository. A branch that is a name of another one, or that a work tree has checked
// out, is not written to.
func (w *workplace) newestHere(ctx context.Context, ref string) (string, error) {
	list, err := w.git(ctx, "", "for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)", ref)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 4 || fields[0] != ref {
			continue
		}
		switch {
		case fields[2] != "":
			return "", fail.New(fail.BadInput, "the branch %s stands for another branch, %q", w.branch.name, fields[2]).
				WithHint("name another branch for the data")
		case fields[3] != "" && !w.isBare(ctx):
			return "", fail.New(fail.BadInput, "the branch %s is checked out in %q", w.branch.name, fields[3]).
				WithHint("check out another branch there: hone writes this one without a work tree")
		}
		return fields[1], nil
	}
	return "", nil
}

func (w *workplace) isBare(ctx context.Context) bool {
	bare, err := w.git(ctx, "", "rev-parse", "--is-bare-repository")
	return err == nil && bare == "true"
}

// fetchedRef keeps what was fetched last.
const fetchedRef = "refs/hone/tip"

// tip is the newest state, with its objects here.
func (w *workplace) tip(ctx context.Context) (*Tip, error) {
	commit, err := w.newest(ctx)
	if err != nil {
		return nil, err
	}
	if !w.isHere() && commit != "" && commit != w.fetched {
		if err := w.fetch(ctx, withoutFiles, "--depth=1"); err != nil {
			return nil, err
		}
		if commit, err = w.git(ctx, "", "rev-parse", "--verify", fetchedRef+"^{commit}"); err != nil {
			return nil, err
		}
		w.fetched = commit
	}
	return w.readTip(ctx, commit)
}

// withoutFiles leaves out files until they are asked for (git-rev-list, --filter). A server that knows no filter sends
// all.
const withoutFiles = "--filter=blob:none"

// fetch fetches the newest state of the branch.
func (w *workplace) fetch(ctx context.Context, how ...string) error {
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules"}, how...)
	_, err := w.git(ctx, "", append(args, "--", w.branch.url, "+refs/heads/"+w.branch.name+":"+fetchedRef)...)
	w.here = nil
	if err != nil {
		return w.branch.unreachable(err)
	}
	return nil
}

// bring fetches objects that are not here, or all where the server sends no single ones (protocol 0 without
// uploadpack.allowAnySHA1InWant).
func (w *workplace) bring(ctx context.Context, objects []string) error {
	if w.isHere() {
		return nil
	}
	if w.here == nil {
		list, err := w.git(ctx, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered")
		if err != nil {
			return err
		}
		w.here = map[string]bool{}
		for _, hash := range strings.Fields(list) {
			w.here[hash] = true
		}
	}
	var missing strings.Builder
	for _, hash := range objects {
		if !w.here[hash] {
			missing.WriteString(hash + "\n")
		}
	}
	if missing.Len() == 0 {
		return nil
	}
	w.here = nil
	// A negotiation would tell the server that all of the commit is here (promisor-remote.c does without one, too).
	one := *w
	one.settings = append(slices.Clone(w.settings), setting{"fetch.negotiationAlgorithm", "noop"})
	if _, err := one.git(ctx, missing.String(), "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head", withoutFiles, "--stdin", "--", w.branch.url); err == nil || ctx.Err() != nil {
		return err
	}
	return w.fetch(ctx, "--refetch", "--no-filter", "--depth=1")
}

// publish makes a commit the branch's, if the branch still is at the commit old.
func (w *workplace) publish(ctx context.Context, old, commit string) error {
	ref := "refs/heads/" + w.branch.name
	if w.isHere() {
		if old == "" {
			old = strings.Repeat("0", len(commit)) // the ref must not exist (git-update-ref)
		}
		_, err := w.git(ctx, "", "update-ref", "--no-deref", "-m", "hone", ref, commit, old)
		return err
	}
	// Not forced: a branch that moved has a commit that this one does not descend from.
	_, err := w.git(ctx, "", "push", "--quiet", "--no-verify", "--no-signed", "--no-follow-tags",
		"--recurse-submodules=no", "--", w.branch.pushURL, commit+":"+ref)
	return err
}

// first is the first value of a key in the repository, else in the user's configuration: of several URLs git fetches
// from the first.
func (c *config) first(key string) string {
	for _, list := range [][]setting{c.repository, c.user} {
		for _, s := range list {
			if s.key == key && s.value != "" {
				return s.value
			}
		}
	}
	return ""
}

// rewritten is a URL as the user's own configuration rewrites it (git-config, url.BASE.insteadOf).
func (c *config) rewritten(u string) string {
	longest, to := "", ""
	for _, s := range c.user {
		section, base, variable := s.names()
		if section == "url" && variable == "insteadof" && strings.HasPrefix(u, s.value) && len(s.value) > len(longest) {
			longest, to = s.value, base
		}
	}
	return to + u[len(longest):]
}

// identity are the settings of who commits: the user, or hone where no user is set.
func (c *config) identity() []setting {
	name, email := c.first("user.name"), c.first("user.email")
	if name == "" || email == "" {
		name, email = "hone", "hone@localhost"
	}
	return []setting{{"user.name", name}, {"user.email", email}}
}

// headers are the only settings of the repository that a fetch and a push get: actions/checkout keeps the token of a
// job in them. They are data of a request to the remote, and name no command.
func (c *config) headers() (all []setting) {
	for _, s := range c.repository {
		if section, _, variable := s.names(); section == "http" && variable == "extraheader" {
			all = append(all, s)
		}
	}
	return all
}

// localPath is the directory that a URL names, by git's rule (connect.c, url_is_local_not_ssh): a colon before the
// first slash names a host or a protocol.
func localPath(u string) (path string, local bool) {
	if rest, is := strings.CutPrefix(u, "file://"); is {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			rest = unescaped
		}
		return rest, true
	}
	colon, slash := strings.IndexByte(u, ':'), strings.IndexByte(u, '/')
	return u, colon < 0 || slash >= 0 && slash < colon
}
