package git

import (
	"errors"
	"io/fs"
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

// remoteTraps are repositories whose remote would execute something on git push, git fetch or git commit. cannot says that
// hone refuses this remote; where it is empty the branch is written all the same.
var remoteTraps = []struct {
	name   string
	set    func(h *hostile, remote string)
	refuse bool
}{
	{"hooks of the remote", func(h *hostile, remote string) {
		for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction",
			"proc-receive"} {
			h.file(filepath.Join(remote, "hooks", hook), "#!/bin/sh\ntouch "+h.sprung+"\n")
		}
	}, false},
	{"core.hooksPath of the remote", func(h *hostile, remote string) {
		h.file(filepath.Join(remote, "x", "reference-transaction"), "#!/bin/sh\ntouch "+h.sprung+"\n")
		h.git("-C", remote, "config", "core.hooksPath", "x")
	}, false},
	{"the remote's work tree and filter", func(h *hostile, remote string) {
		h.git("-C", remote, "config", "receive.denyCurrentBranch", "updateInstead")
		h.git("-C", remote, "config", "filter.x.smudge", h.command)
		h.git("-C", remote, "config", "core.fsmonitor", h.command)
		h.file(filepath.Join(remote, "info", "attributes"), "* filter=x\n")
	}, false},
	{"remote.origin.receivepack", func(h *hostile, _ string) {
		h.git("config", "remote.origin.receivepack", h.command)
		h.git("config", "remote.origin.uploadpack", h.command)
	}, false},
	{"remote.origin.vcs", func(h *hostile, _ string) {
		h.git("config", "remote.origin.vcs", "ext")
		h.git("config", "protocol.ext.allow", "always")
	}, false},
	{"own hooks", func(h *hostile, _ string) {
		for _, hook := range []string{"pre-push", "reference-transaction", "pre-commit", "post-index-change"} {
			h.write(".git/hooks/"+hook, "#!/bin/sh\ntouch "+h.sprung+"\n")
		}
		h.git("config", "push.gpgSign", "true")
		h.git("config", "commit.gpgSign", "true")
		h.git("config", "gpg.program", h.command)
	}, false},
	{"url ext::", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ext::"+h.command)
		h.git("config", "protocol.ext.allow", "always")
	}, true},
	{"pushurl ext::", func(h *hostile, _ string) {
		h.git("config", "remote.origin.pushurl", "ext::"+h.command)
		h.git("config", "protocol.ext.allow", "always")
	}, true},
	{"insteadOf", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "https://127.0.0.1:1/x")
		h.git("config", "url.ext::"+h.command+" .insteadOf", "https://")
		h.git("config", "protocol.ext.allow", "always")
	}, true},
	{"core.sshCommand", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ssh://127.0.0.1:1/x")
		h.git("config", "core.sshCommand", h.command)
	}, true},
	{"ssh option as host", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "ssh://-oProxyCommand="+h.command+"/x")
	}, true},
	{"option as URL", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "--upload-pack="+h.command)
	}, true},
	{"credential.helper", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "http://127.0.0.1:1/x")
		h.git("config", "credential.helper", h.command)
		h.git("config", "http.proxy", "http://127.0.0.1:1/")
	}, true},
	{"core.gitProxy", func(h *hostile, _ string) {
		h.git("config", "remote.origin.url", "git://127.0.0.1:1/x")
		h.git("config", "core.gitProxy", h.command)
	}, true},
}

// To write a data branch executes nothing of the repository, nor of a remote that lies among its files.
func TestNothingOfARemoteRuns(t *testing.T) {
	for _, trap := range remoteTraps {
		t.Run(trap.name, func(t *testing.T) {
			h := newHostile(t)
			remote := filepath.Join(h.dir, "remote.git") // as a repository may bring it
			h.git("clone", "-q", "--bare", h.dir, remote)
			h.git("config", "remote.origin.url", "./remote.git")
			trap.set(h, remote)
			_ = os.Remove(h.sprung)
			err := writeData(t, h.dir, "data")
			if h.hasSprung() {
				t.Error("a command of the repository was run")
			}
			switch {
			case trap.refuse && (err == nil || fail.HintOf(err) == ""):
				t.Errorf("error %v, hint %q, want a refusal with what to do", err, fail.HintOf(err))
			case !trap.refuse && err != nil:
				t.Error(err)
			case !trap.refuse:
				if got := h.git("--git-dir", remote, "show", "data:sub/b.txt"); got != "more" {
					t.Errorf("the remote has %q", got)
				}
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
	for i, url := range []string{other, other + ".git", "file://" + strings.ReplaceAll(other, " ", "%20"), tree, "file://" + tree} {
		h.git("config", "remote.origin.url", url)
		if err := writeData(t, h.dir, "data"+string(rune('a'+i))); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	h.git("config", "remote.origin.url", "../nowhere")
	if err := writeData(t, h.dir, "data"); fail.ExitCode(err) != int(fail.Environment) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a remote that is not there: %v", err)
	}
	h.file(os.Getenv("GIT_CONFIG_GLOBAL"), "[url \""+tree+"\"]\n\tinsteadOf = git@example.com:x\n")
	h.git("config", "remote.origin.url", "git@example.com:x")
	if err := writeData(t, h.dir, "rewritten"); err != nil || h.git("-C", tree, "rev-parse", "--verify", "rewritten") == "" {
		t.Errorf("a URL that the user's own configuration rewrites: %v", err)
	}
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
		if len(tip.Files()) != 1 || tip.Files()[0] != (TipFile{"a.txt", 5}) {
			t.Errorf("files %v", tip.Files())
		}
		for name, wants := range map[string]string{"a.txt": "5 bytes", "sub": "no file", "sub/b.txt": "4 bytes", "sub/none": "not exist"} {
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
