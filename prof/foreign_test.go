package prof

import (
	"bytes"
	"slices"
	"testing"
)

// Profiles of other tools are counted as go tool pprof -top counts them: the type that it would show, the total that
// shares relate to (the magnitudes; of a marked base those of the base), and the shares.
func TestForeignProfilesAreAsPprofs(t *testing.T) {
	const parse, write = "main.parse < main.main", "main.write < main.main"
	based := buildCPU().ticks(30, parse).ticks(-20, write)
	based.p.Sample[1].Label = map[string][]string{"pprof::base": {"true"}}
	chosen := buildCPU().ticks(30, parse).ticks(10, write)
	chosen.p.DefaultSampleType = "samples"
	for _, c := range []struct {
		name       string
		of         *builder
		sampleType string
		total      int64
		shares     []string // of the two leaves, pprof's flat%
	}{
		{"fgprof", build("samples/count", "time/nanoseconds").sample(parse, 30, 303).sample(write, 10, 101), "time",
			404, []string{"75 %", "25 %"}},
		{"one type", build("samples/count").sample(parse, 6).sample(write, 1), "samples", 7,
			[]string{"85.7 %", "14.3 %"}},
		{"reversed", build("cpu/nanoseconds", "samples/count").sample(parse, 300, 30).sample(write, 100, 10), "samples",
			40, []string{"75 %", "25 %"}},
		{"its own choice", chosen, "samples", 40, []string{"75 %", "25 %"}},
		{"adds up to nothing", buildCPU().ticks(30, parse).ticks(-30, write), "cpu", 60 * tick,
			[]string{"50 %", "50 %"}},
		{"adds up to less", buildCPU().ticks(-40, parse).ticks(30, write), "cpu", 70 * tick,
			[]string{"57.1 %", "42.9 %"}},
		{"of a base", based, "cpu", 20 * tick, []string{"150 %", "100 %"}},
	} {
		top := topOf(t, c.of.p, ViewOptions{})
		shares := []string{share(top.Rows[0].Flat, top.Total), share(top.Rows[1].Flat, top.Total)}
		if top.SampleType != c.sampleType || top.Total != c.total || !slices.Equal(shares, c.shares) {
			t.Errorf("%s: %s of %d, shares %q; want %s of %d, %q", c.name, top.SampleType, top.Total, shares,
				c.sampleType, c.total, c.shares)
		}
	}
}

// The members of a gzip file are one message, and drop_frames takes out what lies below a frame.
func TestParseMembersAndDroppedFrames(t *testing.T) {
	b := buildCPU().ticks(3, "main.parse < main.handle < main.main")
	b.p.DropFrames = "main[.]parse"
	var plain bytes.Buffer
	if err := b.p.WriteUncompressed(&plain); err != nil {
		t.Fatal(err)
	}
	half := plain.Len() / 2
	p, err := Parse(bytes.NewReader(append(pack(t, plain.Bytes()[:half]), pack(t, plain.Bytes()[half:])...)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if top := topOf(t, p, ViewOptions{}); len(top.Rows) != 2 || top.Rows[0].Function != "main.handle" ||
		top.Rows[0].Flat != 3*tick {
		t.Errorf("%+v", top.Rows)
	}
}
