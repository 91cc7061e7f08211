package prof

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof/internal/quantity"
)

// Profiles of other tools are counted as go tool pprof -top counts them: the type that it would show, the total that
// shares relate to (the magnitudes; of a marked base those of the base), and the shares.
func TestForeignProfilesAreAsPprofs(t *testing.T) {
	const parse, write = "main.parse < main.main", "main.write < main.main"
	based := proftest.BuildCPU().Ticks(30, parse).Ticks(-20, write)
	based.P.Sample[1].Label = map[string][]string{"pprof::base": {"true"}}
	chosen := proftest.BuildCPU().Ticks(30, parse).Ticks(10, write)
	chosen.P.DefaultSampleType = "samples"
	for _, c := range []struct {
		name       string
		of         *proftest.Builder
		sampleType string
		total      int64
		shares     []string // of the two leaves, pprof's flat%
	}{
		{"fgprof", proftest.Build("samples/count", "time/nanoseconds").Sample(parse, 30, 303).Sample(write, 10, 101), "time",
			404, []string{"75 %", "25 %"}},
		{"one type", proftest.Build("samples/count").Sample(parse, 6).Sample(write, 1), "samples", 7,
			[]string{"85.7 %", "14.3 %"}},
		{"reversed", proftest.Build("cpu/nanoseconds", "samples/count").Sample(parse, 300, 30).Sample(write, 100, 10), "samples",
			40, []string{"75 %", "25 %"}},
		{"its own choice", chosen, "samples", 40, []string{"75 %", "25 %"}},
		{"adds up to nothing", proftest.BuildCPU().Ticks(30, parse).Ticks(-30, write), "cpu", 60 * proftest.Tick,
			[]string{"50 %", "50 %"}},
		{"adds up to less", proftest.BuildCPU().Ticks(-40, parse).Ticks(30, write), "cpu", 70 * proftest.Tick,
			[]string{"57.1 %", "42.9 %"}},
		{"of a base", based, "cpu", 20 * proftest.Tick, []string{"150 %", "100 %"}},
	} {
		top := topOf(t, c.of.P, ViewOptions{})
		shares := []string{quantity.Share(top.Rows[0].Flat, top.Total), quantity.Share(top.Rows[1].Flat, top.Total)}
		if top.SampleType != c.sampleType || top.Total != c.total || !slices.Equal(shares, c.shares) {
			t.Errorf("%s: %s of %d, shares %q; want %s of %d, %q", c.name, top.SampleType, top.Total, shares,
				c.sampleType, c.total, c.shares)
		}
	}
}

// The members of a gzip file are one message, and drop_frames takes out what lies below a frame.
func TestParseMembersAndDroppedFrames(t *testing.T) {
	b := proftest.BuildCPU().Ticks(3, "main.parse < main.handle < main.main")
	b.P.DropFrames = "main[.]parse"
	var plain bytes.Buffer
	if err := b.P.WriteUncompressed(&plain); err != nil {
		t.Fatal(err)
	}
	half := plain.Len() / 2
	p, err := Parse(bytes.NewReader(append(pack(t, plain.Bytes()[:half]), pack(t, plain.Bytes()[half:])...)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if top := topOf(t, p, ViewOptions{}); len(top.Rows) != 2 || top.Rows[0].Function != "main.handle" ||
		top.Rows[0].Flat != 3*proftest.Tick {
		t.Errorf("%+v", top.Rows)
	}
}
