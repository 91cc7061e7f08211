package machine

import "testing"

// The text is the head of a /proc/stat; fields as in proc_stat(5).
func TestStealShare(t *testing.T) {
	before := parseCPUTimes("cpu  100 0 50 800 10 0 5 35 7 0\ncpu0 1 2 3\n")
	after := parseCPUTimes("cpu  150 0 75 825 10 0 5 135 99 0\ncpu0 1 2 3\n")
	// total grew by 200, steal by 100; guest (99-7) is contained in user already.
	if got := after.StealSince(before); got != 0.5 {
		t.Errorf("steal share = %v, want 0.5", got)
	}
	if got := before.StealSince(after); got != 0 {
		t.Errorf("a clock that ran backwards gives %v, want 0", got)
	}
	if got := parseCPUTimes("nonsense").StealSince(before); got != 0 {
		t.Errorf("no /proc/stat gives %v, want 0", got)
	}
}

func TestCPUModel(t *testing.T) {
	if got := cpuModel("processor\t: 0\nmodel name\t: Some CPU @ 2.50GHz\nflags\t: fpu\n"); got != "Some CPU @ 2.50GHz" {
		t.Errorf("model = %q", got)
	}
	if got := cpuModel(""); got != "" {
		t.Errorf("model of nothing = %q", got)
	}
}
