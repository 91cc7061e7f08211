package touches

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// source is what counts of a Go file, or of a go.mod.
type source struct {
	// tags are its build constraints and what its name says of the system; "" for none.
	tags string
	// marks are the directives and imports that count, each with its line.
	marks []mark
	// benchmarks and tests are the texts of the declarations of a _test.go file.
	benchmarks, tests string
}

type mark struct {
	kind Kind
	text string
	line int
}

// directives are the lines that count wherever they are: a line of a raw string counts, too, which is seldom and said.
var directives = []struct {
	kind Kind
	line *regexp.Regexp
}{
	{Linkname, regexp.MustCompile(`^\s*//go:linkname\b`)},
	{Embed, regexp.MustCompile(`^\s*//go:embed\b`)},
	{Generate, regexp.MustCompile(`^\s*//go:generate\b`)},
	{Toolchain, regexp.MustCompile(`^//go:debug\b`)},
	{Cgo, regexp.MustCompile(`^\s*(//)?\s*#cgo\b|^\s*//go:cgo_`)},
}

var (
	constraint  = regexp.MustCompile(`^(//go:build|// ?\+build)\b`)
	goOfModules = regexp.MustCompile(`^\s*(go|toolchain|godebug)\s`)
)

// readGo reads a Go file. One that has faults is read as far as it goes: the build says what they are.
func readGo(name string, text []byte) source {
	s := source{tags: systemOf(name)}
	n, header := 0, true
	for line := range bytes.Lines(text) {
		n++
		word := strings.TrimRight(string(line), "\r\n")
		if header && constraint.MatchString(word) {
			s.tags += word + "\n"
		}
		header = header && !strings.HasPrefix(word, "package ")
		for _, d := range directives {
			if d.line.MatchString(word) {
				s.marks = append(s.marks, mark{d.kind, strings.TrimSpace(word), n})
			}
		}
	}
	mode := parser.ImportsOnly
	if isTest(name) {
		mode = parser.SkipObjectResolution
	}
	files := token.NewFileSet()
	f, _ := parser.ParseFile(files, name, text, mode)
	if f == nil {
		return s
	}
	for _, i := range f.Imports {
		if kind := map[string]Kind{`"C"`: Cgo, `"unsafe"`: Unsafe}[i.Path.Value]; kind != "" {
			s.marks = append(s.marks, mark{kind, "import " + i.Path.Value, files.Position(i.Pos()).Line})
		}
	}
	for _, d := range f.Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT || !isTest(name) {
			continue
		}
		begin, end := files.Position(d.Pos()).Offset, files.Position(d.End()).Offset
		of := &s.tests
		if fn, is := d.(*ast.FuncDecl); is && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Benchmark") {
			of = &s.benchmarks
		}
		*of += string(text[begin:min(end, len(text))]) + "\n"
	}
	return s
}

// readModule reads a go.mod or a go.work: what chooses the toolchain is parted from the rest.
func readModule(text []byte) (toolchain, rest string) {
	for line := range bytes.Lines(text) {
		if goOfModules.Match(line) {
			toolchain += string(line)
		} else {
			rest += string(line)
		}
	}
	return toolchain, rest
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// The systems and processors that a file name may choose (go/build, syslist.go).
var (
	systems = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl",
		"netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows", "zos"}
	processors = []string{"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle",
		"mips64", "mips64le", "mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390",
		"s390x", "sparc", "sparc64", "wasm"}
)

// systemOf is what the name of a Go file says of the systems that it is for (go help buildconstraint).
func systemOf(name string) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test"), "_")
	n := len(parts)
	known := func(i int, words []string) bool { return i >= 1 && slices.Contains(words, parts[i]) }
	switch {
	case known(n-1, processors) && known(n-2, systems):
		return "name: " + parts[n-2] + "_" + parts[n-1] + "\n"
	case known(n-1, processors), known(n-1, systems):
		return "name: " + parts[n-1] + "\n"
	}
	return ""
}
