package gotypes

import (
	"bytes"
	"debug/buildinfo"
	"debug/dwarf"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Program is what is known of a program by its file. It is not safe for concurrent use.
type Program struct {
	// Globals are the variables of the data and bss segments by address; those that the compiler made for values have
	// no type.
	Globals []Global
	Segments
	// Missing says, for the user, what the file lacks; empty if it has all.
	Missing string
	// UnknownMaps says that the program has maps whose layout is not known.
	UnknownMaps bool
	// GoVersion is that of the release of Go that made it: go1.26.0. It is empty if the file does not say it.
	GoVersion string
	// Module is the path of the main module; empty if the file does not say it.
	Module string

	numbers
	entries
	directory
	typeReader
	sections map[string][]byte // location lists and addresses
	lines    *gosym.Table
	closures map[uint64]*Type
	declared map[string]map[string]token.Position // by package and name
	source   map[string][]string                  // lines, by file
}

// Segments are where the program's variables lie.
type Segments struct {
	// Data is the address of runtime.data and DataSize that to runtime.edata; 0 without a table of symbols.
	Data, DataSize uint64
	// Section is the address of the section .data and SectionSize its size: the same if Alone, since the program has no
	// dynamic linker, and so no code in C. 0 without sections.
	Section, SectionSize uint64
	Alone                bool

	bss, bssSize uint64
	typesBase    uint64 // runtime.types
}

// numbers is how the file writes numbers.
type numbers struct {
	order binary.ByteOrder
	ptr   uint64 // bytes of a pointer
}

// directory is where DWARF describes what.
type directory struct {
	runtime   map[uint64]dwarf.Offset // by the address of the runtime's type
	functions map[uint64]function     // by the address of the code
	units     map[string]dwarf.Offset // by the name of the package
	methods   map[string]dwarf.Offset // methods with a pointer or a value, by name
	// trieEntries are the types of entries of hash tries, by name
	trieEntries map[string]dwarf.Offset
	code        span // of functions
	described   span // of the runtime's types
}

// Global is a variable of a package.
type Global struct {
	Name    string
	Address uint64
	Size    uint64
	Type    *Type
	at      dwarf.Offset
}

// file is what ELF and Mach-O files have in common.
type file struct {
	order   binary.ByteOrder
	ptr     uint64
	symbols []Global
	text    uint64
	data    Segments // its section
	dwarf   func() (*dwarf.Data, error)
	section func(name string) []byte // without a leading dot
	// goVersion and module are those of the file's build information.
	goVersion, module string
}

// asBuilt is what to do with a program that cannot be read.
const asBuilt = "name the executable that wrote the dump, as go build made it"

// Open reads a program's file of size bytes. It takes memory near the size of the file.
func Open(r io.ReaderAt, size int64) (*Program, error) {
	f, err := open(r, size)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read program: %w", err).WithHint("%s", asBuilt)
	}
	p := &Program{
		GoVersion: f.goVersion, Module: f.module,
		numbers: numbers{order: f.order, ptr: f.ptr},
		directory: directory{runtime: map[uint64]dwarf.Offset{}, functions: map[uint64]function{},
			units: map[string]dwarf.Offset{}, methods: map[string]dwarf.Offset{},
			trieEntries: map[string]dwarf.Offset{}},
		typeReader: typeReader{types: map[dwarf.Offset]*Type{}},
		closures:   map[uint64]*Type{}, sections: map[string][]byte{},
	}
	p.Segments = f.data
	p.useSymbols(f.symbols)
	if p.lines, err = lines(f); err != nil {
		return nil, fail.New(fail.BadInput, "read program: %w", err).WithHint("%s", asBuilt)
	}
	if info := max(len(f.section("debug_info")), len(f.section("zdebug_info"))); info > 0 {
		p.reads = leastReads + readsPerByte*info
		p.useDWARF(f)
	}
	for _, name := range []string{"debug_loc", "debug_loclists", "debug_addr"} {
		p.sections[name] = f.section(name)
	}
	if p.fault != nil {
		return nil, p.fault
	}
	switch {
	case len(p.runtime) > 0:
	case len(p.Globals) == 0:
		p.Missing = "the program is stripped (-ldflags=-s): names of variables and types are unknown. " +
			"Build it without -ldflags=-s, and let that program write a dump"
	case p.Missing == "":
		p.Missing = "the program has no DWARF (-ldflags=-w): types and fields are unknown"
	}
	return p, nil
}

func (p *Program) useDWARF(f *file) {
	var err error
	if p.data, err = f.dwarf(); err != nil {
		p.data, p.Missing = nil, fmt.Sprintf("the program's DWARF cannot be read (%v): types are unknown", err)
	} else if err := p.index(); err != nil {
		p.Missing = fmt.Sprintf("the program's DWARF is damaged (%v): some types are unknown", err)
	}
}

func open(r io.ReaderAt, size int64) (*file, error) {
	f, err := openFormat(r, size)
	if err != nil {
		return nil, err
	}
	build, err := buildinfo.Read(r)
	isRuntime := func(s Global) bool { return s.Name == "runtime.types" }
	switch {
	case err == nil:
		f.goVersion, _, _ = strings.Cut(build.GoVersion, " ") // experiments follow
		f.module = build.Main.Path
	case !slices.ContainsFunc(f.symbols, isRuntime):
		return nil, errors.New("it is not a program of Go: it has neither build information nor Go's runtime")
	}
	return f, nil
}

