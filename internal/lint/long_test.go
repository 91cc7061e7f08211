package lint

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	longLine = regexp.MustCompile(`^ *\d+ (Test[^ /]+)(?:/([^ ]+))?$`)
)

// TestLongTestsExist holds tools/long.txt against the tree: a test that it names by mistake would run always, and a
// name that two tests have would leave out both.
func TestLongTestsExist(t *testing.T) {
	root := repoRoot(t)
	tests, stories := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == "bin" || strings.HasPrefix(rel, ".") && rel != "."):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			for _, found := range testFunc.FindAllStringSubmatch(readText(t, root, rel), -1) {
				tests[found[1]]++
			}
		case filepath.Ext(path) == ".txtar":
			stories[strings.TrimSuffix(filepath.Base(path), ".txtar")]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(readText(t, root, "tools/long.txt")), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
	if len(lines) == 0 {
		t.Fatal("tools/long.txt names no tests")
	}
	for _, line := range lines {
		name := longLine.FindStringSubmatch(line)
		switch {
		case name == nil:
			t.Errorf("tools/long.txt: %q: write seconds and a test, `12 TestName` or `12 TestScripts/story`", line)
		case name[1] == "TestREADME":
			if !documentHas(t, root, name[2]) {
				t.Errorf("tools/long.txt: %s: no document has this section: correct the line", line)
			}
		case name[1] == "TestScripts" || name[1] == "TestStories":
			if stories[name[2]] != 1 {
				t.Errorf("tools/long.txt: %s: %d stories have this name, want one: correct the line", line,
					stories[name[2]])
			}
		case tests[name[1]] != 1:
			t.Errorf("tools/long.txt: %s: %d tests have this name, want one: correct the line, or rename a test", line,
				tests[name[1]])
		}
	}
}

// documentHas says whether a section, "start.md_2._Measure_your_service", stands in its document.
func documentHas(t *testing.T, root, section string) bool {
	t.Helper()
	file, title, _ := strings.Cut(section, "_")
	if file != "README.md" {
		file = filepath.Join("docs", file)
	}
	return strings.Contains(readText(t, root, file), "\n## "+strings.ReplaceAll(title, "_", " ")+"\n")
}
