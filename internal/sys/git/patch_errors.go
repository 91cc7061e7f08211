package git

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

var (
	encodedMail  = regexp.MustCompile(`(?mi)^Content-Transfer-Encoding: *(quoted-printable|base64)`)
	absolutePath = regexp.MustCompile(`(?m)^(?:---|\+\+\+) "?(/[^\t\r\n"]*)`)
	binaryDiffer = regexp.MustCompile(`(?m)^Binary files (.*) and (.*) differ`)
)

// readable refuses what git would not take for a patch, or would take for another one.
func readable(p PatchText) error {
	text := p.Text
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return fail.New(fail.BadInput, "%s is empty", p.Name).WithHint("git diff writes a patch, and nothing where no file that git knows differs")
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return fail.New(fail.BadInput, "%s is in UTF-16, and a patch is bytes as git wrote them", p.Name).
			WithHint("git diff --output=FILE writes it without a shell")
	case encodedMail.Match(text):
		return fail.New(fail.BadInput, "%s is an encoded mail (%s)", p.Name, encodedMail.FindSubmatch(text)[1]).
			WithHint("git am decodes it: apply it to a branch, and name the branch instead of the patch")
	}
	for _, m := range absolutePath.FindAllSubmatchIndex(text, -1) {
		if name := string(text[m[2]:m[3]]); strings.TrimSpace(name) != "/dev/null" {
			return fail.New(fail.BadInput, "%s:%d: %q is an absolute path", p.Name, lineAt(text, m[0]), name).
				WithHint("paths of a patch begin in the root of the repository: git diff writes them so")
		}
	}
	if m := binaryDiffer.FindSubmatchIndex(text); m != nil {
		return fail.New(fail.BadInput, "%s:%d: the content of the binary file %q is not in the patch", p.Name,
			lineAt(text, m[0]), text[m[4]:m[5]]).WithHint("git diff --binary writes it")
	}
	return nil
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

var (
	saidByGit  = regexp.MustCompile(`(?m)(?:^|: )(?:error|fatal): (.*)$`)
	failedHunk = regexp.MustCompile(`patch failed: (.+):(\d+)$`)
	notThere   = regexp.MustCompile(`^(.+): (?:does not exist in index|No such file or directory)$`)
	isThere    = regexp.MustCompile(`^(.+): already exists in index$`)
	damaged    = regexp.MustCompile(`(?:at line|\(line) (\d+)`)
	badPath    = regexp.MustCompile(`invalid path '(.+)'|affected file '(.+)' is beyond a symbolic link`)
	noBinary   = regexp.MustCompile(`binary patch (?:to|does not apply to) '(.+?)'`)
)

// explainApply makes what git apply says readable: which file and hunk, why, and what to do.
func explainApply(p PatchText, base string, failed error) error {
	var known *fail.Error
	if errors.As(failed, &known) { // there is no git
		return failed
	}
	if fail.KindOf(failed) == fail.Storage {
		return fmt.Errorf("apply %s: %w", p.Name, failed)
	}
	for _, said := range saidByGit.FindAllStringSubmatch(failed.Error(), -1) {
		line := said[1]
		anew := fmt.Sprintf("name the commit that the patch is for: hone compare COMMIT %s; or make it anew on this one: "+
			"git diff %.12s", p.Name, base)
		if m := failedHunk.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s does not apply to %.12s: %s", p.Name, base, hunkAt(p, m[1], m[2])).
				WithHint("%s", anew)
		}
		if m := notThere.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s does not apply to %.12s: there is no file %q", p.Name, base, m[1]).
				WithHint("%s", anew)
		}
		if m := isThere.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s does not apply to %.12s: it adds the file %q, which is there already", p.Name,
				base, m[1]).WithHint("%s", anew)
		}
		if m := badPath.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s changes %q, which is outside of the repository, in .git or behind a link",
				p.Name, m[1]+m[2]).WithHint("leave that file out of the patch")
		}
		if m := noBinary.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s does not apply to %.12s: the binary file %q", p.Name, base, m[1]).
				WithHint("git diff --binary writes its content; it needs the same file before the change")
		}
		if strings.HasPrefix(line, "No valid patches") || strings.HasPrefix(line, "unrecognized input") {
			return fail.New(fail.BadInput, "%s holds no change: it has no header of a file (--- and +++)", p.Name).
				WithHint("git diff writes a patch")
		}
		if m := damaged.FindStringSubmatch(line); m != nil {
			return fail.New(fail.BadInput, "%s:%s: the patch is damaged: %s", p.Name, m[1], printable.Line(line)).
				WithHint("copy it as git wrote it: tabs, empty lines and spaces at the ends of lines belong to it")
		}
	}
	return fail.New(fail.BadInput, "apply %s to %.12s: %s", p.Name, base, printable.Text(failed.Error())).
		WithHint("git apply --check %s in a checkout of that commit says the same", p.Name)
}

// hunkAt names a hunk by its file and the line where it begins before the change.
func hunkAt(p PatchText, file, line string) string {
	in, number, count, at := false, 0, 0, 0
	n := 0
	for text := range strings.Lines(string(p.Text)) {
		n++
		text = strings.TrimRight(text, "\r\n")
		switch {
		case strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ "):
			name, _, _ := strings.Cut(text[4:], "\t")
			in = strings.HasSuffix("/"+name, "/"+file) || in && strings.HasSuffix(name, "/dev/null")
		case in && strings.HasPrefix(text, "@@ -"):
			count++
			first, _, _ := strings.Cut(strings.TrimPrefix(text, "@@ -"), " ")
			if first, _, _ = strings.Cut(first, ","); first == line && at == 0 {
				number, at = count, n
			}
		}
	}
	if at == 0 {
		return fmt.Sprintf("the lines at %s:%s are others than it expects", file, line)
	}
	return fmt.Sprintf("hunk %s of %d of %s (%s:%d) expects other lines at %s:%s", strconv.Itoa(number), count, file,
		p.Name, at, file, line)
}
