package git

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// writeData changes one file of a data branch, and reads it again.
func writeData(t *testing.T, dir, name string) error {
	t.Helper()
	d, err := OpenDataBranch(t.Context(), dir, name)
	if err != nil {
		return err
	}
	err = d.Change(t.Context(), "a message", func(*Tip) (map[string][]byte, error) {
		return map[string][]byte{"a.txt": []byte("text\n"), "sub/b.txt": []byte("more")}, nil
	})
	if err != nil {
		return err
	}
	return d.Look(t.Context(), func(tip *Tip) error {
		text, err := tip.Read(t.Context(), "a.txt", 100)
		if err == nil && string(text) != "text\n" {
			t.Errorf("the file has %q", text)
		}
		return err
	})
}

// remoteTrap is one way in which a repository, or a remote that lies among its files, makes git execute a command
// when a branch is written.
type remoteTrap struct {
	name string
	set  func(h *hostile, remote string)
	// refuse says that hone refuses the remote; else it writes the branch.
	refuse bool
	// pull is what hone does with a pull request of that remote where it does not do the same.
	pull string
	// cannot is why plain git does not fall into it; empty where it must.
	cannot string
}

const (
	fetched = "fetched"
	lacking = "refused, since an object of it is missing"
)

var remoteTraps = []remoteTrap{
	{name: "hooks of the remote", set: func(h *hostile, remote string) {
		for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction"} {
			h.file(filepath.Join(remote, "hooks", hook), "#!/bin/sh\ntouch "+h.sprung+"\n")
		}
	}},
	{name: "core.hooksPath of the remote", set: func(h *hostile, remote string) {
		h.file(filepath.Join(remote, "x", "reference-transaction"), "#!/bin/sh\ntouch "+h.sprung+"\n")
		h.git("-C", remote, "config", "core.hooksPath", "x")
	}},
	{name: "receive.denyCurrentBranch, and a monitor", set: func(h *hostile, remote string) {
		tree := filepath.Join(h.dir, "tree")
		h.file(filepath.Join(tree, "a.txt"), "two\n")
		for key, value := range map[string]string{"core.bare": "false", "core.worktree": tree, "core.fsmonitor": h.command,
			"receive.denyCurrentBranch": "updateInstead"} {
			h.git("--git-dir", remote, "config", key, value)
		}
	}},
	{name: "remote.NAME.receivepack", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.receivepack", h.command)
		h.git("config", "remote.origin.uploadpack", h.command)
	}},
	{name: "hooks: pre-push", set: func(h *hostile, _ string) {
		for _, hook := range []string{"pre-push", "reference-transaction", "pre-commit", "post-index-change"} {
			h.write(".git/hooks/"+hook, "#!/bin/sh\ntouch "+h.sprung+"\n")
		}
	}},
	{name: "remote.NAME.vcs", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", h.command)
		h.git("config", "remote.origin.vcs", "ext")
		h.git("config", "protocol.ext.allow", "always")
	}, refuse: true},
	{name: "remote.NAME.url ext::", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ext::"+h.command)
		h.git("config", "protocol.ext.allow", "always")
	}, refuse: true},
	{name: "remote.NAME.pushurl ext::", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.pushurl", "ext::"+h.command)
		h.git("config", "protocol.ext.allow", "always")
	}, refuse: true, pull: fetched},
	{name: "url.BASE.insteadOf", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "https://127.0.0.1:1/x")
		h.git("config", "url.ext::"+h.command+" .insteadOf", "https://")
		h.git("config", "protocol.ext.allow", "always")
	}, refuse: true},
	{name: "core.sshCommand", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ssh://127.0.0.1:1/x")
		h.git("config", "core.sshCommand", h.command)
	}, refuse: true},
	{name: "an option of ssh as host", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ssh://-oProxyCommand="+h.command+"/x")
	}, refuse: true, cannot: "git refuses such a host"},
	{name: "an option as URL", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "--receive-pack="+h.command)
	}, refuse: true, cannot: "git takes it as a path"},
	{name: "credential.helper", set: func(h *hostile, _ string) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			w.WriteHeader(http.StatusUnauthorized)
		}))
		h.t.Cleanup(server.Close)
		h.git("config", "remote.origin.url", server.URL+"/x")
		h.git("config", "credential.helper", h.command)
	}, refuse: true},
	{name: "core.gitProxy", set: func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "git://127.0.0.1:1/x")
		h.git("config", "core.gitProxy", h.command)
	}, refuse: true},
	{name: "a remote that fetches what it lacks", set: func(h *hostile, remote string) {
		h.git("-C", remote, "config", "core.repositoryFormatVersion", "1")
		h.git("-C", remote, "config", "extensions.partialClone", "origin")
		h.git("-C", remote, "config", "remote.origin.url", h.dir)
		h.git("-C", remote, "config", "remote.origin.promisor", "true")
		h.git("-C", remote, "config", "remote.origin.uploadpack", h.command)
		h.file(filepath.Join(h.dir, "tree.txt"), "100644 blob "+h.missing+"\tx\n")
		tree := h.git("-C", remote, "-c", "alias.make=!git mktree --missing <"+filepath.Join(h.dir, "tree.txt"), "make")
		h.git("-C", remote, "update-ref", "refs/pull/7/head", h.git("-C", remote, "commit-tree", "-m", "lacking", tree))
	}, pull: lacking, cannot: "upload-pack fetches nothing since git 2.45.1, and in patched older ones"},
}

