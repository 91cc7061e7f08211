package templates

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Port stands for a free TCP port in a variant's arguments and environment, and in
// the target of a plan. {port2} to {port9} stand for further ones, for a program that listens
// on several.
const Port = "{port}"

// Dir stands for a directory in a variant's arguments and environment that is fresh
// and empty at each start, and removed after it.
const Dir = "{dir}"

var Pattern = regexp.MustCompile(`\{([A-Za-z0-9_-]+\.)?(port[2-9]?|socket[2-9]?|dir)\}`)

// Fill replaces the templates in a text by what value says of each, such as {port2}.
func Fill(text string, value func(template string) string) string {
	return Pattern.ReplaceAllStringFunc(text, value)
}

// Filler replaces the templates of one start: the same template by the same value, which is
// made when the template first turns up.
type Filler struct {
	parent  string            // of the directories
	Sockets string            // the directory for {socket}; empty until it turns up
	Names   map[string]string // what templates of other programs stand for
	Values  map[string]string
	Err     error

	FreePort func() (int, error)
}

func NewFiller(parent string, names map[string]string) *Filler {
	return &Filler{parent: parent, Names: names, Values: map[string]string{}, FreePort: FreePort}
}

func (f *Filler) One(text string) string { return Fill(text, f.value) }

func (f *Filler) All(lists ...[]string) []string {
	var filled []string
	for _, list := range lists {
		for _, s := range list {
			filled = append(filled, f.One(s))
		}
	}
	return filled
}

func (f *Filler) value(template string) string {
	if value, known := f.Values[template]; known || f.Err != nil {
		return value
	}
	if strings.Contains(template, ".") {
		return f.foreign(template)
	}
	var value string
	switch {
	case template == Dir:
		value, f.Err = MakeDir(f.parent)
	case strings.HasPrefix(template, "{socket"):
		value, f.Err = f.socketPath(template)
	default:
		value, f.Err = f.otherPort()
	}
	f.Values[template] = value
	return value
}

// foreign is what a template of another program stands for.
func (f *Filler) foreign(template string) string {
	value, known := f.Names[template]
	if !known {
		owner, what, _ := strings.Cut(strings.Trim(template, "{}"), ".")
		fault := fail.New(fail.BadInput, "%s: there is no need called %s that is started before", template, owner)
		for name := range f.Names {
			if strings.HasPrefix(name, "{"+owner+".") {
				fault = fail.New(fail.BadInput, "%s: the command of need %s has no {%s}", template, owner, what)
			}
		}
		f.Err = fault.WithHint("what can stand here: %s",
			cmp.Or(strings.Join(slices.Sorted(maps.Keys(f.Names)), ", "), "nothing, since there are no needs"))
	}
	return value
}

// socketPath is the path that stands for {socket}, {socket2} and so on.
func (f *Filler) socketPath(template string) (string, error) {
	if f.Sockets == "" {
		dir, err := makeSocketPath(f.parent)
		if err != nil {
			return "", err
		}
		f.Sockets = dir
	}
	return filepath.Join(f.Sockets, "s"+strings.TrimSuffix(strings.TrimPrefix(template, "{socket"), "}")), nil
}

// otherPort finds a free port that no other template has.
func (f *Filler) otherPort() (string, error) {
	taken := slices.Collect(maps.Values(f.Values))
	for {
		port, err := f.FreePort()
		if text := strconv.Itoa(port); err != nil || !slices.Contains(taken, text) {
			return text, err
		}
	}
}

// Port is what stands for {port}; 0 if nothing asked for it.
func (f *Filler) Port() int {
	port, _ := strconv.Atoi(f.Values[Port])
	return port
}

// MakeDir makes the directory for {dir}.
func MakeDir(parent string) (string, error) {
	abs, err := filepath.Abs(parent)
	if err == nil {
		abs = filepath.Join(abs, "dir-"+tempdir.RandomName())
		err = os.Mkdir(abs, 0o700)
	}
	if err != nil {
		return "", fail.New(fail.Storage, "make a directory for %s: %w", Dir, err).
			WithHint("free some space there, or point TMPDIR at another directory")
	}
	return abs, nil
}

// RemoveDir removes the directory with all that the subject has put there. Directories
// that it made read-only are made writable first; links are not followed.
func RemoveDir(dir string) {
	if dir == "" || os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir) // what stays goes with the directory around it
}
