package source

import (
	"context"

	"github.com/gohone/hone/internal/sys/git"
)

// FetchPullRequest fetches the head of a pull request from the remote origin into hone's cache, and returns its commit.
// The word is its number, #123, or the URL of its page, which has to be of that remote.
func FetchPullRequest(ctx context.Context, dir, word string) (commit string, err error) {
	page, number, _ := pullRequest(word)
	return git.FetchPull(ctx, dir, page, number)
}
