package robust

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
)

// sources are the programs that hone measures here, packages of this module, copied to a
// module and a git repository of their own: a hone that is killed may leave traces there.
//
//go:embed subject
var sources embed.FS

// project is the directory that hone runs in.
type project struct {
	dir     string
	profile string // a heap profile, for hone pull
}

// ensureProject makes the project if there is none yet.
func (r *rig) ensureProject(ctx context.Context) (*project, error) {
	if r.project != nil {
		return r.project, nil
	}
	p := &project{dir: filepath.Join(r.dir, "project")}
	p.profile = filepath.Join(p.dir, "heap.pb.gz")
	subjects, err := fs.Sub(sources, "subject")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(p.dir, subjects); err != nil {
		return nil, fmt.Errorf("copy subjects: %w", err)
	}
	var heap bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&heap, 0); err != nil {
		return nil, fmt.Errorf("take a heap profile: %w", err)
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(p.dir, "go.mod"), []byte("module example.com/robust\n\ngo 1.24\n"), 0o600),
		os.WriteFile(p.profile, heap.Bytes(), 0o600),
	); err != nil {
		return nil, fmt.Errorf("write project: %w", err)
	}
	// Two commits that differ in the benchmark's package, for hone bench --vs HEAD~1.
	if _, err := git(ctx, p.dir, "init", "--quiet"); err != nil {
		return nil, err
	}
	for _, name := range []string{"First", "Second"} {
		more := filepath.Join(p.dir, "sum", name+".go")
		if err := os.WriteFile(more, fmt.Appendf(nil,
			"package sum\n\n// %s makes this commit's binary another one.\nconst %[1]s = 1\n", name),
			0o600); err != nil {
			return nil, fmt.Errorf("write project: %w", err)
		}
		for _, args := range [][]string{{"add", "."}, {"commit", "--quiet", "-m", name}} {
			if _, err := git(ctx, p.dir, args...); err != nil {
				return nil, err
			}
		}
	}
	r.project = p
	return p, nil
}

// git runs git in dir as an author that needs no configuration, and returns its output.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=robust", "-c",
		"user.email=robust@localhost", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return out, nil
}

// worktrees counts the worktrees that are registered in a repository beside its own.
func worktrees(ctx context.Context, dir string) (int, error) {
	out, err := git(ctx, dir, "worktree", "list", "--porcelain")
	return bytes.Count(out, []byte("worktree /")) - 1, err
}
