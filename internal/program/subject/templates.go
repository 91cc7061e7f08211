package subject

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

	"github.com/gohone/hone/internal/text/fail"
)

// PortTemplate stands for a free TCP port in a variant's arguments and environment, and in
// the target of a plan. {port2} to {port9} stand for further ones, for a program that listens
// on several.
const PortTemplate = "{port}"

// DirTemplate stands for a directory in a variant's arguments and environment that is fresh
// and empty at each start, and removed after it.
const DirTemplate = "{dir}"

var templates = regexp.MustCompile(`\{([A-Za-z0-9_-]+\.)?(port[2-9]?|socket[2-9]?|dir)\}`)

// FillTemplates replaces the templates in a text by what value says of each, such as {port2}.
func FillTemplates(text string, value func(template string) string) string {
	return templates.ReplaceAllStringFunc(text, value)
}

// filler replaces the templates of one start: the same template by the same value, which is
// made when the template first turns up.
type filler struct {
	parent  string            // of the directories
	sockets string            // the directory for SocketTemplate; empty until it turns up
	names   map[string]string // what templates of other programs stand for
	values  map[string]string
	err     error

	freePort func() (int, error)
}

func newFiller(parent string, names map[string]string) *filler {
	return &filler{parent: parent, names: names, values: map[string]string{}, freePort: freePort}
}

func (f *filler) one(text string) string { return FillTemplates(text, f.value) }

func (f *filler) all(lists ...[]string) []string {
	var filled []string
	for _, list := range lists {
		for _, s := range list {
			filled = append(filled, f.one(s))
		}
	}
	return filled
}

func (f *filler) value(template string) string {
	if value, known := f.values[template]; known || f.err != nil {
		return value
	}
	if strings.Contains(template, ".") {
		return f.foreign(template)
	}
	var value string
	switch {
	case template == DirTemplate:
		value, f.err = makeDataDir(f.parent)
	case strings.HasPrefix(template, "{socket"):
		value, f.err = f.socketPath(template)
	default:
		value, f.err = f.otherPort()
	}
	f.values[template] = value
	return value
}

// foreign is what a template of another program stands for.
func (f *filler) foreign(template string) string {
	value, known := f.names[template]
	if !known {
		owner, what, _ := strings.Cut(strings.Trim(template, "{}"), ".")
		fault := fail.New(fail.BadInput, "%s: there is no need called %s that is started before", template, owner)
		for name := range f.names {
			if strings.HasPrefix(name, "{"+owner+".") {
				fault = fail.New(fail.BadInput, "%s: the command of need %s has no {%s}", template, owner, what)
			}
		}
		f.err = fault.WithHint("what can stand here: %s", cmp.Or(strings.Join(slices.Sorted(maps.Keys(f.names)), ", "), "nothing, since there are no needs"))
	}
	return value
}

// socketPath is the path that stands for {socket}, {socket2} and so on.
func (f *filler) socketPath(template string) (string, error) {
	if f.sockets == "" {
		dir, err := makeSocketPath(f.parent)
		if err != nil {
			return "", err
		}
		f.sockets = dir
	}
	return filepath.Join(f.sockets, "s"+strings.TrimSuffix(strings.TrimPrefix(template, "{socket"), "}")), nil
}

// otherPort finds a free port that no other template has.
func (f *filler) otherPort() (string, error) {
	taken := slices.Collect(maps.Values(f.values))
	for {
		port, err := f.freePort()
		if text := strconv.Itoa(port); err != nil || !slices.Contains(taken, text) {
			return text, err
		}
	}
}

// port is what stands for PortTemplate; 0 if nothing asked for it.
func (f *filler) port() int {
	port, _ := strconv.Atoi(f.values[PortTemplate])
	return port
}

// makeDataDir makes the directory for DirTemplate.
func makeDataDir(parent string) (string, error) {
	abs, err := filepath.Abs(parent)
	if err == nil {
		abs = filepath.Join(abs, "dir-"+randomName())
		err = os.Mkdir(abs, 0o700)
	}
	if err != nil {
		return "", fail.New(fail.Storage, "make a directory for %s: %w", DirTemplate, err).
			WithHint("free some space there, or point TMPDIR at another directory")
	}
	return abs, nil
}

// removeDataDir removes the directory with all that the subject has put there. Directories
// that it made read-only are made writable first; links are not followed.
func removeDataDir(dir string) {
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
