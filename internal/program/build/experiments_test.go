package build

import (
	"strings"
	"testing"
)

func TestExperiments(t *testing.T) {
	dir := t.TempDir()
	plain, err := Experiments(t.Context(), Variant{}, dir)
	if err != nil || !plain["regabiargs"] && len(plain) == 0 {
		t.Skipf("this toolchain has no experiment on: %v, %v", plain, err)
	}
	off := 0 // some depend on each other, and stay on
	for one := range plain {
		if without, err := Experiments(t.Context(), Variant{Env: []string{"GOEXPERIMENT=no" + one}}, dir); err == nil &&
			!without[one] {
			off++
		}
	}
	if off == 0 {
		t.Errorf("none of %v can be switched off", plain)
	}
	if _, err := Experiments(t.Context(), Variant{Env: []string{"GOEXPERIMENT=nosuchthing"}}, dir); err == nil ||
		!strings.Contains(err.Error(), "unknown GOEXPERIMENT") {
		t.Errorf("an unknown experiment: %v", err)
	}
}
