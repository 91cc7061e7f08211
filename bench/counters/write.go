package counters

import (
	"encoding/binary"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is the directory of the package that counters are in, below the root of the module.
const Dir = "zzcounters"

// Variable is the environment variable that names the file of the counters.
const Variable = "ZZCOUNTERS"

// counting is the text of that package: it maps the file before any package that counts is initialised. %d is the
// number of counters.
const counting = `// Package zzcounters has the counters that were written into this module.
package zzcounters

import (
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

const n = %d

var counts = open()

func open() *[n]uint64 {
	name := os.Getenv("` + Variable + `")
	if name == "" {
		return new([n]uint64)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0600)
	if err == nil {
		err = f.Truncate(8 * n)
	}
	if err != nil {
		panic(err)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, 8*n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	f.Close()
	return (*[n]uint64)(unsafe.Pointer(&data[0]))
}

// At counts one more call.
func At(i int) { atomic.AddUint64(&counts[i], 1) }
`

// Write writes a counter into each of some functions of a module, by their order: the i-th counts calls of the i-th
// function, and of the function literals in it.
func Write(root, module string, functions []Function) error {
	byFile := map[string]map[string]int{}
	for i, f := range functions {
		if byFile[f.File] == nil {
			byFile[f.File] = map[string]int{}
		}
		byFile[f.File][f.Name] = i
	}
	for file, names := range byFile {
		name := filepath.Join(root, filepath.FromSlash(file))
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("write counters: %w", err)
		}
		if text, err = written(text, path.Join(module, Dir), names, functions); err != nil {
			return fmt.Errorf("write counters into %s: %w", file, err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return fmt.Errorf("write counters: %w", err)
		}
	}
	dir := filepath.Join(root, Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write counters: %w", err)
	}
	text := fmt.Sprintf(counting, max(1, len(functions)))
	if err := os.WriteFile(filepath.Join(dir, Dir+".go"), []byte(text), 0o600); err != nil {
		return fmt.Errorf("write counters: %w", err)
	}
	return nil
}

// insertion is a text at an offset.
type insertion struct {
	at   int
	text string
}

// written is a file with counters in the functions of these names. Its lines keep their numbers.
func written(text []byte, imported string, names map[string]int, functions []Function) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := []insertion{{set.Position(tree.Name.End()).Offset, fmt.Sprintf("; import zz_counters %q", imported)}}
	for name, n := range declared(tree) {
		i, ok := index(name, set.Position(n.Pos()).Line, names, functions)
		if !ok {
			continue
		}
		for _, body := range bodies(n) {
			all = append(all, insertion{set.Position(body.Lbrace).Offset + 1, fmt.Sprintf(" zz_counters.At(%d);", i)})
		}
	}
	slices.SortFunc(all, func(a, b insertion) int { return b.at - a.at })
	for _, x := range all {
		text = slices.Insert(text, x.at, []byte(x.text)...)
	}
	return text, nil
}

// index finds a function by its name, a second one of the same name by its line.
func index(name string, line int, names map[string]int, functions []Function) (int, bool) {
	for known, i := range names {
		if base, _, _ := strings.Cut(known, "#"); base == name && functions[i].From == line {
			return i, true
		}
	}
	return 0, false
}

// Read reads the file of so many counters; one that is not there has counted nothing.
func Read(file string, n int) ([]uint64, error) {
	counts := make([]uint64, n)
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return counts, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read counters: %w", err)
	}
	if len(text) < 8*n {
		return nil, fmt.Errorf("read counters: %d bytes in %s, want %d", len(text), file, 8*n)
	}
	for i := range counts {
		counts[i] = binary.NativeEndian.Uint64(text[8*i:])
	}
	return counts, nil
}
