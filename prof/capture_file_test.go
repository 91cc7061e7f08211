package prof

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/proftest"
)

func TestCapturesKeepWhatIsKnownOfThem(t *testing.T) {
	c := cpuOf(proftest.BuildCPU().Ticks(3, "main.f < main.main"), 1200)
	c.Duration, c.Clock = 1500*time.Millisecond, 40*time.Millisecond
	c.Profile.Comments = []string{"mine", "hone: kind=heap operations=7"}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if len(c.Profile.Comments) != 2 {
		t.Errorf("the profile was changed: %q", c.Profile.Comments)
	}
	got, err := ReadCapture(&b, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Kind != "cpu" || got.Operations != 1200 || got.Duration != c.Duration || got.Clock != c.Clock ||
		topOf(t, got.Profile, ViewOptions{}).Total != 3*proftest.Tick {
		t.Errorf("%+v", got)
	}
	if strings.Join(got.Profile.Comments, "|") != "mine|hone: kind=cpu operations=1200 duration=1.5s cpu=40ms" {
		t.Errorf("comments %q", got.Profile.Comments)
	}
}

// Profiles of other tools have no note.
func TestKindsAreGuessed(t *testing.T) {
	for file, kind := range map[string]string{"raw.cpu.pb.gz": "cpu", "after.allocs.pb.gz": "allocs",
		"after.mutex.pb.gz": "mutex"} {
		c, err := ReadCapture(bytes.NewReader(readFile(t, file)), Limits{})
		if err != nil || c.Kind != kind || c.Operations != 0 {
			t.Errorf("%s: kind %q, %d operations, %v", file, c.Kind, c.Operations, err)
		}
	}
}

func TestDamagedNotes(t *testing.T) {
	c := cpuOf(proftest.BuildCPU().Ticks(1, "main.f"), 1)
	c.Profile.Comments = []string{"hone: operations=-3"}
	var b bytes.Buffer
	if err := c.Profile.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCapture(&b, Limits{}); err == nil || !strings.Contains(err.Error(), "operations") {
		t.Errorf("operations=-3: %v", err)
	}
}

func TestMergeCaptures(t *testing.T) {
	a, b := cpuOf(proftest.BuildCPU().Ticks(2, "main.f"), 10), cpuOf(proftest.BuildCPU().Ticks(3, "main.f").Ticks(1, "main.g"), 20)
	sum, err := MergeCaptures([]Capture{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Operations != 30 || topOf(t, sum.Profile, ViewOptions{}).Total != 6*proftest.Tick {
		t.Errorf("%+v", sum)
	}
	b.Kind = "heap"
	if _, err := MergeCaptures([]Capture{a, b}); err == nil {
		t.Error("two kinds are merged")
	}
	if _, err := MergeCaptures(nil); err == nil {
		t.Error("nothing is merged")
	}
}
