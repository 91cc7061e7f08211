package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// hostile is a repository as an attacker may hand it out, for instance in an archive: with
// two commits, a changed file, and whatever a trap adds. Its commands run sprung.
type hostile struct {
	t   *testing.T
	dir string
	// command is a program that leaves the file sprung behind, and fails.
	command string
	sprung  string
	// missing is a commit that the repository does not have.
	missing string
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "gitconfig"))
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("GIT_TERMINAL_PROMPT", "0")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, own := range []string{"GIT_ASKPASS", "SSH_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND",
		"GIT_EXTERNAL_DIFF"} {
		t.Setenv(own, "") // so that the test puts it back
		os.Unsetenv(own)
	}
	out := t.TempDir()
	h := &hostile{t: t, dir: filepath.Join(t.TempDir(), "repo"), command: filepath.Join(out, "command"),
		sprung:  filepath.Join(out, "sprung"),
		missing: "1234567890123456789012345678901234567890"}
	h.file(h.command, "#!/bin/sh\ntouch '"+h.sprung+"'\nexit 1\n")
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h.git("init", "-q", "-b", "main", ".")
	h.commit("a.txt", "one\n")
	h.git("tag", "v1")
	h.commit("a.txt", "two\n")
	h.write("a.txt", "TWO\n") // of the same size: git must look into it
	return h
}

func (h *hostile) file(path, text string) {
	h.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hostile) write(name, text string) { h.t.Helper(); h.file(filepath.Join(h.dir, name), text) }

func (h *hostile) commit(name, text string) {
	h.t.Helper()
	h.write(name, text)
	h.git("add", "-A", ".")
	h.git("commit", "-q", "-m", "change "+name)
}

