package source

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// StandardInput is the word for a patch that comes from there.
const StandardInput = "-"

// patchEndings are how files of patches are called.
var patchEndings = []string{".diff", ".patch", ".mbox", ".eml"}

// pullWord is a pull request of GitHub, or a merge request of GitLab: by its number, or by its page.
var (
	pullWord = regexp.MustCompile(`^#([1-9][0-9]{0,8})$`)
	pullPage = regexp.MustCompile(`^(/.+?)/(?:pull|pulls|-/merge_requests)/([1-9][0-9]{0,8})(?:/[a-z]*)?$`)
)

// IsChange says whether a word stands for a change of a commit: a patch, or a pull request. A directory and a Go file
// are none, whatever they are called.
func IsChange(workDir, word string) bool {
	if _, _, is := pullRequest(word); is {
		return true
	}
	return IsPatch(workDir, word)
}

// NoPullRequest is the error of a word that is meant as a pull request, and is none; nil of others.
func NoPullRequest(word string) error {
	if _, _, is := pullRequest(word); is || !strings.HasPrefix(word, "#") {
		return nil
	}
	return fail.New(fail.BadInput, "%q is not the number of a pull request", word).
		WithHint("'#123' is pull request 123 of the remote origin (GitHub, GitLab)")
}

// IsPatch says whether a word names a patch: a file by its ending or its first bytes, or the standard input.
func IsPatch(workDir, word string) bool {
	if word == StandardInput {
		return true
	}
	file := paths.Uncleaned(workDir, word)
	info, err := os.Stat(file)
	ending := slices.ContainsFunc(patchEndings, func(ending string) bool { return strings.HasSuffix(word, ending) })
	switch {
	case err != nil:
		return ending && !strings.Contains(word, ":") // the error says that it is not there
	case info.IsDir() || IsGoFile(word):
		return false
	case ending:
		return true
	}
	return info.Mode().IsRegular() && info.Mode().Perm()&0o111 == 0 && beginsAsPatch(file)
}

// beginsAsPatch says whether the first bytes of a file are those of a patch.
func beginsAsPatch(file string) bool {
	f, err := inputs.Patch.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, 512)
	n, _ := io.ReadFull(f, first)
	for _, begin := range []string{"diff --git ", "--- ", "Index: ", "From "} {
		if bytes.HasPrefix(first[:n], []byte(begin)) {
			return true
		}
	}
	return false
}

// ReadPatch reads a patch that a word names; input is what - stands for.
func ReadPatch(workDir, word string, input io.Reader) (git.PatchText, error) {
	p := git.PatchText{Name: word}
	var err error
	if word == StandardInput {
		p.Name = "the patch"
		p.Text, err = inputs.Patch.ReadAll(p.Name, input)
	} else {
		p.Text, err = inputs.Patch.ReadFile(paths.Uncleaned(workDir, word))
	}
	if err != nil {
		return p, fail.New(fail.Or(fail.BadInput, err), "read patch %s: %w", word, err).
			WithHint("git diff > FILE writes a patch, and FILE is its path from here")
	}
	return p, nil
}

// pullRequest reads a word that names a pull request. The page is "" for a number alone, else the URL of the
// repository.
func pullRequest(word string) (page, number string, is bool) {
	if m := pullWord.FindStringSubmatch(word); m != nil {
		return "", m[1], true
	}
	u, err := url.Parse(word)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return "", "", false
	}
	m := pullPage.FindStringSubmatch(u.Path)
	if m == nil {
		return "", "", false
	}
	return u.Scheme + "://" + u.Host + m[1], m[2], true
}
