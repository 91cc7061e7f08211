package subject

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
	var one string
	for one = range plain {
		break
	}
	without, err := Experiments(t.Context(), Variant{Env: []string{"GOEXPERIMENT=no" + one}}, dir)
	if err != nil || without[one] {
		t.Errorf("%s is on although it was switched off: %v", one, err)
	}
	if _, err := Experiments(t.Context(), Variant{Env: []string{"GOEXPERIMENT=nosuchthing"}}, dir); err == nil || !strings.Contains(err.Error(), "unknown GOEXPERIMENT") {
		t.Errorf("an experiment that there is not: %v", err)
	}
}
