package codeowners

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func read(t testing.TB, text string) *Owners {
	t.Helper()
	o, err := Read(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The rules are those of the example in GitHub's documentation.
func TestTheLastRuleWins(t *testing.T) {
	o := read(t, `# a comment
*       @global-owner1 @global-owner2
*.js    @js-owner # a comment behind
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
/my\ dir/ @spaced
`)
	if len(o.Faults) != 0 {
		t.Errorf("faults %v", o.Faults)
	}
	for file, want := range map[string]string{
		"README":              "@global-owner1 @global-owner2",
		"web/a.js":            "@js-owner",
		"main.go":             "docs@example.com",
		"a/b/main.go":         "docs@example.com",
		"x.txt":               "@octo-org/octocats",
		"build/logs/a/b":      "@octocat",
		"deeply/logs/a":       "@octocat",
		"build/other":         "@global-owner1 @global-owner2",
		"docs/start.md":       "@doctocat",
		"docs/a/start.md":     "@doctocat",
		"other/apps/a/x":      "@octocat",
		"apps/github/x":       "",
		"apps/github":         "",
		"apps/githubs":        "@octocat",
		"my dir/a":            "@spaced",
		"other/scripts/x":     "@global-owner1 @global-owner2",
		"scripts/x":           "@doctocat @octocat",
		"/scripts/../x/../a":  "@global-owner1 @global-owner2",
		"../../scripts/a/b/c": "@doctocat @octocat",
	} {
		if got := strings.Join(o.ofFile(file), " "); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	for dir, want := range map[string]string{".": "docs@example.com", "internal/parse": "docs@example.com", "apps/github": "",
		"build/logs/x": "@octocat"} {
		if got := strings.Join(o.Of(dir), " "); got != want {
			t.Errorf("package %s: %s, want %s", dir, got, want)
		}
	}
	one := read(t, "docs/* @a\n")
	if one.ofFile("docs/a") == nil || one.ofFile("docs/a/b") != nil || one.ofFile("x/docs/a") != nil {
		t.Error("docs/* is files of docs, and no others")
	}
	if (&Owners{}).Of("a") != nil {
		t.Error("no rules have owners")
	}
}

// What GitHub passes over is passed over, and named with its line.
func TestLinesThatAreNoRules(t *testing.T) {
	o := read(t, "[Section] @default\n^[Optional][2]\n* @all\n!a @b\n[ab]c @d\na nobody\n/ @root\n\xff @e\nb @@developers\n"+
		strings.Repeat("a", 5000)+" @long\n")
	want := []string{"CODEOWNERS:4: a pattern with ! is none of CODEOWNERS", "CODEOWNERS:5: a pattern with [ ] is none of CODEOWNERS",
		`CODEOWNERS:6: "nobody" is not an owner: @user, @organisation/team or an address`, `CODEOWNERS:7: "/" is not a pattern`,
		`CODEOWNERS:8: "\xff" is not a pattern`}
	if len(o.Faults) != 6 || !slices.Equal(o.Faults[:5], want) || !strings.HasPrefix(o.Faults[5], "CODEOWNERS:10: ") {
		t.Errorf("%q", o.Faults)
	}
	if got := o.ofFile("a/x"); len(got) != 1 || got[0] != "@all" {
		t.Errorf("%v", got)
	}
	_, err := Read(strings.NewReader(strings.Repeat("a @b\n", 20_002)), "F")
	if err == nil || fail.KindOf(err) != fail.BadInput || err.Error() != "read owners: F: the file of owners has more than 20,000 values" {
		t.Errorf("many rules: %v", err)
	}
	if _, err := Read(strings.NewReader(strings.Repeat("#", 3<<20+1)), ""); err == nil || fail.KindOf(err) != fail.BadInput {
		t.Errorf("a large file: %v", err)
	}
}

// Patterns mean what git says that they mean in .gitignore.
func TestPatternsAreThoseOfGit(t *testing.T) {
	dir := t.TempDir()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, _ := cmd.Output() // it fails where no path matches
		return string(out)
	}
	git("", "init", "-q")
	paths := []string{"a", "a/b", "a/b/c", "b", "b/a", "c/a/b/d", "x.go", "a/x.go", "a/b/x.go", "x.go/a", "ab", "a/bc", "c/b", "é/a", "a.b/c"}
	for _, pattern := range []string{"*", "a", "/a", "a/", "a/b", "/a/b", "a/b/", "**/b", "a/**", "a/**/c", "*.go", "/*.go", "a/*.go",
		"**/*.go", "?", "a?", "x*o", "a**", "**/a/b", "/**/b", "é", "?/b", "a.b", "b/a/"} {
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(pattern+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(git(strings.Join(paths, "\n"), "-c", "core.quotePath=false", "check-ignore", "--no-index", "--stdin"))
		o := read(t, pattern+" @x\n")
		for _, path := range paths {
			if got := len(o.ofFile(path)) > 0; got != slices.Contains(want, path) {
				t.Errorf("%s: %s: %v, git says %v", pattern, path, got, !got)
			}
		}
	}
}

// FuzzRead: any file is read, and a last rule for all files wins.
func FuzzRead(f *testing.F) {
	f.Add("* @a\n/b/ @c\n# d\n[e] @f\n", "b/x")
	f.Add("**/a/**/b? @x y@z\n\\ /\\# @a\n", "\xff/../é")
	f.Fuzz(func(t *testing.T, text, path string) {
		o, err := Read(strings.NewReader(text), "")
		if err != nil {
			return
		}
		o.Of(path)
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") || strings.Contains(path, "\n") {
			return // UTF-16, which what is added is not
		}
		last, err := Read(strings.NewReader(text+"* @last\n"), "")
		if err != nil {
			return
		}
		if got := last.ofFile("a/" + path + "/b"); len(got) != 1 || got[0] != "@last" {
			t.Errorf("owners %q", got)
		}
	})
}
