package samecode

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// Both is the code of two builds, compared.
type Both struct {
	base       *walk // what every benchmark reaches; nil if all packages are the same
	benchmarks [2]map[string][]node
}

// mostArchive is how large an archive may be. That of package runtime has 10 MB.
const mostArchive = 1 << 30

// Archives reads archives, each once.
type Archives struct{ known map[string]*objfile.Archive }

func (a *Archives) read(path string) (*objfile.Archive, error) {
	if known := a.known[path]; known != nil {
		return known, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > mostArchive {
		return nil, fmt.Errorf("archive %s has %d bytes", path, info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	read, err := objfile.ReadArchive(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if a.known == nil {
		a.known = map[string]*objfile.Archive{}
	}
	a.known[path] = read
	return read, nil
}

// Compare links the binaries of A and B on paper, and finds what every benchmark reaches. An error says what hone does
// not understand: then nothing is known to be the same. files are slash-separated paths of files, outside of the
// builds, that differ between the sides: a benchmark whose code may open one of them is not the same.
func (a *Archives) Compare(t *objfile.Toolchain, binaries [2]Binary, files []string) (*Both, error) {
	if binaries[0].Settings != binaries[1].Settings {
		return nil, errors.New("go.mod of A and of B choose different settings of GODEBUG")
	}
	packages := [2][]Package{binaries[0].Packages, binaries[1].Packages}
	if len(files) == 0 && sameContents(packages) {
		return &Both{}, nil
	}
	m, err := marksOf(t)
	if err != nil {
		return nil, err
	}
	programs, err := a.link(packages, t, &m)
	if err != nil {
		return nil, err
	}
	c := &Both{}
	for side, p := range programs {
		c.benchmarks[side], p.tables = p.benchmarks(), p.findTables()
	}
	c.base = newWalk(programs[0], programs[1], &m, textsFor(files))
	c.base.startAll()
	c.base.run()
	return c, nil
}

// link makes programs of packages, whose equal archives know each other.
func (a *Archives) link(packages [2][]Package, t *objfile.Toolchain, m *marks) (programs [2]*program, err error) {
	for side, all := range packages {
		var archives []*objfile.Archive
		for _, p := range all {
			if p.Path == "plugin" {
				return programs, errors.New("plugins may be loaded, which hone does not see")
			}
			one, err := a.read(p.Archive)
			if err != nil {
				return programs, err
			}
			archives = append(archives, one)
		}
		programs[side] = link(all, archives, t.Builtins, m.debug)
	}
	twins(packages, programs)
	return programs, nil
}

// Same says whether a benchmark function reaches the same code on both sides; if not, what differs.
func (c *Both) Same(function string) (same bool, why string) {
	if c.base == nil {
		return true, ""
	}
	if c.base.why != "" {
		return false, c.base.why
	}
	a, b := c.benchmarks[0][function], c.benchmarks[1][function]
	if len(a) == 0 || len(a) != len(b) {
		return false, "not on both sides"
	}
	w := c.base.clone()
	for i := range a {
		w.start(a[i], b[i])
	}
	return w.run(), w.why
}

func contents(packages []Package) map[string]string {
	m := map[string]string{}
	for _, p := range packages {
		m[p.Path] = p.Content
	}
	return m
}

func sameContents(packages [2][]Package) bool {
	a, b := contents(packages[0]), contents(packages[1])
	if len(a) != len(b) {
		return false
	}
	for path, content := range a {
		if content == "" || b[path] != content {
			return false
		}
	}
	return true
}

// twins has objects of equal archives know each other.
func twins(packages [2][]Package, programs [2]*program) {
	a, b := contents(packages[0]), contents(packages[1])
	objects := map[string][]*object{}
	for _, o := range programs[1].objects {
		objects[o.path] = append(objects[o.path], o)
	}
	seen := map[string]int{}
	for _, o := range programs[0].objects {
		i := seen[o.path]
		seen[o.path]++
		if others := objects[o.path]; a[o.path] != "" && a[o.path] == b[o.path] && i < len(others) {
			o.twin, others[i].twin = others[i], o
		}
	}
}

// mostScanned is by how many bytes the variables that the collector scans may differ. Its smallest cycle is of 4 MB, so
// a thousandth of that shifts it by a tenth of a per cent.
const mostScanned = 4 << 10

// startAll has reached what every benchmark reaches.
func (w *walk) startAll() {
	if diff := w.a.scanned(w.marks) - w.b.scanned(w.marks); diff > mostScanned || -diff > mostScanned {
		w.stop("the size of all variables")
		return
	}
	var tasks [2][]node
	for side, p := range []*program{w.a, w.b} {
		var ok bool
		if tasks[side], ok = p.initTasks(w.marks); !ok {
			w.stop("the order of initialisation")
			return
		}
	}
	if len(tasks[0]) != len(tasks[1]) {
		w.stop("the packages that are initialised")
		return
	}
	for i, task := range tasks[1] {
		if !w.sameName([2]target{{node: tasks[0][i]}, {node: task}}) {
			return
		}
		w.start(tasks[0][i], task)
	}
	w.startWhole()
	main := symbolName{"main.main", abiInternal}
	a, ok := w.a.names[main]
	b, also := w.b.names[main]
	if !ok || !also {
		w.stop("main.main, which hone cannot find")
		return
	}
	w.start(a, b)
}

// abiInternal is the ABI of Go functions.
const abiInternal = 1

// startWhole has the whole runtime reached, and all of the packages whose functions C may call.
func (w *walk) startWhole() {
	for _, b := range w.b.objects {
		if !b.foreign && b.path != "runtime" && !strings.HasPrefix(b.path, "internal/runtime/") &&
			!strings.HasPrefix(b.path, "runtime/internal/") {
			continue
		}
		a := b.twin
		if a == nil {
			w.stop("package " + b.path)
			return
		}
		for i := range b.Defined() {
			if w.text[b.Symbol(i).Kind] {
				w.start(a.meant(i), b.meant(i))
			}
		}
	}
}

// scanned is how many bytes of variables the collector scans, in packages that have no twin.
func (p *program) scanned(m *marks) (size int) {
	for _, o := range p.objects {
		if o.twin != nil {
			continue
		}
		for i := range o.Defined() {
			if s := o.Symbol(i); m.scanned[s.Kind] {
				size += int(s.Size)
			}
		}
	}
	return size
}
