package advice

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
)

// Four of five repairs that were measured lie in the interval of their finding, of those that their authors measured
// and of those of a busy machine. The width of the interval was chosen by these rows: other programs have to show
// whether it holds there.
func TestMostMeasuredRepairsLieInTheInterval(t *testing.T) {
	file, err := os.Open("testdata/measured-gains.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var inside, all [2]int
	for lines := bufio.NewScanner(file); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) != 7 || f[0] == "#" {
			continue
		}
		var number [7]float64
		for i := 2; i < len(f); i++ {
			if number[i], err = strconv.ParseFloat(f[i], 64); err != nil && f[i] != "-" {
				t.Fatalf("%s: %v", lines.Text(), err)
			}
		}
		low, high := repaired(number[2], number[3], int64(number[4]))
		if low > number[2] || high < number[2] || high > 1 {
			t.Errorf("%s: %v is said, in %v to %v", f[0], number[2], low, high)
		}
		for i, gained := range number[5:] {
			if f[5+i] == "-" {
				continue
			}
			all[i]++
			if gained >= low && gained <= high {
				inside[i]++
			} else {
				t.Logf("%s: %v was gained, and said %v to %v", f[0], gained, low, high)
			}
		}
	}
	t.Logf("%d of %d measured gains are in their intervals", inside[0]+inside[1], all[0]+all[1])
	for i := range all {
		if all[i] < 10 || 5*inside[i] < 4*all[i] {
			t.Errorf("%d of %d measured gains are in their intervals", inside[i], all[i])
		}
	}
}

// Where code is the reason for most of what the collector does, the finding says what the setting of the collector
// brings without the change, with the memory that it takes; not where the limit of the memory has no room for it.
func TestASettingStandsBesideTheCodeWithItsFigure(t *testing.T) {
	setting := func(v *facts.View) string {
		for _, f := range find(t, v).Findings {
			for _, e := range f.Evidence {
				if e.Source == "setting" {
					return f.Rule + ": " + e.Text
				}
			}
		}
		return ""
	}
	const run = "append-growth/speaks.view"
	text := setting(recordedView(t, run))
	if !strings.HasPrefix(text, "append-growth: without a change of the code GOGC=400 saves about ") ||
		!strings.Contains(text, "the heap may grow to 16.8 MB instead of ") {
		t.Errorf("%q", text)
	}
	limited := recordedView(t, run)
	limited.Numbers.Box = &facts.Box{MemoryLimit: 20 << 20}
	if text := setting(limited); text != "" {
		t.Errorf("in 20 MB: %q", text)
	}
}
