package lab

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// A trace is as long as 2,000 requests take, within a quarter of a second and two seconds.
func TestATraceIsAsLongAsItsRequestsTake(t *testing.T) {
	for rate, want := range map[float64]time.Duration{
		0: 2 * time.Second, 10: 2 * time.Second, 1000: 2 * time.Second, 4000: 500 * time.Millisecond,
		8000: 250 * time.Millisecond, 1e6: 250 * time.Millisecond,
	} {
		if got := tracedTime(rate, 50); got != want {
			t.Errorf("at %v requests per second: %v, want %v", rate, got, want)
		}
	}
	if got := tracedTime(8000, 1000); got != time.Second {
		t.Errorf("1,000 connections at 8,000 requests per second: %v, want 1s for 8 of each", got)
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
		t.Errorf("sample types %v, by default %s; the table says %v and %s", got, p.DefaultSampleType, k.SampleTypes, k.Default)
	}
}

func TestTracesBeforeGo122AreNotTaken(t *testing.T) {
	for goVersion, want := range map[string]bool{
		"go1.16": false, "go1.21.13": false, "go1.22rc1": true, "go1.22": true, "go1.22.1": true, "go1.27.1": true, "devel go1.28-abcdef": true, "": true,
	} {
		if err := traceable(goVersion); (err == nil) != want {
			t.Errorf("%q: %v, want it taken: %v", goVersion, err, want)
		}
	}
}
