package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// worstTurns are turns that a reader whose first language is not English has to read twice.
// A gap in one may be the end of a line, and the comment sign of the next.
var worstTurns = regexp.MustCompile(strings.ReplaceAll(
	`\b[Tt]o be had\b|[Ss]omebody|[Nn]obody|[Aa]nybody|[Ww]hoever|\b[Aa]ll the same\b|\b(?:is|are) said of\b|\b[Ww]hat is kept of\b`+
		`|\b[Ii]n place of\b|\bin (?:its|their) place\b|\b[Bb]eside (?:that|this|what|those|these)\b|\b(?:one|runs?|files?|socket|crash) of before\b`+
		`|\bmore would tell\b|\blines? of yours\b|\bwhat pays only\b|\bdisturbed by the machine, and\b|\btoo few for any claim\b|\bwhat shows hone\b`+
		`|\bone behind the other\b|\bbehind (?:--|the end)|\b(?:bytes?|words?|arguments?|stands?|comes?|came) behind\b`,
	" ", `\s+(?:[/#]+\s*)?`))

// noThing is "x is no error" for "x is not an error". "There is no error" is right.
var noThing = regexp.MustCompile(`\b(?:is|was) no (?:pass|(?:input )?error|fault of|file|directory|number|object|request|profile|trace|value|name|list|text|URL|socket|session|command|call|change|secret|label|rule)\b`)

// worstIn are the places of such turns in a text.
func worstIn(text string) [][]int {
	all := worstTurns.FindAllStringIndex(text, -1)
	for _, at := range noThing.FindAllStringIndex(text, -1) {
		if before := strings.TrimRight(text[:at[0]], " \n"); !strings.HasSuffix(strings.ToLower(before[max(0, len(before)-len("there")):]), "there") {
			all = append(all, at)
		}
	}
	return all
}

// plainer says what to write in their place.
const plainer = `say it plainly: "unavailable", "another process", "the user", "no one", "still", "the verdict on", "instead of", "besides", "after", "is not a", "would decide it", "your code"`

// turnsAllowed are files that may have them, with the reason.
var turnsAllowed = map[string]string{
	"internal/lint/plain_test.go": "names them",
}

// TestPlainEnglish reads all code, stories and documents: names, comments and messages alike.
func TestPlainEnglish(t *testing.T) {
	root := repoRoot(t)
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if strings.HasPrefix(rel, ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".md", ".txtar", ".yaml"}, filepath.Ext(rel)) || turnsAllowed[rel] != "" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		for _, at := range worstIn(string(text)) {
			t.Errorf("%s:%d: %q: %s", rel, 1+strings.Count(string(text[:at[0]]), "\n"), text[at[0]:at[1]], plainer)
		}
		return nil
	})
	if err != nil || seen < 500 {
		t.Fatalf("read %d files: %v", seen, err)
	}
}

// The rule sees what it is for, and nothing else.
func TestWorstTurns(t *testing.T) {
	for text, want := range map[string]bool{
		"pinning is not to be had":                               true,
		"// what is to be\n\t// had here":                        true,
		"TestNobodyThere":                                        true,
		"all the\nsame":                                          true,
		"what is said of it is said":                             true,
		"an order in\n// place of three":                         true,
		"undecided, which is no pass":                            true,
		"put them behind -- in quotes":                           true,
		"what it does beside that":                               true,
		"%q is no label":                                         true,
		"what needs those beside these":                          true,
		"another program in its place":                           true,
		"remove the socket of before":                            true,
		"about 40 s more would tell: -d":                         true,
		"under no line of yours":                                 true,
		"two slices were disturbed by the machine, and are kept": true,
		"it was disturbed by the machine":                        false,
		"there is no file of that name":                          false,
		"(there is no profile)":                                  false,
		"a list of before and after":                             false,
		"it waits behind another":                                false,
		"a test beside the code":                                 false,
		"noBody := true":                                         false,
		"the same for all":                                       false,
		"errors.As(err, &fault)":                                 false,
		"it is said to be fast":                                  false,
	} {
		if got := len(worstIn(text)) > 0; got != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
