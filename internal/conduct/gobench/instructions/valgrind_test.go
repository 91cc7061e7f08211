package instructions

import (
	"fmt"
	"testing"
)

func TestTheEnvironmentUnderValgrind(t *testing.T) {
	got := Settings([]string{"GODEBUG=gctrace=0", "GOGC=50", "GODEBUG=madvdontneed=1", "GOMAXPROCS=8"})
	if text := fmt.Sprint(got); text != "[GODEBUG=madvdontneed=1,asyncpreemptoff=1 GOMAXPROCS=1]" {
		t.Errorf("got %s", text)
	}
	if text := fmt.Sprint(Settings(nil)); text != "[GODEBUG=asyncpreemptoff=1 GOMAXPROCS=1 GOGC=off GOMEMLIMIT=1GiB]" {
		t.Errorf("got %s", text)
	}
}
