package git

import (
	"context"
	"fmt"
	"time"
)

// Record commits all that is in a checkout that hone has made (Checkout), with a subject and a date, and gives the
// commit a tag. The same files on the same commit always have the same hash. Nothing of the user's repository changes.
func Record(ctx context.Context, tree, subject, tag string, date time.Time) error {
	config, err := readConfig(ctx, tree)
	if err != nil {
		return err
	}
	day := date.Format(time.RFC3339)
	dates := []string{"GIT_AUTHOR_DATE=" + day, "GIT_COMMITTER_DATE=" + day}
	settings := append(config.shield(), setting{"user.name", "hone"}, setting{"user.email", "hone@localhost"},
		setting{"commit.gpgSign", "false"}, setting{"tag.gpgSign", "false"})
	for _, args := range [][]string{
		{"add", "--all", "--force", "."},
		{"commit", "--quiet", "--no-verify", "--allow-empty", "--message", subject},
		{"tag", "--force", "--no-sign", tag},
	} {
		if _, err := runWith(ctx, tree, settings, "", dates, args...); err != nil {
			return fmt.Errorf("record %s: %w", subject, err)
		}
	}
	return nil
}
