// Command prose lists the turns of phrase in code, stories and documents that a reader whose first language is not
// English has to read twice: prose DIR. It is advice, and exits with 0.
package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: prose DIR")
		os.Exit(2)
	}
	found, err := list(os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "prose: read %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
	if found > 0 {
		fmt.Println(plainer)
	}
}

// worstTurns are the turns. A gap in one may be the end of a line, and the comment sign of the next.
var worstTurns = regexp.MustCompile(strings.ReplaceAll(
	`\b[Tt]o be had\b|[Ss]omebody|[Nn]obody|[Aa]nybody|[Ww]hoever|\b[Aa]ll the same\b`+
		`|\b(?:is|are) said of\b|\b[Ww]hat is kept of\b|\b[Ii]n place of\b|\bin (?:its|their) place\b`+
		`|\b[Bb]eside (?:that|this|what|those|these)\b|\b(?:one|runs?|files?|socket|crash) of before\b`+
		`|\bmore would tell\b|\blines? of yours\b|\bwhat pays only\b|\bdisturbed by the machine, and\b`+
		`|\btoo few for any claim\b|\bwhat shows hone\b|\bone behind the other\b|\bbehind (?:--|the end)`+
		`|\b(?:bytes?|words?|arguments?|stands?|comes?|came) behind\b`,
	" ", `\s+(?:[/#]+\s*)?`))

// noThing is "x is no error" for "x is not an error". "There is no error" is right.
var noThing = regexp.MustCompile(`\b(?:is|was) no (?:pass|(?:input )?error|fault of|file|directory|number|object|request` +
	`|profile|trace|value|name|list|text|URL|socket|session|command|call|change|secret|label|rule)\b`)

// plainer says what to write instead of them.
const plainer = `say it plainly: "unavailable", "another process", "the user", "no one", "still", "the verdict on", ` +
	`"instead of", "besides", "after", "is not a", "would decide it", "your code"`

// worstIn are the places of such turns in a text.
func worstIn(text string) [][]int {
	all := worstTurns.FindAllStringIndex(text, -1)
	for _, at := range noThing.FindAllStringIndex(text, -1) {
		before := strings.ToLower(strings.TrimRight(text[:at[0]], " \n"))
		if !strings.HasSuffix(before, "there") {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

// list writes file, line and turn of each in the files of a directory, its own sources aside, and returns how many it
// found.
func list(w io.Writer, root string) (found int, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == "tools/prose" || strings.HasPrefix(rel, ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".md", ".txtar", ".yaml"}, filepath.Ext(rel)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, at := range worstIn(string(text)) {
			found++
			fmt.Fprintf(w, "%s:%d: %q\n", rel, 1+strings.Count(string(text[:at[0]]), "\n"), text[at[0]:at[1]])
		}
		return nil
	})
	return found, err
}
