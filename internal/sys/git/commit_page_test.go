package git

import "testing"

func TestCommitPages(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/owner/name.git":           "https://github.com/owner/name/commit/",
		"https://user:secret@github.com/owner/name":   "https://github.com/owner/name/commit/",
		"git@github.com:owner/name.git":               "https://github.com/owner/name/commit/",
		"ssh://git@gitlab.example.com:2222/a/b/c.git": "https://gitlab.example.com/a/b/c/-/commit/",
		"https://git.example.com:8443/owner/name/":    "https://git.example.com:8443/owner/name/commit/",
		"https://bitbucket.org/owner/name":            "https://bitbucket.org/owner/name/commits/",
		"":                                            "", "/srv/git/name.git": "", "../name": "", "file:///srv/git/name.git": "", "C:\\git\\name": "",
		"https://github.com/owner/na me": "", "javascript://x/%0aalert(1)//y": "", "https://github.com/a/\"onclick=": "",
	} {
		if got := commitPages(remote); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
}
