package report

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/load"
)

func plotted(t *testing.T, rs ...Plotted) string {
	t.Helper()
	var b strings.Builder
	if err := Plot(&b, rs...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page shows one recording or several, and needs nothing beside it.
func TestAPlotNeedsNothingBesideIt(t *testing.T) {
	for name, rs := range map[string][]Plotted{
		"open":    {{"open.hone", openLoad(t)}},
		"several": {{"before.hone", openLoad(t)}, {"after.hone", stepsLoad(t)}, {"", closedLoad(t)}, {"bad", failedLoad(t)}, {"e", &recording.Recording{}}},
		"nothing": {},
		"empty":   {{"", recording.New(loadHeader(load.ClosedLoop(time.Second)))}},
	} {
		page := plotted(t, rs...)
		if dir := os.Getenv("HONE_PLOT_DIR"); dir != "" { // to look at them
			if err := os.WriteFile(dir+"/"+name+".html", []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page has a %s in it", name, bad)
			}
		}
		if m := regexp.MustCompile(`(?i)(\bsrc=|href|url\(|@import|//)[^>]{0,40}`).FindString(withoutText(page)); m != "" {
			t.Errorf("%s: the page refers to something outside: %q", name, m)
		}
		if n := strings.Count(page, "<figure>"); n != 4 {
			t.Errorf("%s: %d charts, want 4", name, n)
		}
	}
}

// withoutText takes out what a target may say: text between tags and in labels.
func withoutText(page string) string {
	page = regexp.MustCompile(`data-hover="[^"]*"`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`<(p|td|th|code|h2|li|title)[^>]*>[^<]*`).ReplaceAllString(page, "")
	return page
}

func TestAPlotShowsWhatTheRecordingsSay(t *testing.T) {
	page := plotted(t, Plotted{"before.hone", openLoad(t)}, Plotted{"after.hone", failedLoad(t)})
	for _, want := range []string{
		"measurement ok: load generator at 25 % of its CPU", "measurement INVALID: replies wrong or lost", "live connections short",
		"before.hone: response time", "after.hone: errors", "the target is warm",
		"scheduled 10,000 = sent 10,000", "<td>latency p99</td><td>501 ms</td>", "99.9 %", "hone load report before.hone",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Names, targets and notes come from files that others may have written.
func TestAHostileRecordingCannotInject(t *testing.T) {
	evil := `"><script>alert(1)</script><img src=x onerror=alert(2)>' onload='alert(3)</title></style>{{.}}`
	r := failedLoad(t)
	r.Header.Target, r.Header.Hone, r.Header.Machine.CPU = evil, evil, evil
	r.Header.Notes = []string{evil}
	r.Final.Doubts[0].Text, r.Final.Doubts[1].Text = evil, evil
	page := plotted(t, Plotted{evil, r}, Plotted{evil, openLoad(t)})
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts, want the page's own", n)
	}
	for _, bad := range []string{"<img", "</title></style>", `"><`} {
		if strings.Contains(page, bad+"script") || bad != `"><` && strings.Contains(page, bad) {
			t.Errorf("%q stands in the page unescaped", bad)
		}
	}
	// No attribute may come from it: outside of quotes no on... is left in any tag.
	for _, tag := range regexp.MustCompile(`<[a-zA-Z](?:[^>"]|"[^"]*")*>`).FindAllString(page, -1) {
		if regexp.MustCompile(`(?i)\son[a-z]+\s*=`).MatchString(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, "")) {
			t.Errorf("a handler got into %.200s", tag)
		}
	}
}

// A long test has more slices than a chart has room for: they are added up.
func TestALongTestIsDrawnInBoundedSpace(t *testing.T) {
	h := hdrhistogram.New(1, 1e9, 1)
	h.RecordValues(1e6, 3)
	packed, err := recording.Pack(load.Slice{Start: loadStart, Duration: time.Second, Service: h, Response: h, Lag: h, Live: 10,
		Counts: load.Counts{Scheduled: 3, Sent: 3, Answered: 3}})
	if err != nil {
		t.Fatal(err)
	}
	r := recording.New(loadHeader(load.OpenLoop(3, 1000*time.Second)))
	for i := range 1000 {
		packed.Offset = time.Duration(i) * time.Second
		r.Slices = append(r.Slices, packed)
	}
	page := plotted(t, Plotted{"long", r})
	if len(page) > 1<<20 {
		t.Errorf("the page takes %d bytes", len(page))
	}
	if rows := r.Timeline(plotRows); len(rows) > plotRows || rows[0].Answered != 9 {
		t.Errorf("%d rows, the first with %d answers", len(rows), rows[0].Answered)
	}
}
