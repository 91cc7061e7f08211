// Package codeowners reads CODEOWNERS, and finds the owners of a path of a repository: who is told of a change there.
//
// The rules are those of GitHub's documentation, "About code owners": a line is a pattern and its owners; the last
// pattern that matches wins, also one without owners; patterns are those of .gitignore but for !, [ ] and a \ before #,
// which GitHub does not know. A line with a pattern of that kind, or with an owner that is none, is passed over, as
// GitHub does, and named. The heads of GitLab's sections are passed over; the rules in them count as any others.
package codeowners

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/inputs"
)

// Places are where a repository has its file, in the order in which GitHub looks.
var Places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// Owners are the rules of a file. The zero value has none.
type Owners struct {
	rules []rule
	// Faults are the lines that are passed over, each as NAME:LINE: reason.
	Faults []string
}

type rule struct {
	pattern *regexp.Regexp
	owners  []string
}

// mostFaults bounds the messages about a file of another kind.
const mostFaults = 20

// Read reads a file; name is for messages. An error is one of the reader, or of a file over its bound.
func Read(r io.Reader, name string) (*Owners, error) {
	name = cmp.Or(name, "CODEOWNERS")
	text, err := io.ReadAll(inputs.Text(inputs.CodeOwners.Reader(name, r)))
	if err != nil {
		return nil, fmt.Errorf("read owners: %w", err)
	}
	o := &Owners{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if err := inputs.OwnerRules.Over(name, int64(len(o.rules))); err != nil {
			return nil, fmt.Errorf("read owners: %w", err)
		}
		if reason := o.read(strings.TrimSpace(line)); reason != "" && len(o.Faults) < mostFaults {
			o.Faults = append(o.Faults, fmt.Sprintf("%s:%d: %s", name, number, reason))
		}
	}
	return o, nil
}

// section is a head of GitLab's: [Name], ^[Name] or [Name][2], with default owners after it.
var section = regexp.MustCompile(`^\^?\[[^\]]*\](\[\d+\])?(\s|$)`)

// owner is @user, @organisation/team or an address.
var owner = regexp.MustCompile(`^(@@?[\w.-]+(/[\w./-]+)?|[^\s@]+@[^\s@]+)$`)

// read adds the rule of a line, or says why it has none; "" for a line that is not a rule.
func (o *Owners) read(line string) (reason string) {
	words := fields(line)
	switch {
	case len(words) == 0, section.MatchString(line):
		return ""
	case strings.HasPrefix(words[0], "!"):
		return "a pattern with ! is none of CODEOWNERS"
	case strings.ContainsAny(words[0], "[]"):
		return "a pattern with [ ] is none of CODEOWNERS"
	}
	for _, w := range words[1:] {
		if !owner.MatchString(w) {
			return fmt.Sprintf("%q is not an owner: @user, @organisation/team or an address", w)
		}
	}
	pattern, err := expression(words[0])
	if err != nil {
		return fmt.Sprintf("%q is not a pattern", words[0])
	}
	o.rules = append(o.rules, rule{pattern, words[1:]})
	return ""
}

// fields are the words of a line up to a comment. A space after a \ belongs to its word.
func fields(line string) (words []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
		}
		word.Reset()
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == ' ':
			word.WriteByte(' ')
			i++
		case c == ' ' || c == '\t':
			end()
		case c == '#' && word.Len() == 0:
			return words
		default:
			word.WriteByte(c)
		}
	}
	end()
	return words
}

// longestPattern bounds what a line costs when it is read; a path of Linux has 4,096 bytes at most.
const longestPattern = 4096

var errPattern = errors.New("the pattern matches no file")

// expression is a pattern as a regular expression over paths without a slash in front, of directories with one behind.
//
//   - all but a slash, any number
//     ?       one that is no slash
//     **/     any directories, none as well
//     /**     all below
//     a/b     with a slash other than the last: from the root of the repository; else in any directory
//     a/      all below a directory
//     a       a file, or all below a directory; after a /* only files
func expression(pattern string) (*regexp.Regexp, error) {
	anchored := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	rest := strings.TrimPrefix(pattern, "/")
	if rest == "" || len(rest) > longestPattern { // the pattern / is the root, and a file is never that
		return nil, errPattern
	}
	var b strings.Builder
	b.WriteByte('^')
	if !anchored {
		b.WriteString("(?:.*/)?")
	}
	for i := 0; i < len(rest); i++ {
		atStart := i == 0 || rest[i-1] == '/'
		switch c := rest[i]; {
		case atStart && strings.HasPrefix(rest[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case atStart && rest[i:] == "**":
			b.WriteString(".+")
			i++
		case c == '*':
			b.WriteString("[^/]*")
			for i+1 < len(rest) && rest[i+1] == '*' {
				i++
			}
		case c == '?':
			b.WriteString("[^/]")
		default:
			_, size := utf8.DecodeRuneInString(rest[i:])
			b.WriteString(regexp.QuoteMeta(rest[i : i+size]))
			i += size - 1
		}
	}
	switch {
	case strings.HasSuffix(rest, "/"):
		b.WriteString(".*")
	case !strings.HasSuffix(rest, "/*"):
		b.WriteString("(?:/.*)?")
	}
	b.WriteByte('$')
	return regexp.Compile(b.String())
}

// Of are the owners of a package in a directory of the repository, such as internal/parse: those of a file of tests in
// it, where benchmarks are. "." is the root. Empty if it has none.
func (o *Owners) Of(dir string) []string {
	return o.ofFile(path.Join(dir, "bench_test.go"))
}

// ofFile are the owners of a file.
func (o *Owners) ofFile(file string) []string {
	file = strings.TrimPrefix(path.Clean("/"+file), "/")
	for i := len(o.rules) - 1; i >= 0; i-- {
		if o.rules[i].pattern.MatchString(file) {
			return o.rules[i].owners
		}
	}
	return nil
}
