package bed

import (
	"context"
	"strings"

	"github.com/gohone/hone/bench/proc"
)

// current says of a session whether its hone is that of session now: the version is the same, and since its commit no
// code has changed of what the case is about. A session with changes that are in no commit, or of a commit that is
// gone, is of another hone.
func (b *Bed) current(ctx context.Context, now *Session) Current {
	known := map[string]bool{}
	return func(s *Session) bool {
		if s.Hone != now.Hone || s.Commit == "" || strings.Contains(s.Commit, " ") {
			return s.Hone == now.Hone && s.Commit == now.Commit
		}
		same, ok := known[s.Commit]
		if !ok {
			same = !ChangedSince(ctx, s.Commit, b.about)
			known[s.Commit] = same
		}
		return same
	}
}

// ChangedSince says that code in one of the directories, or below, may have changed since a commit: it has, or the
// commit is not known here. Without directories it is any code.
func ChangedSince(ctx context.Context, commit string, dirs []string) bool {
	if commit == NotRecorded || strings.Contains(commit, " ") {
		return true
	}
	d, err := proc.Run(ctx, -1, proc.Command{Program: "git",
		Args: []string{"diff", "--name-only", "--no-renames", commit, "--", ":/"}})
	return err != nil || touches(strings.Fields(string(d.Stdout)), dirs)
}

// touches says that one of the files is code in one of the directories, or below; of any without directories.
func touches(files, dirs []string) bool {
	for _, f := range files {
		if !strings.HasSuffix(f, ".go") || strings.HasSuffix(f, "_test.go") {
			continue
		}
		if len(dirs) == 0 && !strings.HasPrefix(f, "bench/") {
			return true
		}
		for _, dir := range dirs {
			if strings.HasPrefix(f, dir+"/") {
				return true
			}
		}
	}
	return false
}
