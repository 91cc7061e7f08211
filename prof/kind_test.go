package prof

import (
	"bytes"
	"runtime/pprof"
	"testing"

	"github.com/google/pprof/profile"
)

// The table of kinds against what this very Go release writes.
func TestKindsAreAsTheRuntimeWritesThem(t *testing.T) {
	for _, k := range Kinds {
		if k.Name == WaitKind || k.Name == HoldersKind || k.Name == FgprofKind {
			// the runtime writes none; internal/conduct/capture has a test of what hone makes of a trace, prof/holders of a
			// dump
			continue
		}
		if k.Name == "goroutineleak" && pprof.Lookup(k.Name) == nil {
			continue // no program of this toolchain has it; internal/program/subject has a test with one that has
		}
		p := parseFile(t, "work.cpu.pb.gz") // a test cannot start the CPU profiler, which go test may own
		if k.Name != "cpu" {
			var b bytes.Buffer
			if err := pprof.Lookup(k.Name).WriteTo(&b, 0); err != nil {
				t.Fatal(err)
			}
			var err error
			if p, err = Parse(&b, Limits{}); err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
		}
		if len(p.SampleType) != len(k.SampleTypes) {
			t.Fatalf("%s: the profile has %d sample types, the table %d", k.Name, len(p.SampleType), len(k.SampleTypes))
		}
		for i, want := range k.SampleTypes {
			if got := p.SampleType[i]; got.Type != want.Name || got.Unit != want.Unit {
				t.Errorf("%s: sample type %s/%s, the table says %s/%s", k.Name, got.Type, got.Unit, want.Name,
					want.Unit)
			}
		}
		if _, err := k.SampleType(""); err != nil {
			t.Errorf("%s: default: %v", k.Name, err)
		}
	}
}

// SinceStart decides what Delta accepts.
func TestKindsSinceStartAreThoseThatDeltaTakes(t *testing.T) {
	for _, k := range Kinds {
		p := &profile.Profile{PeriodType: &profile.ValueType{}}
		for _, st := range k.SampleTypes {
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: st.Name, Unit: st.Unit})
		}
		if _, _, err := Delta(p, p); (err == nil) != k.SinceStart {
			t.Errorf("%s: Delta error %v, SinceStart %v", k.Name, err, k.SinceStart)
		}
	}
}

func TestKindNamed(t *testing.T) {
	for _, k := range Kinds {
		if got, err := KindNamed(k.Name); got != k || err != nil {
			t.Errorf("%s: %v, %v", k.Name, got, err)
		}
	}
	if _, err := KindNamed("profile"); err == nil {
		t.Error("profile is no kind's name")
	}
}
