package prof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

func TestParseRealProfilesPackedAndPlain(t *testing.T) {
	for _, name := range realProfiles(t) {
		packed := readFile(t, name)
		p, err := Parse(bytes.NewReader(packed), Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(p.Sample) == 0 {
			t.Errorf("%s: no samples", name)
		}
		q, err := Parse(bytes.NewReader(unpack(t, packed)), Limits{})
		if err != nil {
			t.Fatalf("%s unpacked: %v", name, err)
		}
		if p.String() != q.String() {
			t.Errorf("%s: packed and plain differ", name)
		}
	}
}

func TestParseRefusesWhatIsNoProfile(t *testing.T) {
	packed := readFile(t, "raw.cpu.pb.gz")
	plain := unpack(t, packed)
	second := pack(t, plain)
	flipped := bytes.Clone(packed)
	flipped[len(flipped)/2] ^= 0x10
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "empty input"},
		{"a gzip of nothing", pack(t, nil), "empty input"},
		{"a web page", []byte("<html><body>404 page not found</body></html>"), "a page of HTML"},
		{"a text profile that is gzipped", pack(t, []byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n")),
			"not a pprof protobuf"},
		{"half a gzip", packed[:len(packed)/2], "unpack gzip"},
		{"a gzip without its checksum", packed[:len(packed)-8], "unpack gzip"},
		{"a flipped bit", flipped, "unpack gzip"},
		{"half a profile", plain[:len(plain)/2], "not a pprof protobuf"},
		{"zeros after the gzip", append(bytes.Clone(packed), 0, 0, 0, 0), "4 bytes after the end"},
		{"a line after the gzip", append(bytes.Clone(packed), "ok\n\x00"...), "4 bytes after the end"},
		{"two gzipped profiles", append(bytes.Clone(packed), second...), "concatenated"},
		{"two plain profiles", append(bytes.Clone(plain), plain...), "concatenated"},
		{"text after a plain profile", append(bytes.Clone(plain), "\x00garbage"...), "not a pprof protobuf"},
		{"unknown fields only", []byte("\x32\x00\xf8\x07\x01"), "no sample types"},
	} {
		_, err := Parse(bytes.NewReader(c.data), Limits{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v blames a limit", c.name, err)
		}
	}
}

func TestParsePassesOnReadErrors(t *testing.T) {
	broken := errors.New("connection reset")
	r := io.MultiReader(bytes.NewReader(readFile(t, "raw.cpu.pb.gz")[:100]), errorReader{broken})
	if _, err := Parse(r, Limits{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// A megabyte that unpacks to a gigabyte must cost neither a gigabyte nor the time
// to unpack it, and lying about its length must not help it.
func TestParseRefusesGzipBombsForLittleMemory(t *testing.T) {
	honest := proftest.Zeros(1<<30, 1<<30)
	if len(honest) > 2<<20 {
		t.Fatalf("the bomb has %d bytes, want about a megabyte", len(honest))
	}
	for _, c := range []struct {
		name   string
		data   []byte
		limits Limits
		want   error
	}{
		{"honest, default limits", honest, Limits{}, ErrLimit},
		// Zeros are no message, which shows at the first one.
		{"says that it is small", proftest.Zeros(1<<30, 1000), Limits{}, errWire},
	} {
		var err error
		spent := allocated(func() { _, err = Parse(bytes.NewReader(c.data), c.limits) })
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
		// The megabyte itself, read into a growing buffer, and the decompressor.
		if limit := uint64(16 << 20); spent > limit {
			t.Errorf("%s: allocated %d bytes to refuse it, want at most %d", c.name, spent, limit)
		}
	}
}

func TestParseHoldsEachLimit(t *testing.T) {
	packed := readFile(t, "raw.cpu.pb.gz")
	plain := unpack(t, packed)
	p := parseFile(t, "raw.cpu.pb.gz")
	var frames int64
	for _, s := range p.Sample {
		for _, l := range s.Location {
			frames += int64(len(l.Line))
		}
	}
	for _, c := range []struct {
		name       string
		data       []byte
		pass, fail Limits
	}{
		{"compressed", packed, Limits{Compressed: int64(len(packed))}, Limits{Compressed: int64(len(packed)) - 1}},
		{"unpacked", packed, Limits{Uncompressed: int64(len(plain))}, Limits{Uncompressed: int64(len(plain)) - 1}},
		{"plain", plain, Limits{Uncompressed: int64(len(plain))}, Limits{Uncompressed: int64(len(plain)) - 1}},
		{"frames", packed, Limits{Frames: frames}, Limits{Frames: frames - 1}},
		{"memory", packed, Limits{Memory: 40 * int64(len(plain))}, Limits{Memory: int64(len(plain))}},
	} {
		if _, err := Parse(bytes.NewReader(c.data), c.pass); err != nil {
			t.Errorf("%s: refused at the limit: %v", c.name, err)
		}
		if _, err := Parse(bytes.NewReader(c.data), c.fail); !errors.Is(err, ErrLimit) {
			t.Errorf("%s: error %v over the limit, want ErrLimit", c.name, err)
		}
	}
}

// Two bytes make an empty sample. The estimate has to be above what decoding really
// allocates, or a message within its limit is still a bomb.
func TestDecodedSizeIsAnUpperBound(t *testing.T) {
	const n = 20_000
	repeat := func(s string) []byte { return bytes.Repeat([]byte(s), n) }
	inSample := func(fields []byte) []byte {
		m := append([]byte{profileSample<<3 | 2}, binary.AppendUvarint(nil, uint64(len(fields)))...)
		return append(m, fields...)
	}
	messages := map[string][]byte{
		"samples of a value":    repeat("\x12\x02\x10\x00"),
		"empty mappings":        repeat("\x1a\x00"),
		"empty locations":       repeat("\x22\x00"),
		"locations with a line": repeat("\x22\x02\x22\x00"),
		"empty functions":       repeat("\x2a\x00"),
		"empty strings":         repeat("\x32\x00"),
		"comments":              repeat("\x68\x00"),
		"one-frame samples":     repeat("\x12\x05\x0a\x01\x01\x10\x00"),
		"labelled samples": append([]byte("\x32\x00\x32\x01a"),
			repeat("\x12\x08\x1a\x04\x08\x01\x18\x01\x10\x00")...),
		"a sample of values": inSample(repeat("\x10\x01")),
		"a packed sample": inSample(append(append([]byte{0x12}, binary.AppendUvarint(nil, n)...),
			repeat("\x01")...)),
	}
	for _, name := range realProfiles(t) {
		messages[name] = unpack(t, readFile(t, name))
	}
	for name, message := range messages {
		var limit int64 = 64 << 10
		for errors.Is(screenedWith(message, limit), ErrLimit) {
			limit += limit / 8
		}
		// Some of the messages are no valid profile; they cost memory before that shows.
		spent := allocated(func() {
			if p, err := profile.ParseUncompressed(message); err == nil {
				p.CheckValid()
			}
		})
		if spent > uint64(limit) {
			t.Errorf("%s: decoding allocated %d bytes, the estimate is below %d", name, spent, limit)
		}
	}
}

// screenedWith screens a message with a limit of memory only.
func screenedWith(message []byte, limit int64) error {
	s := screen{limits: Limits{Memory: limit, Depth: math.MaxInt64}}
	return stream(bytes.NewReader(message), s.admit)
}

func TestParseRefusesManyEmptySamplesForLittleMemory(t *testing.T) {
	message := append([]byte("\x0a\x00"), bytes.Repeat([]byte("\x12\x02\x10\x00"), 1<<20)...)
	var err error
	spent := allocated(func() { _, err = Parse(bytes.NewReader(message), Limits{Memory: 64 << 20}) })
	if !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
	// Decoded, they would take a hundred times their size.
	if limit := uint64(8 * len(message)); spent > limit {
		t.Errorf("allocated %d bytes to refuse it, want at most %d", spent, limit)
	}
}

func TestTenThousandMutatedProfiles(t *testing.T) {
	const n = 10_000
	rng := rand.New(rand.NewPCG(1, 2))
	var seeds [][]byte
	for _, name := range realProfiles(t) {
		// The small ones: a mutation of those reaches as much in a tenth of the time.
		if seed := unpack(t, readFile(t, name)); len(seed) < 8<<10 {
			seeds = append(seeds, seed)
		}
	}
	parsed := 0
	for i := range n {
		data := bytes.Clone(seeds[i%len(seeds)])
		for range 1 + rng.IntN(8) {
			data[rng.IntN(len(data))] = byte(rng.Uint32())
		}
		p, err := Parse(bytes.NewReader(data), fuzzLimits)
		if err != nil {
			continue
		}
		if parsed++; parsed%16 == 0 { // using them takes longer than parsing them
			exercise(t, p)
		}
	}
	if parsed == 0 || parsed == n {
		t.Errorf("%d of %d mutations parsed; the mutations test nothing", parsed, n)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range realProfiles(f) {
		packed := readFile(f, name)
		f.Add(packed)
		f.Add(unpack(f, packed))
	}
	f.Add([]byte("\x1f\x8b\x08"))
	f.Add([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x101 0x201\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n"))
	f.Add([]byte("goroutine profile: total 2\n2 @ 0x101 0x201\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n"))
	f.Add([]byte("--- mutex:\ncycles/second=1\nsampling period=1\n3 1 @ 0x101\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n"))
	f.Add([]byte("\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("--- mutex:="))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := Parse(bytes.NewReader(data), fuzzLimits); err == nil {
			exercise(t, p)
		}
	})
}

var fuzzLimits = Limits{Uncompressed: 1 << 20, Memory: 16 << 20, Frames: 1 << 20}

// exercise uses a profile in every way; none may panic.
func exercise(t *testing.T, p *profile.Profile) {
	if err := p.CheckValid(); err != nil {
		t.Errorf("parsed, but invalid: %v", err)
	}
	for _, st := range p.SampleType {
		for _, v := range Views {
			look := ViewOptions{Selection: Selection{SampleType: st.Type, Granularity: ByLine}, Nodes: 10,
				NodeShare: 0.01}
			if v.OfFunctions {
				look.Function = regexp.MustCompile(".")
			}
			d, err := v.Show(p, look)
			if err != nil && !v.OfFunctions { // there may be no function
				t.Errorf("%s: %v", v.Name, err)
			}
			if err == nil {
				if err := d.WriteText(io.Discard); err != nil {
					t.Errorf("%s: %v", v.Name, err)
				}
				if _, err := json.Marshal(d); err != nil {
					t.Errorf("%s as JSON: %v", v.Name, err)
				}
				if f, ok := d.(*Flame); ok {
					if err := f.WriteSVG(io.Discard, "title"); err != nil {
						t.Errorf("%s drawn: %v", v.Name, err)
					}
				}
			}
		}
	}
	if d, _, err := Delta(p, p); err == nil {
		if err := d.CheckValid(); err != nil {
			t.Errorf("invalid delta: %v", err)
		}
	}
}

func realProfiles(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".gz" {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatal("no profiles in testdata")
	}
	return names
}

// allocated returns the bytes that f allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func pack(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpack(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
