package lint

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestLinks follows every relative link of every Markdown file, to a file and to a heading in it.
func TestLinks(t *testing.T) {
	root := repoRoot(t)
	files, links := markdownFiles(t, root), 0
	for _, file := range files {
		for _, link := range linksOf(readText(t, root, file)) {
			links++
			if fault := follow(t, root, file, link); fault != "" {
				t.Errorf("%s: the link %q: %s", file, link, fault)
			}
		}
	}
	if len(files) < 40 || links < 150 {
		t.Fatalf("found %d files with %d links", len(files), links)
	}
}

// follow returns what is wrong with a link in a file, or nothing. Links to other hosts are not followed.
func follow(t *testing.T, root, file, link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" {
		return ""
	}
	target := file
	if u.Path != "" {
		target = path.Join(path.Dir(file), u.Path)
	}
	if _, err := os.Stat(filepath.Join(root, target)); err != nil {
		return "there is no " + target
	}
	if u.Fragment != "" && path.Ext(target) == ".md" &&
		!slices.Contains(anchorsOf(readText(t, root, target)), u.Fragment) {
		return fmt.Sprintf("%s has no heading #%s", target, u.Fragment)
	}
	return ""
}

// markdownFiles returns the names of all Markdown files of the project, relative to root.
func markdownFiles(t *testing.T, root string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (slices.Contains([]string{".git", ".hone", "bin", "node_modules", "testdata"},
			d.Name())) {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readText(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	fencedBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	inlineCode  = regexp.MustCompile("`[^`\n]*`")
	inlineLink  = regexp.MustCompile(`\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)
	headingLine = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
)

// linksOf returns the targets of links and pictures of a Markdown text.
func linksOf(text string) (links []string) {
	text = inlineCode.ReplaceAllString(fencedBlock.ReplaceAllString(text, ""), "code")
	for _, m := range inlineLink.FindAllStringSubmatch(text, -1) {
		links = append(links, m[1])
	}
	return links
}

// anchorsOf returns the anchors that GitHub gives to the headings of a Markdown text.
func anchorsOf(text string) (anchors []string) {
	for _, m := range headingLine.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, inlineLink.ReplaceAllString(m[1], ""))
		same := 0
		for slices.Contains(anchors, numbered(anchor, same)) {
			same++
		}
		anchors = append(anchors, numbered(anchor, same))
	}
	return anchors
}

func numbered(anchor string, n int) string {
	if n == 0 {
		return anchor
	}
	return fmt.Sprintf("%s-%d", anchor, n)
}

// The rule sees links, no code, and makes anchors as GitHub does.
func TestLinksAndAnchors(t *testing.T) {
	text := "# Why `hone` is, here: a [link](a.md)\n\n## Twice\n\n![p](b.png \"x\") `[no](c.md)`\n\n```\n# no heading\n[no](d.md)\n```\n\n## Twice\n[e](f.md#g)\n"
	if got := linksOf(text); !slices.Equal(got, []string{"a.md", "b.png", "f.md#g"}) {
		t.Errorf("links %q", got)
	}
	if got := anchorsOf(text); !slices.Equal(got, []string{"why-hone-is-here-a-link", "twice", "twice-1"}) {
		t.Errorf("anchors %q", got)
	}
}
