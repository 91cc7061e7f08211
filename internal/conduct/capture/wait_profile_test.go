package capture

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// A trace is as long as 2,000 requests take, at least a quarter of a second, and at most two seconds or a third of the
// slices.
func TestATraceIsAsLongAsItsRequestsTake(t *testing.T) {
	for _, c := range []struct {
		answered    uint64
		took        time.Duration
		connections int
		want        time.Duration
	}{
		{0, 0, 50, 2 * time.Second},
		{60, 6 * time.Second, 50, 2 * time.Second},
		{600, 15 * time.Second, 50, 5 * time.Second},
		{600, time.Minute, 50, 10 * time.Second},
		{6000, 6 * time.Second, 50, 2 * time.Second},
		{40000, 10 * time.Second, 50, 500 * time.Millisecond},
		{80000, 10 * time.Second, 50, 250 * time.Millisecond},
		{80000, 10 * time.Second, 1000, time.Second}, // 8 of each connection
	} {
		if got := TracedTime(timed.Batch{Answered: c.answered, Took: c.took}, c.connections); got != c.want {
			t.Errorf("%d requests in %v over %d connections: %v, want %v", c.answered, c.took, c.connections, got,
				c.want)
		}
	}
}

// The wait profile is what the table of kinds says.
func TestTheWaitProfileIsOfItsKind(t *testing.T) {
	k, err := prof.KindNamed(prof.WaitKind)
	if err != nil {
		t.Fatal(err)
	}
	p := new(walltime.Digest).Profile()
	var got []prof.SampleType
	for _, one := range p.SampleType {
		got = append(got, prof.SampleType{Name: one.Type, Unit: one.Unit, Accumulates: true})
	}
	if !slices.Equal(got, k.SampleTypes) || p.DefaultSampleType != k.Default {
		t.Errorf("sample types %v, by default %s; the table says %v and %s", got, p.DefaultSampleType, k.SampleTypes,
			k.Default)
	}
}

func TestTracesBeforeGo122AreNotTaken(t *testing.T) {
	for goVersion, want := range map[string]bool{
		"go1.16": false, "go1.21.13": false, "go1.22rc1": true, "go1.22": true, "go1.22.1": true, "go1.27.1": true,
		"devel go1.28-abcdef": true, "": true,
	} {
		if err := traceable(goVersion); (err == nil) != want {
			t.Errorf("%q: %v, want it taken: %v", goVersion, err, want)
		}
	}
}
