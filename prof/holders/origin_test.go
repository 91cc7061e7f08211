package holders

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/gotypes"
)

// withoutSections is a copy of a program whose table of sections is gone, as packers leave it.
func withoutSections(t *testing.T, program string) string {
	t.Helper()
	b, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	clear(b[0x28:0x30]) // e_shoff, then e_shnum and e_shstrndx (elf(5), Elf64_Ehdr)
	clear(b[0x3c:0x40])
	out := filepath.Join(t.TempDir(), "packed")
	if err := os.WriteFile(out, b, 0o700); err != nil {
		t.Fatal(err)
	}
	return out
}

// A program that did not write the dump is refused, also a stripped one, and one that nobody can tell.
func TestAnotherProgram(t *testing.T) {
	whole, stripped := build(t), build(t, "-ldflags=-s")
	for of, others := range map[string]map[string]string{
		whole: {
			build(t, "-gcflags=-l"):                    "data segment|has the function",
			build(t, "-ldflags=-X=main.version=other"): "data segment",
			withoutSections(t, whole):                  "nothing in this program says",
			build(t, "-buildmode=pie"):                 "data segment|has the function",
			"/bin/ls":                                  "it is not a program of Go",
		},
		stripped: {
			build(t, "-gcflags=-l", "-ldflags=-s"):        "has the function",
			build(t, "-ldflags=-s -X=main.version=other"): "data segment",
			withoutSections(t, stripped):                  "nothing in this program says",
		},
	} {
		file, _ := dump(t, of, "nothing")
		for other, want := range others {
			err := readWith(t, file, other)
			if fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" || !saysOneOf(err, want) {
				t.Errorf("%s: %v, want %q", filepath.Base(other), err, want)
			}
		}
	}
}

// readWith reads a dump with a program.
func readWith(t *testing.T, dump, program string) error {
	t.Helper()
	all, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(program)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	var types *gotypes.Program
	if types, err = open(f); err == nil {
		_, err = Read(t.Context(), bytes.NewReader(all), int64(len(all)), types)
	}
	return err
}

func saysOneOf(err error, texts string) bool {
	for text := range strings.SplitSeq(texts, "|") {
		if err != nil && strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}
