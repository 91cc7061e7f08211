package advice

import (
	"os"
	"path/filepath"
	"testing"
)

// A recorded view may come from anywhere: it is read or refused, and the rules bear what is read.
func FuzzReadView(f *testing.F) {
	all, _ := filepath.Glob("testdata/ladder/*noflush.view")
	for _, path := range all {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("as large as it needs to be")
		}
		v, err := ReadView(data)
		if err != nil {
			return
		}
		_, _ = Find(v)
	})
}

// Source is whatever lies in the user's directory.
func FuzzSource(f *testing.F) {
	for _, text := range []string{searches1, values, allocating, "package p\nfunc f() { for { } }",
		"package p\nfunc f() { for range 3 { _ = 1 }; for i := range g { i() } }"} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, line int) {
		if len(text) > 1<<13 {
			t.Skip("as large as it needs to be")
		}
		file := sourceOf("fuzz.go", []byte(text))
		file.searchInLoop(line)
		file.searchLoop(line)
		file.copiedValue(line)
		file.constantHashed(line)
		file.readsUnderLock(line)
		file.unflushed(line)
		file.logArgument(line)
		file.sortsKept(line)
		file.makesClosure(line)
		file.streamAt(line)
		file.allocations(line)
	})
}