// To write a data branch, and to fetch a pull request, executes nothing of the repository, nor of a remote that lies
// among its files. Plain git falls into each trap.
func TestNothingOfARemoteRuns(t *testing.T) {
	for _, trap := range remoteTraps {
		t.Run(trap.name, func(t *testing.T) {
			h := newHostile(t)
			remote := filepath.Join(h.dir, "remote.git") // as a repository may bring it
			h.git("clone", "-q", "--bare", h.dir, remote)
			h.git("config", "remote.origin.url", "./remote.git")
			h.git("-C", remote, "update-ref", "refs/pull/7/head", "HEAD")
			trap.set(h, remote)
			_ = os.Remove(h.sprung)
			err := writeData(t, h.dir, "data")
			if h.hasSprung() {
				t.Error("a command of the repository was run")
				_ = os.Remove(h.sprung)
			}
			_, pull := FetchPull(t.Context(), h.dir, "", "7")
			if h.hasSprung() {
				t.Error("a command of the repository was run to fetch a pull request")
			}
			refuse := trap.refuse && trap.pull != fetched || trap.pull == lacking
			if refuse != (pull != nil) || refuse && fail.HintOf(pull) == "" {
				t.Errorf("fetch a pull request: %v, hint %q", pull, fail.HintOf(pull))
			}
			switch {
			case trap.refuse && (err == nil || fail.HintOf(err) == ""):
				t.Errorf("error %v, hint %q, want a refusal with what to do", err, fail.HintOf(err))
			case !trap.refuse && err != nil:
				t.Error(err)
			case !trap.refuse:
				got := h.git("-c", "core.fsmonitor=false", "--git-dir", remote, "show", "data:sub/b.txt")
				if got != "more" {
					t.Errorf("the remote has %q", got)
				}
			}
			_ = os.Remove(h.sprung)
			_, _ = h.plain("commit", "-qam", "three", "--allow-empty", "--no-verify")
			out, _ := h.plain("push", "origin", "HEAD:refs/heads/main")
			if trap.pull == lacking {
				out, _ = h.plain("fetch", "origin", "refs/pull/7/head")
			}
			switch {
			case h.hasSprung():
			case trap.cannot != "":
				t.Logf("the guard against this trap is not shown: %s", trap.cannot)
			default:
				t.Errorf("the trap does not work: plain git does not fall into it: %s", out)
			}
		})
	}
}

// A remote that is a directory is found as git finds it, and a remote that is not there is said so.
func TestRemotesThatAreDirectories(t *testing.T) {
	h := newHostile(t)
	other := filepath.Join(t.TempDir(), "a b")
	h.git("clone", "-q", "--bare", h.dir, other+".git")
	tree := filepath.Join(t.TempDir(), "tree")
	h.git("clone", "-q", h.dir, tree)
	for i, url := range []string{other, other + ".git", "file://" + strings.ReplaceAll(other, " ", "%20"), tree,
		"file://" + tree} {
		h.git("config", "remote.origin.url", url)
		if err := writeData(t, h.dir, "data"+string(rune('a'+i))); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	h.git("config", "remote.origin.url", "../nowhere")
	err := writeData(t, h.dir, "data")
	if fail.ExitCode(err) != int(fail.Environment) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a remote that is not there: %v", err)
	}
	h.file(os.Getenv("GIT_CONFIG_GLOBAL"), "[url \""+tree+"\"]\n\tinsteadOf = git@example.com:x\n")
	h.git("config", "remote.origin.url", "git@example.com:x")
	if err := writeData(t, h.dir, "rewritten"); err != nil {
		t.Errorf("a URL that the user's own configuration rewrites: %v", err)
	}
	h.git("-C", tree, "rev-parse", "--verify", "rewritten")
}

// In a worktree, and in a directory below the root, the branch is the repository's.
func TestADataBranchInAWorktree(t *testing.T) {
	h := newHostile(t)
	tree := filepath.Join(t.TempDir(), "tree")
	h.git("worktree", "add", "-q", "--detach", tree)
	below := filepath.Join(tree, "sub")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := writeData(t, below, "data"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("log", "-1", "--format=%an %s", "data"); got != "hone a message" {
		t.Errorf("commit %q", got)
	}
	if err := writeData(t, below, "data/below"); fail.ExitCode(err) != int(fail.Environment) || fail.HintOf(err) == "" {
		t.Errorf("a branch below another one: %v", err)
	}
}

// A file that is larger than its reader wants is refused before it is read.
func TestFilesOfADataBranchAreBounded(t *testing.T) {
	h := newHostile(t)
	if err := writeData(t, h.dir, "data"); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDataBranch(t.Context(), h.dir, "data")
	if err != nil {
		t.Fatal(err)
	}
	err = d.Look(t.Context(), func(tip *Tip) error {
		if len(tip.Files()) != 1 || tip.Files()[0] != "a.txt" {
			t.Errorf("files %v", tip.Files())
		}
		for name, wants := range map[string]string{"a.txt": "more than the 3 bytes", "sub": "no file", "sub/b.txt": "more than the 3",
			"sub/none": "not exist"} {
			if _, err := tip.Read(t.Context(), name, 3); err == nil || !strings.Contains(err.Error(), wants) {
				t.Errorf("%s: %v, want %q", name, err, wants)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
