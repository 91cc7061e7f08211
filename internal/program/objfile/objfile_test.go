package objfile

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// compiled is the archive of a small package, and the toolchain that made it.
func compiled(t testing.TB) (archive []byte, tools *Toolchain) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\ngo 1.24\n",
		"m.go":   "package m\n\nimport \"strings\"\n\nvar Limit = []int{1, 2}\n\nfunc Text(n int) string { return strings.Repeat(\"!\", n+Limit[0]) }\n\ntype T struct{}\n\nfunc (T) String() string { return \"T\" }\n\nvar V any = T{}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	archive, err := os.ReadFile(run("list", "-export", "-trimpath", "-f", "{{.Export}}", "."))
	if err != nil {
		t.Fatal(err)
	}
	if tools, err = ReadToolchain(run("env", "GOROOT")); err != nil {
		t.Fatal(err)
	}
	return archive, tools
}

func TestSymbolsOfAPackage(t *testing.T) {
	data, tools := compiled(t)
	a, err := ReadArchive(data)
	if err != nil || len(a.Objects) != 1 || a.Foreign {
		t.Fatalf("%+v, %v", a, err)
	}
	o, missing := a.Objects[0], map[string]bool{"example.com/m.Text": true, "example.com/m.Limit": true}
	if !strings.Contains(strings.Join(o.Imports, " "), "strings") {
		t.Errorf("imports: %v", o.Imports)
	}
	for i := range o.Defined() {
		s := o.Symbol(i)
		switch string(s.Name) {
		case "example.com/m.Text":
			if s.Kind != tools.Kinds["STEXT"] || len(o.Data(i)) != int(s.Size) {
				t.Errorf("Text is %+v with %d bytes", s, len(o.Data(i)))
			}
			if !leadsTo(o, i, "strings", tools) {
				t.Error("Text does not lead to strings")
			}
		case "example.com/m.Limit":
			if s.Kind != tools.Kinds["SDATA"] {
				t.Errorf("Limit is %+v", s)
			}
		default:
			continue
		}
		delete(missing, string(s.Name))
	}
	if len(missing) > 0 {
		t.Errorf("not found: %v", missing)
	}
}

// leadsTo says whether a function calls another package.
func leadsTo(o *Object, symbol int, pkg string, tools *Toolchain) bool {
	relocs := o.Relocs(symbol)
	for k := range relocs.Len() {
		r := relocs.At(k)
		if t := o.Resolve(r.Ref); t.Kind == There && o.Packages[t.Package] == pkg && r.Type == tools.Relocs["R_CALL"] {
			return true
		}
	}
	return false
}

func TestToolchain(t *testing.T) {
	_, tools := compiled(t)
	if tools.Relocs["R_ADDR"] != 1 || tools.Relocs["R_WEAKADDROFF"] != Weak|tools.Relocs["R_ADDROFF"] ||
		tools.Kinds["STEXT"] != 1 {
		t.Errorf("%v %v", tools.Relocs, tools.Kinds)
	}
	if len(tools.Builtins) < 100 || tools.Builtins[0].Name != "runtime.newproc" &&
		!strings.HasPrefix(tools.Builtins[0].Name, "runtime.") {
		t.Errorf("builtins: %v", tools.Builtins)
	}
	if _, err := ReadToolchain(t.TempDir()); err == nil {
		t.Error("a toolchain without sources is not an error")
	}
}

func TestOtherFormats(t *testing.T) {
	data, _ := compiled(t)
	for _, c := range []struct{ from, to string }{{magic, "\x00go199ld"}, {archiveMagic, "!<arxx>\n"},
		{objectTextEnd + magic, "\n?\n" + magic}} {
		if _, err := ReadArchive([]byte(strings.Replace(string(data), c.from, c.to, 1))); err == nil {
			t.Errorf("%q instead of %q is not an error", c.to, c.from)
		}
	}
	for _, n := range []int{0, 7, 8, 40, 67, len(data) / 2, len(data) - 100} {
		if _, err := ReadArchive(data[:n]); err == nil && n != 8 {
			t.Errorf("%d bytes of %d are no error", n, len(data))
		}
	}
}

// Whatever an archive says, its reader answers or refuses.
func FuzzArchive(f *testing.F) {
	data, _ := compiled(f)
	f.Add(data)
	f.Add([]byte(archiveMagic))
	f.Fuzz(func(t *testing.T, data []byte) { readAll(t, data) })
}

// Most bytes that are changed by chance hit code; those of the header and the indexes are changed more often here.
func TestDamagedArchives(t *testing.T) {
	data, _ := compiled(t)
	begin := bytes.Index(data, []byte(magic))
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		damaged := slices.Clone(data)
		for range 1 + random.IntN(3) {
			at := random.IntN(len(data))
			if random.IntN(2) == 0 {
				at = begin + random.IntN(headerSize)
			}
			damaged[at] = byte(random.Uint32())
		}
		readAll(t, damaged)
	}
}

// readAll reads all that an archive has.
func readAll(t *testing.T, data []byte) {
	a, err := ReadArchive(data)
	if err != nil {
		return
	}
	for _, o := range a.Objects {
		for i := range o.Symbols() {
			o.Symbol(i)
		}
		for i := range o.Defined() {
			o.Data(i)
			SameContent(o, i, o, i)
			for _, aux := range o.Aux(i) {
				o.Resolve(aux.Ref)
			}
			for relocs, k := o.Relocs(i), 0; k < relocs.Len(); k++ {
				if to := o.Resolve(relocs.At(k).Ref); to.Kind == Here && to.Symbol >= o.Symbols() {
					t.Fatalf("a reference to symbol %d of %d", to.Symbol, o.Symbols())
				}
			}
		}
		o.RefFlags(func(r Ref, _, _ uint8) { o.Resolve(r) })
	}
}

// A description of two files and one inlined function, and the same cut off.
func TestInlinedOfADescription(t *testing.T) {
	t.Parallel()
	b := make([]byte, 16)
	for _, n := range []uint32{2, 7, 8, 1, ^uint32(0), 7, 41, 3, 5, 16} {
		b = little.AppendUint32(b, n)
	}
	if got := Inlined(b); len(got) != 1 || got[0] != (Ref{3, 5}) {
		t.Errorf("inlined %v", got)
	}
	for n := range b {
		if got := Inlined(b[:n]); len(got) > 0 {
			t.Errorf("of %d bytes: %v", n, got)
		}
	}
}

func FuzzInlined(f *testing.F) {
	f.Add(make([]byte, 48))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := Inlined(b); len(got)*24 > len(b) {
			t.Errorf("%d of %d bytes", len(got), len(b))
		}
	})
}
