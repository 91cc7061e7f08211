package lsp

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
)

// mostSource bounds a file in bytes.
const mostSource = 16 << 20

// text is a file of the workspace as it is now.
type text struct {
	lines []string
	// built are the lines of the file that was measured; nil where only the present ones are known. changed says that
	// the file is then younger than the run.
	built   []string
	changed bool
}

// readText reads a file below root; no link leads out of it. built is the text that was measured, if that is known.
func readText(root, way string, built []byte, started time.Time) (*text, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.OpenFile(filepath.FromSlash(way), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	now, err := io.ReadAll(io.LimitReader(file, mostSource))
	if err != nil {
		return nil, err
	}
	t := &text{lines: linesOf(now), changed: info.ModTime().After(started)}
	if built != nil {
		t.built, t.changed = linesOf(built), false
	}
	return t, nil
}

func linesOf(source []byte) []string {
	lines := strings.Split(string(source), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// place is where a line of the run, counted from 1, is now, and a note for the user. Where the text that was measured
// is known, it is the line with the same text: the same number, or else the only other such line. A line whose text
// changed has no place: what was measured is not there any more, and its number may name other code. Where the text is
// not known, the number is all there is, and the note says that the file changed.
func (t *text) place(line int64) (at textRange, note string, ok bool) {
	i := int(line) - 1
	if t.built != nil {
		i, ok = t.follow(i)
		return t.rangeOf(i), "", ok
	}
	if t.changed {
		note = "; the file changed after the run, so this may be another line"
	}
	return t.rangeOf(i), note, i >= 0 && i < len(t.lines)
}

// follow returns the index of the line that has the text which line i had when it was built.
func (t *text) follow(i int) (now int, ok bool) {
	if i < 0 || i >= len(t.built) {
		return 0, false
	}
	want := t.built[i]
	if i < len(t.lines) && t.lines[i] == want {
		return i, true
	}
	if only(t.built, want) < 0 {
		return 0, false
	}
	now = only(t.lines, want)
	return now, now >= 0
}

// only is the index of the only line with a text; -1 where there are several or none.
func only(lines []string, want string) int {
	i := slices.Index(lines, want)
	if i >= 0 && slices.Contains(lines[i+1:], want) {
		return -1
	}
	return i
}

// rangeOf is a line from its first letter to its end.
func (t *text) rangeOf(i int) textRange {
	if i < 0 || i >= len(t.lines) {
		return textRange{}
	}
	line := t.lines[i]
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	return textRange{position{i, indent}, position{i, len(utf16.Encode([]rune(line)))}}
}
