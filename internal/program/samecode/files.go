package samecode

import (
	"bytes"
	"path"
	"strings"
)

// fileTexts are texts by which code may open the files that differ between the sides: a benchmark that reaches one of
// them may read such a file. What code puts together out of shorter texts is not found.
type fileTexts struct {
	parts map[string]bool // of a text
	whole map[string]bool
}

// textsFor are those for slash-separated paths: the name of a file, a pattern for its ending, and the directories on
// the way to it. Go files are in directories that code names for other reasons.
func textsFor(files []string) fileTexts {
	t := fileTexts{map[string]bool{}, map[string]bool{}}
	for _, file := range files {
		dir, base := path.Split(file)
		t.parts[base] = true
		if ext := path.Ext(base); ext != "" {
			t.parts["*"+ext] = true
		}
		if path.Ext(base) == ".go" {
			if dir != "" { // as go build is told
				t.parts["./"+strings.TrimSuffix(dir, "/")] = true
			}
			continue
		}
		for name := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
			if name != "" {
				t.parts[name+"/"], t.whole[name] = true, true
			}
		}
	}
	return t
}

// in says whether a text, which has a symbol of its own, may lead to one of the files.
func (t fileTexts) in(text []byte) bool {
	if t.whole[string(text)] {
		return true
	}
	for part := range t.parts {
		if bytes.Contains(text, []byte(part)) {
			return true
		}
	}
	return false
}

// textSymbol begins the names of symbols that are texts of the source.
const textSymbol = "go:string."
