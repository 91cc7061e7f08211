package production

import (
	"bytes"
	"os"
	"testing"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/gohone/hone/prof"
)

// sum is what a profile comes to: by function of the leaf, and in all.
type sum struct {
	all    int64
	leaves map[string]int64
}

func (s *sum) add(leaf string, v int64) {
	s.all += v
	s.leaves[leaf] += v
}

// hone and OpenTelemetry's own library read the same of a file of OTLP, and hone reads what that library writes.
func TestOTLPIsOpenTelemetrys(t *testing.T) {
	file, err := os.ReadFile("../../prof/testdata/raw.otlp")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(file)
	if err != nil {
		t.Fatal(err)
	}
	written, err := (&pprofile.ProtoMarshaler{}).MarshalProfiles(theirs)
	if err != nil {
		t.Fatal(err)
	}
	want := sumOfTheirs(t, theirs)
	for name, data := range map[string][]byte{"the file": file, "what OpenTelemetry writes": written} {
		got, left, err := prof.ReadCaptures(bytes.NewReader(data), prof.Limits{})
		if err != nil || len(got) != 1 || len(left) != 0 {
			t.Fatalf("%s: %d captures, left %v, %v", name, len(got), left, err)
		}
		ours := sum{leaves: map[string]int64{}}
		for _, s := range got[0].Profile.Sample {
			ours.add(s.Location[0].Line[0].Function.Name, s.Value[1])
		}
		if ours.all != want.all || want.all == 0 || len(ours.leaves) != len(want.leaves) {
			t.Errorf("%s: hone reads %d ns of %d functions, OpenTelemetry %d of %d", name, ours.all, len(ours.leaves),
				want.all, len(want.leaves))
		}
		for leaf, v := range want.leaves {
			if ours.leaves[leaf] != v {
				t.Errorf("%s: %s has %d ns, OpenTelemetry says %d", name, leaf, ours.leaves[leaf], v)
			}
		}
	}
}

// sumOfTheirs adds up the CPU time by OpenTelemetry's library alone.
func sumOfTheirs(t *testing.T, all pprofile.Profiles) sum {
	t.Helper()
	s, d := sum{leaves: map[string]int64{}}, all.Dictionary()
	for _, r := range all.ResourceProfiles().All() {
		for _, scope := range r.ScopeProfiles().All() {
			for _, p := range scope.Profiles().All() {
				if d.StringTable().At(int(p.SampleType().TypeStrindex())) != "cpu" {
					continue
				}
				for _, sample := range p.Samples().All() {
					location := d.LocationTable().At(int(d.StackTable().At(int(sample.StackIndex())).LocationIndices().At(0)))
					function := d.FunctionTable().At(int(location.Lines().At(0).FunctionIndex()))
					for _, v := range sample.Values().All() {
						s.add(d.StringTable().At(int(function.NameStrindex())), v)
					}
				}
			}
		}
	}
	return s
}
