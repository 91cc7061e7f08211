package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// mostMemory is what reading any file may allocate in all: measured are up to 11 MB, for
// as many keys as are allowed.
const mostMemory = 30 << 20

// hostile are texts that blow up readers of YAML, with a part of the error: each is refused for what it is, and not for
// its size.
var hostile = []struct{ name, text, want string }{
	{"alias bomb", aliasBomb(), "an anchor (&) is not allowed"},
	{"10,000 levels in brackets", "version: 1\ngates: " + strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
		"over 4000 words"},
	{"levels in brackets", "version: 1\ngates: " + strings.Repeat("[", 1900) + strings.Repeat("]", 1900),
		"nested over 16 levels deep"},
	{"levels in braces", "version: 1\nplans: " + strings.Repeat("{a: ", 1300), "nested over 16 levels deep"},
	{"levels of dashes", "version: 1\ngates:\n" + strings.Repeat("- ", 3900), "nested over 16 levels deep"},
	{"levels of complex keys", strings.Repeat("? ", 3900), "a complex key (?) is not allowed"},
	{"levels by indentation", "version: 1\n" + staircase(200), "nested over 16 levels deep"},
	{"a row of anchors", strings.Repeat("&a ", 1900), "an anchor (&) is not allowed"},
	{"a row of aliases", strings.Repeat("*a ", 1900), "an alias (*) is not allowed"},
	{"a row of tags", strings.Repeat("!a ", 1900), "a tag (!) is not allowed"},
	{"documents", strings.Repeat("---\n", 3900), "a second document (---) is not allowed"},
	{"directives", strings.Repeat("%a\n", 1900), "a directive (%) is not allowed"},
	{"unclosed quote", "version: \"" + strings.Repeat("x", 30000), ""},
	{"unclosed brackets", "version: [" + strings.Repeat("x,", 1900), ""},
	{"commas", "version: [" + strings.Repeat(",", 3900), ""},
	{"colons", "a" + strings.Repeat(": ", 3900), ""},
	{"carriage returns", strings.Repeat("a:\r", 10000), "carriage return without a line feed"},
	{"one key many times", "version: 1\n" + strings.Repeat("a: 1\n", 6000), "over 4000 words"},
	{"many keys", manyKeys(3000), "over 4000 words"},
	{"as many keys as allowed", manyKeys(maxTokens / 3), `unknown key "k0"`},
	{"one key as often as allowed", strings.Repeat("a: 1\n", maxTokens/3), `unknown key "a"`},
	{"a list as long as allowed", "a: [" + strings.Repeat("x,", maxTokens/2-10), "']' not found"},
	{"as many words as allowed", strings.Repeat("'' ", maxTokens), "not allowed in this context"},
	{"many comments", strings.Repeat("#\n", 16000) + "a", ""},
	{"too large", "version: 1\n" + strings.Repeat("#", 2*MaxBytes), "larger than 32 kB"},
}

func aliasBomb() string {
	text := "version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 20; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10))
	}
	return text
}

func staircase(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}

func TestHostileFilesAreRefusedInBoundedMemory(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			allocated := allocatedBy(func() {
				_, err := Parse("hone.yaml", []byte(c.text))
				if fail.ExitCode(err) != int(fail.BadInput) || !strings.HasPrefix(err.Error(), "hone.yaml:") ||
					!strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
			})
			if allocated > mostMemory {
				t.Errorf("allocated %d MB", allocated>>20)
			}
		})
	}
}

// A file of 100 MB is not read beyond the bound.
func TestAHugeFileIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(100 << 20); err != nil {
		t.Fatal(err)
	}
	allocated := allocatedBy(func() {
		if _, err := Read(path, Name); fmt.Sprint(err) != "hone.yaml:1:1: the file is larger than 32 kB" {
			t.Errorf("error %v", err)
		}
	})
	if allocated > 10<<20 {
		t.Errorf("allocated %d MB", allocated>>20)
	}
}

func allocatedBy(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, "hone.yaml"); fail.ExitCode(err) != int(fail.BadInput) ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	_, err := Read(filepath.Join(dir, Name), "hone.yaml")
	if got := fmt.Sprint(err, "|", fail.HintOf(err)); got != "there is no hone.yaml|hone init writes one" {
		t.Error(got)
	}
}

// BenchmarkHostile shows the time of each: the promise is 100 ms.
func BenchmarkHostile(b *testing.B) {
	for _, c := range hostile {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				_, _ = Parse("hone.yaml", []byte(c.text))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	full, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, c := range faulty {
		f.Add([]byte(c.text))
	}
	for _, c := range hostile {
		f.Add([]byte(c.text[:min(len(c.text), 300)]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := Parse("hone.yaml", text)
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) || !strings.HasPrefix(err.Error(), "hone.yaml:") {
				t.Errorf("error %v", err)
			}
			return
		}
		file := &File{Dir: t.TempDir(), Document: *doc, Shown: "hone.yaml"}
		names := append(file.Names(), SubjectName)
		for _, line := range file.Commands(names...) {
			if i := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
				t.Errorf("a command shows %q at %d", line, i)
			}
		}
		for _, plan := range doc.Plans {
			_ = plan.CommandLine()
		}
	})
}