// plain runs git without hone's settings.
func (h *hostile) plain(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute) // some wait for each other when a command fails
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"},
		args...)...)
	cmd.Dir, cmd.WaitDelay = h.dir, time.Second
	// a question to a credential helper; few read it
	cmd.Stdin = strings.NewReader("protocol=https\nhost=example.com\n\n")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (h *hostile) git(args ...string) string {
	h.t.Helper()
	out, err := h.plain(args...)
	if err != nil {
		h.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

// partial makes the repository one that fetches what is missing from a URL.
func (h *hostile) partial(url string) {
	h.git("config", "core.repositoryFormatVersion", "1")
	h.git("config", "extensions.partialClone", "origin")
	h.git("config", "remote.origin.url", url)
	h.git("config", "remote.origin.promisor", "true")
}

// submodule makes the directory sub a repository with a filter, of which the main one knows
// the commit only.
func (h *hostile) submodule() {
	sub := filepath.Join(h.dir, "sub")
	h.git("init", "-q", "-b", "main", sub)
	h.write("sub/.gitattributes", "*.txt filter=x\n")
	h.write("sub/s.txt", "one\n")
	h.git("-C", sub, "add", ".")
	h.git("-C", sub, "commit", "-qm", "one")
	h.git("add", "sub")
	h.git("commit", "-qm", "sub")
	h.git("-C", sub, "config", "filter.x.clean", h.command)
	h.write("sub/s.txt", "two\n")
}

func (h *hostile) hasSprung() bool {
	_, err := os.Lstat(h.sprung)
	return !errors.Is(err, fs.ErrNotExist)
}

// trap is one way in which a repository makes git execute a command.
type trap struct {
	name string // the key, as docs/git.md has it
	set  func(h *hostile)
	// spring is the plain git command that falls into it.
	spring []string
	// cannot is what git says where this version of it, or its installation, cannot spring
	// the trap; empty where it must.
	cannot string
}

var lookUp = []string{"cat-file", "-e", "1234567890123456789012345678901234567890^{commit}"}

var traps = []trap{
	{"core.fsmonitor", func(h *hostile) { h.git("config", "core.fsmonitor", h.command) }, []string{"status"}, ""},
	{"core.hooksPath", func(h *hostile) {
		h.file(filepath.Join(h.dir, "hooks", "post-index-change"), "#!/bin/sh\ntouch "+h.sprung+"\n")
		h.git("config", "core.hooksPath", "hooks")
	}, []string{"add", "a.txt"}, ""},
	{"hooks: post-checkout", func(h *hostile) {
		h.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch "+h.sprung+"\n")
	},
		[]string{"worktree", "add", "--detach", "../tree", "v1"}, ""},
	{"hooks: reference-transaction", func(h *hostile) {
		h.write(".git/hooks/reference-transaction", "#!/bin/sh\ntouch "+h.sprung+"\n")
	},
		[]string{"worktree", "add", "--detach", "../tree", "v1"}, ""},
	{"hook.NAME.command", func(h *hostile) {
		h.git("config", "hook.x.event", "post-index-change")
		h.git("config", "hook.x.command", h.command)
	}, []string{"add", "a.txt"}, "configured hooks came with git 2.54"},
	{"filter.NAME.clean", func(h *hostile) {
		h.write(".gitattributes", "*.txt filter=x\n")
		h.git("config", "filter.x.clean", h.command)
	}, []string{"status"}, ""},
	{"filter.NAME.clean in config.worktree", func(h *hostile) {
		h.write(".git/info/attributes", "*.txt filter=x\n")
		h.git("config", "extensions.worktreeConfig", "true")
		h.git("config", "--worktree", "filter.x.clean", h.command)
	}, []string{"status"}, ""},
	{"filter.NAME.smudge", func(h *hostile) {
		h.commit(".gitattributes", "*.txt filter=a=b.c\n")
		h.git("config", "filter.a=b.c.smudge", h.command)
		h.git("config", "filter.a=b.c.required", "true")
	}, []string{"worktree", "add", "--detach", "../tree", "HEAD"}, ""},
	{"filter.NAME.process", func(h *hostile) {
		h.commit(".gitattributes", "*.txt filter=x\n")
		h.git("config", "filter.x.process", h.command)
	}, []string{"worktree", "add", "--detach", "../tree", "HEAD"}, ""},
	{"include.path", func(h *hostile) {
		h.write(".gitattributes", "*.txt filter=x\n")
		h.write("more", "[filter \"x\"]\n\tclean = "+h.command+"\n")
		h.git("config", "include.path", "../more")
	}, []string{"status"}, ""},
	{"includeIf.CONDITION.path", func(h *hostile) {
		h.write(".gitattributes", "*.txt filter=x\n")
		h.write("more", "[filter \"x\"]\n\tclean = "+h.command+"\n")
		h.git("config", "includeIf.gitdir:**.path", "../more")
	}, []string{"status"}, ""},
	{"remote.NAME.uploadpack", func(h *hostile) {
		h.partial(h.dir)
		h.git("config", "remote.origin.uploadpack", h.command)
		h.git("config", "protocol.file.allow", "always")
	}, lookUp, ""},
	{"remote.NAME.url ext::", func(h *hostile) {
		h.partial("ext::" + h.command)
		h.git("config", "protocol.ext.allow", "always")
	}, lookUp, ""},
	{"remote.NAME.vcs", func(h *hostile) {
		h.partial(h.command)
		h.git("config", "remote.origin.vcs", "ext")
		h.git("config", "protocol.ext.allow", "always")
	}, lookUp, ""},
	{"url.BASE.insteadOf", func(h *hostile) {
		h.partial("https://127.0.0.1:1/x")
		h.git("config", "url.ext::"+h.command+" .insteadOf", "https://")
		h.git("config", "protocol.ext.allow", "always")
	}, lookUp, ""},
	{"core.sshCommand", func(h *hostile) {
		h.partial("ssh://127.0.0.1:1/x")
		h.git("config", "core.sshCommand", h.command)
	}, lookUp, ""},
	{"core.gitProxy", func(h *hostile) {
		h.partial("git://127.0.0.1:1/x")
		h.git("config", "core.gitProxy", h.command)
	}, lookUp, ""},
	{"credential.helper", func(h *hostile) { h.git("config", "credential.helper", h.command) },
		[]string{"-c", "credential.interactive=false", "credential", "fill"}, ""},
	{"core.askPass", func(h *hostile) { h.git("config", "core.askPass", h.command) }, []string{"credential", "fill"},
		""},
	{"diff.external", func(h *hostile) { h.git("config", "diff.external", h.command) }, []string{"diff"}, ""},
	{"diff.NAME.textconv", func(h *hostile) {
		h.write(".gitattributes", "*.txt diff=x\n")
		h.git("config", "diff.x.textconv", h.command)
	}, []string{"diff"}, ""},
	{"diff.NAME.command", func(h *hostile) {
		h.write(".gitattributes", "*.txt diff=x\n")
		h.git("config", "diff.x.command", h.command)
	}, []string{"diff"}, ""},
	{"merge.NAME.driver", func(h *hostile) {
		h.git("checkout", "-qf", "-b", "other", "v1")
		h.commit("a.txt", "other\n")
		h.write(".git/info/attributes", "*.txt merge=x\n")
		h.git("config", "merge.x.driver", h.command)
	}, []string{"merge", "main"}, ""},
	{"gpg.program", func(h *hostile) {
		h.git("config", "gpg.program", h.command)
		h.git("config", "commit.gpgSign", "true")
	}, []string{"commit", "-qam", "signed"}, ""},
	{"core.editor", func(h *hostile) { h.git("config", "core.editor", h.command) }, []string{"commit", "-a"}, ""},
	{"sequence.editor", func(h *hostile) { h.git("config", "sequence.editor", h.command) },
		[]string{"rebase", "-i", "--autostash", "v1"}, ""},
	{"alias.NAME", func(h *hostile) { h.git("config", "alias.x", "!"+h.command) }, []string{"x"}, ""},
	{"trailer.NAME.command", func(h *hostile) {
		h.git("config", "trailer.x.command", h.command)
	}, []string{"interpret-trailers", "--trailer", "x=y", "a.txt"}, ""},
	{"interactive.diffFilter", func(h *hostile) {
		h.git("config", "interactive.diffFilter", h.command)
		h.git("config", "color.ui", "always")
	}, []string{"add", "-p"}, "it needs a terminal"},
	{"core.alternateRefsCommand", func(h *hostile) {
		h.git("clone", "-q", "--bare", ".", "../borrowed")
		h.write(".git/objects/info/alternates", filepath.Join(h.dir, "../borrowed/objects")+"\n")
		h.git("config", "core.alternateRefsCommand", h.command)
	}, []string{"fetch", "../borrowed", "v1:refs/heads/new"}, ""},
	{"submodule: its own filter", func(h *hostile) { h.submodule() }, []string{"status"}, ""},
	{"submodule.NAME.ignore", func(h *hostile) {
		h.submodule()
		h.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n")
	}, []string{"-c", "diff.ignoreSubmodules=dirty", "status"}, ""},
	{"submodule.NAME.update", func(h *hostile) {
		h.submodule()
		h.git("config", "submodule.sub.url", "./sub")
		h.git("config", "submodule.sub.update", "!"+h.command)
		h.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n")
		h.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "two")
	}, []string{"submodule", "update"}, ""},
	{"a bare repository among the files", func(h *hostile) {
		h.git("init", "-q", "--bare", "cmd")
		h.git("-C", "cmd", "config", "core.bare", "false")
		h.git("-C", "cmd", "config", "core.worktree", "..")
		h.git("-C", "cmd", "config", "core.fsmonitor", h.command)
	}, []string{"-C", "cmd", "status"}, ""},
}

// Each trap springs on plain git, and on nothing that hone does.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			h := newHostile(t)
			trap.set(h)
			_ = os.Remove(h.sprung) // by the setting of the trap
			h.allThatHoneDoes(trap.spring)
			_, _ = h.plain(trap.spring...) // many fail: the command does not do what git wants of it
			switch {
			case h.hasSprung():
			case trap.cannot != "":
				t.Skipf("%s does not spring this trap (%s); the guard against it is not shown", h.git("version"),
					trap.cannot)
			default:
				t.Error("the trap does not work: plain git does not fall into it")
			}
		})
	}
}

