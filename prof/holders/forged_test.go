package holders

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/gotypes/elftest"
	"github.com/gohone/hone/prof/heapdump/dumptest"
)

const release = "go1.26.0"

// boxed is a dump in which an object has an interface of the type at elftest.RuntimeType.
func boxed() dumptest.Dump {
	d := dumptest.New(release).Object(0xc000, []uint64{0xc100, 1}, 0).Object(0xc100, []uint64{0, 2})
	d = d.Object(0xc200, []uint64{elftest.RuntimeType, 0xc100, 0}, 1)
	return d.Data(elftest.Data, []uint64{0xc000, 0, 0, 0}, 0).End()
}

// nested are n structs, each in the next; the last is the type of the variable.
func nested(n int) []elftest.Section {
	d := &elftest.Descriptions{}
	for i := 1; i <= n; i++ {
		if i == 1 {
			d.Struct(1, "main.S1")
		} else {
			d.Struct(i, fmt.Sprintf("main.S%d", i), i-1)
		}
	}
	return d.Sections(n)
}

// lineTable is a table of lines of Go 1.20 that says it has so many functions.
func lineTable(functions uint64) elftest.Section {
	b := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for _, v := range []uint64{functions, 0, 0x1000, 72, 72, 72, 72, 72} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return elftest.Section{Name: ".gopclntab", Type: 1, Address: 0x2000, Data: append(b, make([]byte, 64)...)}
}

// packed is a compressed section of so many zeros.
func packed(name string, size int) elftest.Section {
	var b bytes.Buffer
	flags := uint64(0)
	if strings.HasPrefix(name, ".z") {
		b.WriteString("ZLIB")
		_ = binary.Write(&b, binary.BigEndian, uint64(size)) // a buffer takes all
	} else {
		flags = 0x800
		_ = binary.Write(&b, binary.LittleEndian, []uint64{1, uint64(size), 1})
	}
	z := zlib.NewWriter(&b)
	zeros := make([]byte, 1<<20)
	for left := size; left > 0; left -= len(zeros) {
		_, _ = z.Write(zeros[:min(left, len(zeros))])
	}
	_ = z.Close()
	return elftest.Section{Name: name, Type: 1, Flags: flags, Data: b.Bytes()}
}

// forged are programs that no linker writes, by what is wrong with them.
func forged() map[string][]byte {
	program := func(s ...elftest.Section) []byte { return elftest.Program(release, s...) }
	types := func() *elftest.Descriptions { return &elftest.Descriptions{} }
	return map[string][]byte{
		"the type main.S contains itself": program(types().Struct(1, "main.S", 1).Sections(1)...),
		"the type main.T contains itself": program(types().Struct(1, "main.T", 2).Struct(2, "main.U",
			1).Sections(1)...),
		"the type [1]main.A contains itself": program(types().Array(2, "[1]main.A", 2).Pointer(3, "*main.A",
			2).Sections(3)...),
		"the type [1]main.B contains itself": program(types().Struct(1, "main.S", 2).Array(2, "[1]main.B", 1).
			Pointer(3, "*main.B", 2).Sections(3)...),
		"types are parts of each other": program(nested(100_000)...),
		"says that it has":              program(lineTable(1<<32 - 1)),
		"more than 16 times as many":    program(packed(".debug_info", 64<<20)),
		"unpacks to 67108864":           program(packed(".zdebug_info", 64<<20)),
		"have more bytes than the file": bytes.Replace(program(elftest.Section{Name: ".debug_line", Type: 1,
			Data: []byte("mark")}),
			binary.LittleEndian.AppendUint64(nil, 4), binary.LittleEndian.AppendUint64(nil, 1<<40), 1),
	}
}

// readForged reads a dump with a program.
func readForged(ctx context.Context, program, dump []byte) (*Report, error) {
	types, err := gotypes.Open(bytes.NewReader(program), int64(len(program)))
	if err != nil {
		return nil, err
	}
	return Read(ctx, bytes.NewReader(dump), int64(len(dump)), types)
}

// A forged program is refused, and takes memory near its own size.
func TestForgedProgramsAreRefused(t *testing.T) {
	for want, program := range forged() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readForged(t.Context(), program, boxed())
		runtime.ReadMemStats(&after)
		if fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20+16*uint64(len(program)) {
			t.Errorf("%q: %d bytes for a file of %d", want, took, len(program))
		}
	}
	if _, err := readForged(t.Context(), elftest.Program(release,
		(&elftest.Descriptions{}).Struct(1, "main.S").Sections(1)...), boxed()); err != nil {
		t.Errorf("a sound program: %v", err)
	}
}

// A program of another release did not write the dump, and a file without Go's build information wrote none.
func TestProgramsOfOthers(t *testing.T) {
	if _, err := readForged(t.Context(), elftest.Program("go1.25.0"), boxed()); err == nil ||
		!strings.Contains(err.Error(), "the dump is of go1.26.0, the program of go1.25.0") {
		t.Error(err)
	}
	other := bytes.ReplaceAll(elftest.Program(release), []byte("Go buildinf"), []byte("no buildinf"))
	other = bytes.ReplaceAll(other, []byte("runtime."), []byte("another."))
	if _, err := readForged(t.Context(), other, boxed()); err == nil ||
		!strings.Contains(err.Error(), "it is not a program of Go") {
		t.Error(err)
	}
}

// Frames without end, each of another function, take no time that grows with their square, and Ctrl-C ends it.
func TestManyFrames(t *testing.T) {
	const frames = 20_000
	d := dumptest.New(release).Object(0xc000, []uint64{0, 2}).Object(0xd000, make([]uint64, 40))
	d = d.Goroutine(0xd000, 0x100000, "main.f", []uint64{0xc000, 0}, 0)
	for i := range uint64(frames) {
		d = d.Numbers(5, 0x100010+16*i, i+1, 0).Words([]uint64{0xc000, 0}).Numbers(0x1000, 0x1010,
			0x1010).Text(fmt.Sprint("main.f", i)).Pointers(0)
	}
	d = d.End()
	r, err := Read(t.Context(), bytes.NewReader(d), int64(len(d)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.paths.all); n > mostSteps+10 {
		t.Errorf("%d paths of one goroutine", n)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Read(stopped, bytes.NewReader(d), int64(len(d)), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Whatever a program is, it is read with the dump or refused.
func FuzzForged(f *testing.F) {
	for _, program := range forged() {
		if len(program) < 1<<16 {
			f.Add(program)
		}
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		if _, err := readForged(t.Context(), program, boxed()); err != nil && fail.KindOf(err) != fail.BadInput {
			t.Errorf("%v is not a fault of the input", err)
		}
	})
}
