package prof

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

const otlpFile = "raw.otlp"

var otlpResource = map[string]string{"service.name": "shop", "host.name": "a"}

// A file of OTLP has the costs of the profile that it was made of, and the attributes of its resource as labels.
// bench/production reads the same file with OpenTelemetry's own library.
func TestOTLPIsAsTheProfile(t *testing.T) {
	want := captureFile(t, "raw.cpu.pb.gz")
	Label(want.Profile, "endpoint", "/echo")
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", otlpFile), proftest.OTLP(want.Profile, otlpResource),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, left, err := ReadCaptures(bytes.NewReader(readFile(t, otlpFile)), Limits{})
	if err != nil || len(left) != 0 || len(got) != 1 || got[0].Kind != "cpu" {
		t.Fatalf("%+v, left %v, %v", got, left, err)
	}
	if got[0].Duration.Nanoseconds() != want.Profile.DurationNanos || got[0].Profile.Period != want.Profile.Period {
		t.Errorf("duration %v, period %d; want %d, %d", got[0].Duration, got[0].Profile.Period,
			want.Profile.DurationNanos, want.Profile.Period)
	}
	if packed, _, err := ReadCaptures(bytes.NewReader(pack(t, readFile(t, otlpFile))), Limits{}); err != nil ||
		len(packed) != 1 || !slices.EqualFunc(packed[0].Profile.Sample, got[0].Profile.Sample, sameSample) {
		t.Errorf("gzipped: %+v, %v", packed, err)
	}
	look := ViewOptions{Selection: Selection{Granularity: ByLine}}
	a, b := topOf(t, want.Profile, look), topOf(t, got[0].Profile, look)
	if !slices.Equal(a.Rows, b.Rows) || a.Total != b.Total {
		t.Errorf("%+v\nwant %+v", b, a)
	}
	for _, s := range got[0].Profile.Sample {
		if s.Label["service.name"][0] != "shop" || s.Label["endpoint"][0] != "/echo" {
			t.Fatalf("labels %v", s.Label)
		}
	}
	if _, err := Parse(bytes.NewReader(readFile(t, otlpFile)), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "hone pull FILE") {
		t.Errorf("a view of a file: %v", err)
	}
}

func sameSample(a, b *profile.Sample) bool {
	return slices.Equal(a.Value, b.Value) && len(a.Location) == len(b.Location)
}

func TestReadCapturesOfPprof(t *testing.T) {
	for _, name := range realProfiles(t) {
		got, _, err := ReadCaptures(bytes.NewReader(readFile(t, name)), Limits{})
		if err != nil || len(got) != 1 || got[0].Kind == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestOTLPRefuses(t *testing.T) {
	whole := proftest.OTLP(captureFile(t, "raw.cpu.pb.gz").Profile, otlpResource)
	first := bytes.Index(whole, []byte("samples")) // in the dictionary, which comes last
	for want, file := range map[string][]byte{
		"not a pprof protobuf": whole[:len(whole)-1],
		"0 dictionaries":       {1<<3 | 2, 2, 2<<3 | 2, 0},
		"index":                bytes.Replace(whole, []byte("samples"), []byte("sample\x00"), 1)[: first-2 : first-2],
	} {
		if _, _, err := ReadCaptures(bytes.NewReader(file), Limits{}); err == nil ||
			want != "index" && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, _, err := ReadCaptures(bytes.NewReader(whole), Limits{Uncompressed: 100}); err == nil ||
		!strings.Contains(err.Error(), ErrLimit.Error()) {
		t.Errorf("over the limit: %v", err)
	}
	if _, _, err := ReadCaptures(bytes.NewReader(whole), Limits{Memory: 100}); err == nil ||
		!strings.Contains(err.Error(), ErrLimit.Error()) {
		t.Errorf("over the limit of memory: %v", err)
	}
}

func FuzzReadCaptures(f *testing.F) {
	f.Add(readFile(f, otlpFile))
	f.Add(pack(f, readFile(f, otlpFile)))
	f.Add([]byte{1<<3 | 2, 2, 2<<3 | 2, 0})
	f.Add([]byte{2<<3 | 2, 2, 5<<3 | 2, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		captures, left, err := ReadCaptures(bytes.NewReader(data), fuzzLimits)
		if err != nil {
			return
		}
		for _, c := range captures {
			exercise(t, c.Profile)
		}
		for _, p := range left {
			exercise(t, p.Profile)
		}
	})
}
