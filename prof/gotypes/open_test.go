package gotypes

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// built builds the program of package holders' tests for a system, and reads it.
func built(t *testing.T, goos, goarch string) *Program {
	t.Helper()
	out := filepath.Join(t.TempDir(), "holding")
	cmd := exec.Command("go", "build", "-C", "../holders/testdata/holding", "-o", out, ".")
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Variables have their types and places, of programs for any system that hone reads.
func TestGlobals(t *testing.T) {
	for _, system := range [][2]string{{"linux", "amd64"}, {"linux", "386"}, {"darwin", "arm64"}} {
		t.Run(strings.Join(system[:], "/"), func(t *testing.T) {
			p := built(t, system[0], system[1])
			if p.Missing != "" || p.UnknownMaps || p.DataSize == 0 {
				t.Errorf("missing %q, maps unknown %v, data of %d bytes", p.Missing, p.UnknownMaps, p.DataSize)
			}
			found := map[string]*Type{}
			for _, g := range p.Globals {
				found[g.Name] = g.Type
			}
			m, plain := found["main.byUser"], found["main.plain"]
			if m == nil || m.Kind != reflect.Map || m.Header == nil || m.Header.Role != SwissMap ||
				m.Header.Elem.Elem.Role != Entries {
				t.Errorf("main.byUser is %+v", m)
			}
			if plain == nil {
				t.Fatal("main.plain has no type")
			}
			f := plain.Named("inner")
			if slot := plain.At(f.Offset); slot.Path != "inner.log" || slot.Type.Name != "[]main.record" ||
				slot.Offset != 0 {
				t.Errorf("main.plain has %+v at %d", slot, f.Offset)
			}
			if file, line := p.Declared("main.byUser"); !strings.HasSuffix(file, "main.go") || line == 0 {
				t.Errorf("main.byUser is declared at %s:%d", file, line)
			}
			if g := p.Named("runtime.g"); g == nil || g.Named("goid") == nil {
				t.Errorf("runtime.g is %+v", g)
			}
		})
	}
}

func TestShort(t *testing.T) {
	for name, want := range map[string]string{
		"map[string]*example.com/shop.Item":                "map[string]*shop.Item",
		"[]uint8":                                          "[]byte",
		"func(interface {}) error":                         "func(any) error",
		"sync/atomic.Pointer[go.uber.org/zap/buffer.Pool]": "atomic.Pointer[buffer.Pool]",
		"main.(*server).serve.func1":                       "main.(*server).serve.func1",
	} {
		if got := Short(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// What is not a program is refused, with what to do.
func TestNotAProgram(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("#!/bin/sh\n"), []byte("\x7fELF and no more"), []byte("\xcf\xfa\xed\xfe")} {
		if _, err := Open(bytes.NewReader(b), int64(len(b))); fail.KindOf(err) != fail.BadInput ||
			fail.HintOf(err) == "" {
			t.Errorf("%q: %v", b, err)
		}
	}
}

// LEB128 has no zigzag: DWARF 5, figure 23 has these values.
func TestSignedNumbers(t *testing.T) {
	for want, b := range map[int64][]byte{2: {2}, -2: {0x7e}, 127: {0xff, 0}, -127: {0x81, 0x7f}, 128: {0x80, 1},
		-128: {0x80, 0x7f}, -129: {0xff, 0x7e}} {
		c := &cursor{b: b}
		if got := c.varint(); got != want || c.bad || len(c.b) > 0 {
			t.Errorf("% x is %d, want %d", b, got, want)
		}
	}
}
