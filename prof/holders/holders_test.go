package holders

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/gotypes"
)

// programs are those of testdata, built once for each set of flags of the linker.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hone-holders-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// build builds testdata/holding.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	out := filepath.Join(programs, "holding"+strings.ReplaceAll(strings.Join(flags, ""), " ", ""))
	if _, err := os.Stat(out); err == nil {
		return out
	}
	cmd := exec.Command("go", append(append([]string{"build", "-C", "testdata/holding", "-o", out}, flags...), ".")...)
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// dump runs a case of the program, and says how many bytes it freed after its dump.
func dump(t *testing.T, program, name string) (file string, freed float64) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "heap.dump")
	text, err := exec.Command(program, file, name).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if freed, err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err != nil {
		t.Fatal(err)
	}
	return file, freed
}

// read reads a dump of a program.
func read(t *testing.T, program, file string) *Report {
	t.Helper()
	f, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	types, err := open(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(t.Context(), bytes.NewReader(all), int64(len(all)), types)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// open reads the types of a program.
func open(program *os.File) (*gotypes.Program, error) {
	info, err := program.Stat()
	if err != nil {
		return nil, err
	}
	return gotypes.Open(program, info.Size())
}

// The holder has the name of what the program cleared, and retains what that freed, within 1 %.
func TestHoldersAreWhatClearingFrees(t *testing.T) {
	program := build(t)
	for name, want := range map[string]string{
		"map":        `^byUser \(map\[string\]\*session, 2,000 entries\), main.go:\d+ -> session.body \[\]byte$`,
		"field":      `^registry.sessions \(map\[string\]\*session, 2,000 entries\), main.go:\d+ -> session.body \[\]byte$`,
		"linked":     `^head \(\*session, 2,000 elements\), main.go:\d+ -> session.body \[\]byte$`,
		"records":    `^plain.inner.log \(\[\]record, 2,000 elements\), main.go:\d+ -> record.text string$`,
		"list":       `^plain.order \(\*list.List, 2,000 elements\), main.go:\d+ -> session.body \[\]byte$`,
		"lru":        `^registry.index \+ registry.order \(2,000 elements\), main.go:\d+ -> session.body \[\]byte$`,
		"channel":    `^queue \(chan \[\]byte, 2,000 buffered\), main.go:\d+ -> \[\] \[\]byte$`,
		"closures":   `^handlers \(\[\]func\(\) int, 2,000 elements\), main.go:\d+ -> reads.func1.b \[\]byte$`,
		"document":   `^document\[value\] \(any\(\[\]any\), 2,000 elements\), main.go:\d+ -> \[value\] any\(string\)$`,
		"both":       `^byID \+ byUser \(2,000 elements\) -> session.body \[\]byte$`,
		"shards":     `^shards \(.*, 16 elements\), main.go:\d+ -> \[value\] \[\]byte$`,
		"tree":       `^root \(\*tree, 1,023 elements\), main.go:\d+ -> tree.payload \[\]byte$`,
		"generic":    `^boxed.items \(\[\]\*session, 2,000 elements\), main.go:\d+ -> session.body \[\]byte$`,
		"method":     `^bound.receiver.buffer \(\[\]byte\), main.go:\d+$`,
		"interface":  `^served.buffer \(\[\]byte\), main.go:\d+$`,
		"atomic":     `^current.sessions \(map\[string\]\*session, 2,000 entries\), main.go:\d+ -> session.body \[\]byte$`,
		"value":      `^config.v \(any\(map\[string\]\*session\), 2,000 entries\), main.go:\d+ -> session.body \[\]byte$`,
		"unsafe":     `^hidden \(unsafe.Pointer\), main.go:\d+ -> unknown$`,
		"syncmap":    `^known \(sync.Map, 2,000 entries\), main.go:\d+ -> session.body \[\]byte$`,
		"part":       `^part \(\[\]byte, 10 elements\), main.go:\d+$`,
		"substring":  `^word \(string\), main.go:\d+$`,
		"indirect":   `^large \(map\[int\]huge, 40,000 entries\), main.go:\d+ -> \[value\] \*huge$`,
		"context":    `^ctx \(context.Context, 1,999 elements\), main.go:\d+ -> session.body \[\]byte$`,
		"timers":     `^time.AfterFunc\(init.func\d+.1\) \+ timers \(2,000 elements\) -> session.body \[\]byte$`,
		"spread":     `^time.AfterFunc\(init.func\d+.1.1\) \+ timers \(2,000 elements\) -> session.body \[\]byte$`,
		"goroutines": `^mine \(\[\]byte\) in main.wait of 200 goroutines, main.go:\d+ \(chan receive at main.go:93, started at main.go:260\)$`,
		"local":      `^mine \(\[\]\*session, 2,00\d elements\) in main.local, main.go:\d+ -> session.body \[\]byte$`,
		"onstack":    ` in main.onStack, main.go:\d+`,
	} {
		t.Run(name, func(t *testing.T) { freesWhatItSays(t, program, name, want) })
	}
}

// freesWhatItSays checks that the first holder is the one that is wanted, and that it holds what clearing it freed.
func freesWhatItSays(t *testing.T, program, name, want string) {
	t.Helper()
	file, freed := dump(t, program, name)
	r := read(t, program, file)
	if len(r.Holders) == 0 {
		t.Fatalf("no holder; want %s", want)
	}
	h := r.Holders[0]
	if !regexp.MustCompile(want).MatchString(placeOfBytes.ReplaceAllString(h.String(), "")) {
		t.Errorf("the holder is %q, want %q", h, want)
	}
	if math.Abs(float64(h.Bytes)-freed) > 0.01*freed+inCaches {
		t.Errorf("%s holds %d bytes, and clearing it freed %.0f", h.Name, h.Bytes, freed)
	}
}

// placeOfBytes is what the samples of the profile of allocations say, which are other ones each time.
var placeOfBytes = regexp.MustCompile(` \((filled|set|allocated) at [^\s,)]+(, called at [^\s,)]+)?\)|` +
	`, (filled|allocated) at [^\s,)]+(, called at [^\s,)]+)?`)

// inCaches is what the runtime keeps of what it could free, in bytes: sudogs for each processor.
const inCaches = 64 << 10

// What was allocated and is not held has no holder.
func TestNothingHolds(t *testing.T) {
	program := build(t)
	file, _ := dump(t, program, "nothing")
	r := read(t, program, file)
	if len(r.Holders) != 0 || !strings.HasPrefix(r.Line(), "nothing holds more than 5 % of the heap's ") {
		t.Errorf("%s: %+v", r.Line(), r.Holders)
	}
}

// A program that was loaded elsewhere than its file says has its names, too.
func TestPositionIndependentPrograms(t *testing.T) {
	program := build(t, "-buildmode=pie")
	file, _ := dump(t, program, "field")
	if got := read(t, program, file).Line(); !strings.Contains(got,
		"registry.sessions (map[string]*session, 2,000 entries)") {
		t.Error(got)
	}
}

// Without DWARF, and without symbols, the answer is by pointers, and says what is missing.
func TestProgramsWithoutTypes(t *testing.T) {
	for flag, want := range map[string]struct{ name, missing string }{
		"-ldflags=-w": {"byUser", "types and fields are unknown"},
		"-ldflags=-s": {"a variable without a name", "names of variables and types are unknown"},
	} {
		program := build(t, flag)
		file, freed := dump(t, program, "map")
		r := read(t, program, file)
		if len(r.Holders) != 1 || r.Holders[0].Name != want.name ||
			math.Abs(float64(r.Holders[0].Bytes)-freed) > 0.05*freed {
			t.Errorf("%s: %+v, want %s of %.0f bytes", flag, r.Holders, want.name, freed)
		}
		if len(r.Missing) != 1 || !strings.Contains(r.Missing[0], want.missing) {
			t.Errorf("%s: %q, want %q", flag, r.Missing, want.missing)
		}
	}
}

// The profile has the same bytes as the report, the leaf first and the root last.
func TestProfile(t *testing.T) {
	program := build(t)
	file, _ := dump(t, program, "field")
	r := read(t, program, file)
	p := r.Profile()
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	var objects, bytes int64
	found := false
	for _, s := range p.Sample {
		objects, bytes = objects+s.Value[0], bytes+s.Value[1]
		var names []string
		for _, l := range s.Location {
			names = append(names, l.Line[0].Function.Name)
		}
		found = found || slices.Equal(names, []string{"main.session.body []byte", "[value] *main.session",
			"main.store.sessions map[string]*main.session", "main.registry *main.store"}) &&
			s.Value[0] == 2000 && s.Location[3].Line[0].Line > 0
	}
	if !found || uint64(objects) != r.HeldObjects || uint64(bytes) != r.Held {
		t.Errorf("found %v, %d objects of %d, %d bytes of %d", found, objects, r.HeldObjects, bytes, r.Held)
	}
}

// A dump with changed bytes is read or refused, and never panics.
func TestDamagedDumps(t *testing.T) {
	program := build(t)
	file, _ := dump(t, program, "nothing")
	f, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		types, err := open(f)
		if err != nil {
			t.Fatal(err)
		}
		damaged := slices.Clone(all)
		for range 1 + random.IntN(20) {
			damaged[random.IntN(len(damaged))] = byte(random.Uint32())
		}
		if _, err := Read(t.Context(), bytes.NewReader(damaged), int64(len(damaged)), types); err != nil &&
			fail.KindOf(err) != fail.BadInput {
			t.Error(err)
		}
	}
}
