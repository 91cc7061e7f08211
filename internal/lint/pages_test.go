package lint

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryPageIsListed holds docs/README.md, which is also the menu of the site, against what is there: all pages of
// docs and all services, each once and as the first link of its entry.
func TestEveryPageIsListed(t *testing.T) {
	root := repoRoot(t)
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^- \[[^\]]+\]\(([^)]+)\): \S`).FindAllStringSubmatch(readText(t, root,
		"docs/README.md"), -1) {
		page := path.Join("docs", m[1])
		if slices.Contains(listed, page) {
			t.Errorf("docs/README.md lists %s twice", page)
		}
		listed = append(listed, page)
	}
	for _, file := range markdownFiles(t, root) {
		wanted := strings.HasPrefix(file, "docs/") ||
			path.Base(file) == "README.md" && strings.HasPrefix(file, "services/")
		if wanted && file != "docs/README.md" && !slices.Contains(notListed, file) && !slices.Contains(listed, file) {
			t.Errorf("docs/README.md does not list %s: add a line `- [Title](%s): what it says`", file,
				strings.TrimPrefix(file, "docs/"))
		}
	}
}

// notListed are Markdown files of docs that are not pages.
var notListed = []string{
	"docs/skill/SKILL.md", // read by coding agents
}

// TestREADMEs holds both README files against each other: short, with a picture first, and the same commands in both.
func TestREADMEs(t *testing.T) {
	root := repoRoot(t)
	english, chinese := readText(t, root, "README.md"), readText(t, root, "README.zh-CN.md")
	for name, text := range map[string]string{"README.md": english, "README.zh-CN.md": chinese} {
		if lines := strings.Count(text, "\n"); lines >= 100 {
			t.Errorf("%s has %d lines, want under 100", name, lines)
		}
		before, _, found := strings.Cut(text, "\n![")
		if !found || strings.Contains(before, "\n## ") {
			t.Errorf("%s has no picture before its first section", name)
		}
	}
	// Comments of commands are in the language of the page.
	comment := regexp.MustCompile(`\s+# .*`)
	code := func(text string) []string { return codeOf(comment.ReplaceAllString(text, "")) }
	if a, b := code(english), code(chinese); !slices.Equal(a, b) {
		t.Errorf("commands and output differ:\n%s\n--- README.zh-CN.md\n%s", strings.Join(a, "\n"),
			strings.Join(b, "\n"))
	}
	if a, b := linksOf(english), linksOf(chinese); !slices.Equal(sameLinks(a), sameLinks(b)) {
		t.Errorf("links differ:\n%q\n%q", a, b)
	}
}

// TestPictures holds the pictures against the record of how they were made, and against the documents that show them.
func TestPictures(t *testing.T) {
	root := repoRoot(t)
	var made struct{ Pictures map[string]string }
	if err := json.Unmarshal([]byte(readText(t, root, "docs/pictures/made.json")), &made); err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, file := range markdownFiles(t, root) {
		for _, link := range linksOf(readText(t, root, file)) {
			shown[path.Join(path.Dir(file), link)] = true
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "docs/pictures/*.[ps]*g"))
	if err != nil || len(files) != len(made.Pictures) {
		t.Errorf("%d pictures, %d in made.json, %v", len(files), len(made.Pictures), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() >= 200_000 {
			t.Errorf("%s has %d kB, want under 200", name, info.Size()/1000)
		}
		if made.Pictures[name] == "" {
			t.Errorf("made.json does not say how %s was made: make pictures", name)
		}
		if !shown["docs/pictures/"+name] {
			t.Errorf("no document shows %s", name)
		}
	}
}

// codeOf returns the indented lines of a Markdown text.
func codeOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// sameLinks returns links in order, each once, without those from one README to the other.
func sameLinks(links []string) []string {
	links = slices.DeleteFunc(slices.Clone(links), func(l string) bool { return strings.HasPrefix(l, "README.") })
	slices.Sort(links)
	return slices.Compact(links)
}
