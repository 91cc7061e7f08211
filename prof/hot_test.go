package prof

import (
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
)

func TestHotNamesTheDearestSites(t *testing.T) {
	c := cpuOf(proftest.BuildCPU().
		Ticks(20, "main.f@/s/f.go:1").Ticks(40, "main.f@/s/f.go:2").
		Ticks(30, netRead+" < main.g@/s/g.go:3").
		Ticks(10, "runtime.scanObject < runtime.gcBgMarkWorker").
		Ticks(500, "main.honeProbeServe"), 100)
	hot, err := Hot(c, CostOptions{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, h := range hot {
		got += fmt.Sprintf("%.0f %% %.0f %s %s %s:%d, %d of %d samples\n", h.Share, h.PerRequest, h.Unit, h.What,
			h.File, h.Line, h.Samples, h.Of)
	}
	want := "60 % 6000000 nanoseconds main.f /s/f.go:2, 60 of 100 samples\n" +
		"30 % 3000000 nanoseconds Syscall under net.(*conn).Read /s/g.go:3, 30 of 100 samples\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