// allThatHoneDoes runs all that hone asks of git, and the command that springs the trap on
// plain git. It checks after each that nothing was run, and that the answers are there.
func (h *hostile) allThatHoneDoes(spring []string) {
	t, ctx := h.t, context.Background()
	t.Helper()
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if h.hasSprung() {
			t.Errorf("%s: a command of the repository was run", what)
			_ = os.Remove(h.sprung)
		}
	}
	run := func(dir string, args ...string) {
		t.Helper()
		_, err := Run(ctx, dir, args...)
		check("git "+strings.Join(args, " "), err)
	}
	commit, _ := CommitOf(ctx, h.dir)
	check("the commit of the work tree", nil)
	if len(commit) != 40 {
		t.Errorf("commit %q", commit)
	}
	_, _ = CommitOf(ctx, filepath.Join(h.dir, "cmd")) // it is there in one of the traps
	check("the commit of a directory", nil)
	first, err := FindCommit(ctx, h.dir, "v1")
	check("find a ref", err)
	_, err = Base(ctx, h.dir, first, commit)
	check("find a common ancestor", err)
	commits, err := History(ctx, h.dir, first, commit)
	check("list a history", err)
	_, err = ChangedFiles(ctx, h.dir, commits)
	check("list the files of commits", err)
	for _, ref := range []string{"nowhere", h.missing} {
		if _, err := FindCommit(ctx, h.dir, ref); fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("find %s: %v", ref, err)
		}
		check("find a ref that is missing", nil)
	}
	if _, err := Run(ctx, h.dir, "cat-file", "-e", h.missing+"^{commit}"); err == nil {
		t.Error("a commit that is missing is there")
	}
	check("look for a commit that is missing", nil)
	run(h.dir, "ls-tree", "-r", "--full-tree", "--name-only", "-z", commit)
	run(h.dir, "cat-file", "blob", commit+":a.txt")
	run(h.dir, "rev-parse", "--show-prefix")
	run(h.dir, "worktree", "list", "--porcelain")
	if url, _ := h.plain("config", "remote.origin.url"); url == "" || url == h.dir { // TestNothingOfARemoteRuns has others
		check("write a branch of data", writeData(t, h.dir, "data"))
	}
	h.changes(check, commit)
	tree := filepath.Join(t.TempDir(), "tree")
	check("check out", Checkout(ctx, h.dir, commit, tree))
	run(tree, "status", "--porcelain", "--ignored", "--untracked-files=all")
	_, err = Unfiltered(ctx, h.dir, tree)
	check("look for filters", err)
	check("commit in a checkout", Record(ctx, tree, "subject", "tag", time.Now()))
	args := strings.Split(strings.ReplaceAll(strings.Join(spring, "\x00"), "../tree", t.TempDir()), "\x00")
	_, _ = Run(ctx, h.dir, args...) // refused, or harmless
	check("git "+strings.Join(args, " "), nil)
	h.goBuilds(check)
}