func openFormat(r io.ReaderAt, size int64) (*file, error) {
	var magic [4]byte
	if _, err := r.ReadAt(magic[:], 0); err != nil {
		return nil, fmt.Errorf("it is too short: %w", err)
	}
	switch {
	case string(magic[:]) == elf.ELFMAG:
		return openELF(r, size)
	case bytes.Equal(magic[:], []byte{0xcf, 0xfa, 0xed, 0xfe}):
		return openMachO(r, size)
	}
	return nil, fmt.Errorf("it is not an ELF or Mach-O file")
}

func openELF(r io.ReaderAt, size int64) (*file, error) {
	e, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	if e.Type != elf.ET_EXEC && e.Type != elf.ET_DYN {
		return nil, fmt.Errorf("it is not an executable: its type is %v", e.Type)
	}
	if err := checkSections(sectionsOfELF(e), size); err != nil {
		return nil, err
	}
	f := &file{order: e.ByteOrder, ptr: 8, dwarf: e.DWARF}
	if e.Class == elf.ELFCLASS32 {
		f.ptr = 4
	}
	f.symbols = symbolsOfELF(e)
	f.section = func(name string) []byte {
		if s := e.Section("." + name); s != nil && s.Type != elf.SHT_NOBITS {
			b, _ := s.Data()
			return b
		}
		return nil
	}
	if s := e.Section(".text"); s != nil {
		f.text = s.Addr
	}
	if s := e.Section(".data"); s != nil {
		f.data = Segments{Section: s.Addr, SectionSize: s.Size, Alone: e.Section(".interp") == nil}
	}
	return f, nil
}

func openMachO(r io.ReaderAt, size int64) (*file, error) {
	m, err := macho.NewFile(r)
	if err != nil {
		return nil, err
	}
	if err := checkSections(sectionsOfMachO(m), size); err != nil {
		return nil, err
	}
	f := &file{order: m.ByteOrder, ptr: 8, dwarf: m.DWARF}
	if m.Symtab != nil {
		for _, s := range m.Symtab.Syms {
			f.symbols = append(f.symbols, Global{Name: s.Name, Address: s.Value})
		}
	}
	f.section = func(name string) []byte {
		for _, s := range m.Sections { // a name has 16 bytes at most
			if s.Name == ("__" + name)[:min(16, len(name)+2)] {
				b, _ := s.Data()
				return b
			}
		}
		return nil
	}
	if s := m.Section("__text"); s != nil {
		f.text = s.Addr
	}
	if s := m.Section("__data"); s != nil {
		f.data = Segments{Section: s.Addr, SectionSize: s.Size}
	}
	return f, nil
}

// lines is the table of lines that also a stripped program has; nil if it is of a version that is not known. A damaged
// one is an error.
func lines(f *file) (*gosym.Table, error) {
	b := f.section("gopclntab")
	if b == nil {
		b = f.section("data.rel.ro.gopclntab") // of a program that may be loaded at any address
	}
	if len(b) < 8 || f.order.Uint32(b) != lines120 {
		return nil, nil
	}
	if err := checkLines(b, f.order); err != nil {
		return nil, err
	}
	text := f.text
	for _, s := range f.symbols { // with C the section begins before Go's code
		if s.Name == "runtime.text" {
			text = s.Address
		}
	}
	t, err := gosym.NewTable(nil, gosym.NewLineTable(b, text))
	if err != nil {
		return nil, fmt.Errorf("its table of lines: %w", err)
	}
	return t, nil
}

// HasLines says whether the program has a table of its functions and their lines that hone knows.
func (p *Program) HasLines() bool { return p.lines != nil }

// FunctionAt is the name of the function that begins at an address; empty if none does.
func (p *Program) FunctionAt(entry uint64) string {
	if p == nil || p.lines == nil {
		return ""
	}
	if f := p.lines.PCToFunc(entry); f != nil && f.Entry == entry {
		return f.Name
	}
	return ""
}

// FunctionOf is the name of the function that has an address; empty if it is not known.
func (p *Program) FunctionOf(pc uint64) string {
	if p == nil || p.lines == nil {
		return ""
	}
	if f := p.lines.PCToFunc(pc); f != nil {
		return f.Name
	}
	return ""
}

// EntryOf is the address at which a function begins.
func (p *Program) EntryOf(name string) (entry uint64, ok bool) {
	if f := p.lines.LookupFunc(name); f != nil {
		return f.Entry, true
	}
	return 0, false
}

// Begins is the place in source where a function begins; an empty file if it is not known.
func (p *Program) Begins(function string) (file string, line int) {
	if p == nil || p.lines == nil {
		return "", 0
	}
	entry, ok := p.EntryOf(function)
	if !ok {
		return "", 0
	}
	return p.Line(entry)
}

// Line is the place in source of an address of code; an empty file if it is not known.
func (p *Program) Line(pc uint64) (file string, line int) {
	if p == nil || p.lines == nil {
		return "", 0
	}
	file, line, fn := p.lines.PCToLine(pc)
	if fn == nil {
		return "", 0
	}
	return file, line
}

// word is a number of the size of a pointer.
func (n numbers) word(b []byte) uint64 {
	if n.ptr == 4 {
		return uint64(n.order.Uint32(b))
	}
	return n.order.Uint64(b)
}
