package rewrite

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Overlay is what go build is to take instead of the files of the tree: content by absolute path. It has the changes
// that this one was made on top of, too. That of nil is empty.
func (c *Change) Overlay() map[string]string {
	overlay := map[string]string{}
	if c == nil {
		return overlay
	}
	maps.Copy(overlay, c.options.On.Overlay())
	for _, f := range c.Files {
		overlay[f.Path] = string(f.After)
	}
	return overlay
}

// Before is the overlay without the change itself: nil where it is made of the files as they are.
func (c *Change) Before() map[string]string {
	if c.options.On == nil {
		return nil
	}
	return c.options.On.Overlay()
}

// Line is where a line of the tree is after a change, and after those that it was made on top of. A line that was
// replaced is where its replacement begins.
func (c *Change) Line(path string, line int) int {
	if c == nil {
		return line
	}
	line = c.options.On.Line(path, line)
	for _, f := range c.Files {
		if f.Path == filepath.Clean(path) {
			return moved(f, line)
		}
	}
	return line
}

// moved follows a line through the difference of both texts. Its unified form has for each piece the first line and the
// count of both sides, and then one line for each that stays (" "), goes ("-") or comes ("+").
func moved(f File, line int) int {
	text := diff.Diff("a", f.Before, "b", f.After)
	at := bytes.Index(text, []byte("\n@@ "))
	if at < 0 {
		return line
	}
	old, now := 1, 1
	for l := range bytes.Lines(text[at+1:]) {
		if bytes.HasPrefix(l, []byte("@@ ")) {
			from, to, ok := begins(string(l))
			if !ok || from > line {
				break
			}
			old, now = from, to
			continue
		}
		if old == line && l[0] != '+' {
			return now
		}
		if l[0] != '+' {
			old++
		}
		if l[0] != '-' {
			now++
		}
	}
	return now + line - old
}

// read is a file as it is before the change: as the changes left it on top of which it is made.
func (o Options) read(path string) ([]byte, error) {
	for on := o.On; on != nil; on = on.options.On {
		for _, f := range on.Files {
			if f.Path == path {
				return f.After, nil
			}
		}
	}
	return os.ReadFile(path)
}

// flags are the build flags for the source before the change. dir is a directory for the files of an overlay.
func (o Options) flags(dir string) ([]string, error) {
	return withOverlay(o.Flags, o.On.Overlay(), dir)
}

// begins reads the first lines of a piece: @@ -12,7 +14,9 @@.
func begins(head string) (old, now int, ok bool) {
	fields := strings.Fields(head)
	if len(fields) < 3 {
		return 0, 0, false
	}
	first := func(field, sign string) (int, bool) {
		number, _, _ := strings.Cut(strings.TrimPrefix(field, sign), ",")
		n, err := strconv.Atoi(number)
		return n, err == nil
	}
	old, okOld := first(fields[1], "-")
	now, okNow := first(fields[2], "+")
	return old, now, okOld && okNow
}