// changes makes a commit of a patch, reads it back, checks it out, and fetches a pull request from the repository
// itself, which is as hostile as a remote.
func (h *hostile) changes(check func(what string, err error), commit string) {
	h.t.Helper()
	ctx := context.Background()
	text, err := Run(ctx, h.dir, "cat-file", "blob", commit+":a.txt")
	check("read a file", err)
	patch := PatchText{Name: "p.diff", Text: []byte("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-" + text + "\n+patched\n")}
	made, err := Apply(ctx, h.dir, commit, patch)
	check("apply a patch", err)
	if err != nil {
		return
	}
	back, base, err := PatchOf(ctx, h.dir, made.Commit)
	check("read a patch", err)
	if back == nil || base != commit || !strings.Contains(string(back.Text), "+patched") {
		h.t.Errorf("the patch is %+v of %s", back, base)
	}
	if changed, err := TreeChanges(ctx, h.dir, commit, made.Commit); err != nil || len(changed) != 1 {
		h.t.Errorf("the patch changes %+v, %v", changed, err)
	}
	check("list what a patch changes", nil)
	check("check out a patch", Checkout(ctx, h.dir, made.Commit, filepath.Join(h.t.TempDir(), "patched")))
	remote, _ := h.plain("config", "remote.origin.url")
	h.git("update-ref", "refs/pull/7/head", commit)
	if remote == "" {
		h.git("config", "remote.origin.url", h.dir)
		defer h.git("config", "--unset", "remote.origin.url")
	}
	_ = os.Remove(h.sprung) // by plain git
	got, err := FetchPull(ctx, h.dir, "", "7")
	if here := remote == "" || remote == h.dir; here != (got == commit) {
		h.t.Errorf("the pull request from %q is %q, %v", remote, got, err)
	}
	check("fetch a pull request", nil)
}

// goBuilds runs what go build runs to stamp a commit (cmd/go/internal/vcs).
func (h *hostile) goBuilds(check func(what string, err error)) {
	h.t.Helper()
	env, reason := Stamping(context.Background(), h.dir)
	if reason != "" {
		return
	}
	for _, args := range [][]string{{"status", "--porcelain"},
		{"-c", "log.showsignature=false", "log", "-1", "--format=%H:%ct"},
		{"for-each-ref", "--format=%(refname)", "--merged=HEAD"}, {"cat-file", "blob", "HEAD:a.txt"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = h.dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			h.t.Logf("%s", out)
		}
		check("as go build: git "+strings.Join(args, " "), err)
	}
}
