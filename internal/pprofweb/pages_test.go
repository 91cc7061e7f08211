package pprofweb

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/prof"
)

// Every page answers, below its path, with the menu of this site.
func TestPages(t *testing.T) {
	atHome(t)
	t.Setenv("PATH", t.TempDir()) // without dot
	url := serve(t, Profile{Capture: capture("work.go", 300, 100), Sources: texts{"work.go": workSource}}, Profile{Capture: heap(t)})
	wantPage(t, url+"/", 200, `href="/cpu/"`, `href="/heap/flamegraph"`, "run 1", "300 ns in 100 requests")
	for _, page := range []string{"flamegraph", "top", "peek"} {
		wantPage(t, url+"/cpu/"+page+"?f=work", 200, "main.work", "&#8249; cpu</a>", "#save-config")
		wantPage(t, url+"/heap/"+page, 200, "&#8249; heap</a>")
	}
	wantPage(t, url+"/cpu/graph", 501, "which is not installed", "hone profile graph")
	wantPage(t, url+"/cpu/disasm?f=work", 501, "hone profile disasm", `href="/cpu/top?f=work"`)
	wantPage(t, url+"/cpu/top?f=%28", 400, "missing closing", `href="/cpu/flamegraph`)
	wantPage(t, url+"/cpu/top?si=none", 400, "sample_index")
	wantPage(t, url+"/cpu/source?si=none", 400, "sample_index")
	for _, path := range []string{"/none", "/cpu/none", "/cpu/top/more", "/allocs/"} {
		wantPage(t, url+path, 404)
	}
	for from, to := range map[string]string{"/cpu": "/cpu/", "/cpu/": "flamegraph", "/heap/?si=alloc_space": "flamegraph?si=alloc_space"} {
		if answer, _ := get(t, url+from); answer.Header.Get("Location") != to || answer.StatusCode/100 != 3 {
			t.Errorf("%s leads to %q (%s), want %q", from, answer.Header.Get("Location"), answer.Status, to)
		}
	}
	if answer, body := ask(t, http.MethodHead, url+"/cpu/top"); answer.StatusCode != 200 || body != "" {
		t.Errorf("HEAD: %s, %d bytes", answer.Status, len(body))
	}
}

// Where there is dot the graph is pprof's.
func TestGraph(t *testing.T) {
	atHome(t)
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "dot"), []byte("#!/bin/sh\necho '<svg><g id=\"drawn\"></g></svg>'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools)
	wantPage(t, serve(t, Profile{Capture: capture("work.go", 300, 100)})+"/cpu/graph", 200, `<g id="drawn">`, "&#8249; cpu</a>")
}

// pprof writes settings on a GET, and could write profiles; here nothing is written.
func TestNothingIsWritten(t *testing.T) {
	dir := atHome(t)
	url := serve(t, Profile{Capture: capture("work.go", 300, 100)})
	for _, method := range []string{"GET", "POST", "DELETE"} {
		for _, page := range []string{"saveconfig", "deleteconfig"} {
			if answer, _ := ask(t, method, url+"/cpu/"+page+"?config=mine&f=x"); answer.StatusCode != 404 && answer.StatusCode != 405 {
				t.Errorf("%s %s: %s", method, page, answer.Status)
			}
		}
	}
	for _, page := range []string{"", "cpu/flamegraph", "cpu/top", "cpu/graph", "cpu/peek", "cpu/source", "cpu/disasm", "cpu/download"} {
		get(t, url+"/"+page)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("written: %v, %v", entries, err)
	}
}

// What is downloaded is the capture, with what it says of itself.
func TestDownload(t *testing.T) {
	atHome(t)
	answer, body := get(t, serve(t, Profile{Capture: capture("work.go", 300, 100)})+"/cpu/download")
	c, err := prof.ReadCapture(strings.NewReader(body), prof.Limits{})
	if err != nil || c.Kind != "cpu" || c.Operations != 100 || c.Profile.Mapping[0].BuildID != "cafe" {
		t.Errorf("%+v, %v", c, err)
	}
	if got := answer.Header.Get("Content-Disposition"); got != `attachment; filename="cpu.pb.gz"` {
		t.Error(got)
	}
}

// A difference is one for the same number of requests: 300 ns less twice 100 ns.
func TestDifference(t *testing.T) {
	atHome(t)
	base := capture("work.go", 100, 50)
	run := Profile{Capture: capture("work.go", 300, 100), Sources: texts{"work.go": workSource}}
	diff := run
	diff.Base = &base
	url := serve(t, run, diff)
	wantPage(t, url+"/", 200, "Less those of run 0", "base times 2.00, for the same number of requests")
	wantPage(t, url+"/diff/cpu/peek?f=work", 200, "100ns 50.00%", "&#8249; diff/cpu</a>") // of the base's 200
	wantPage(t, url+"/diff/cpu/source?f=work", 200, "100 ns more than the base, which is 200 ns in all", "(50.0 %)")
	wantPage(t, url+"/diff/cpu/flamegraph", 200)
	wantPage(t, url+"/cpu/peek?f=work", 200, "300ns   100%")

	unknown := capture("work.go", 100, 0)
	diff.Base = &unknown
	url = serve(t, diff)
	wantPage(t, url+"/", 200, "how many requests it was for is not known")
	wantPage(t, url+"/diff/cpu/peek?f=work", 200, "200ns 200.00%")
}

// What became cheaper is less.
func TestDifferenceBelow(t *testing.T) {
	atHome(t)
	base := capture("work.go", 400, 100)
	url := serve(t, Profile{Capture: capture("work.go", 300, 100), Base: &base})
	wantPage(t, url+"/diff/cpu/source?f=work", 200, "100 ns less than the base, which is 400 ns in all", "(-25.0 %)")
}

// A profile without samples, as those of locks often are.
func TestNoSamples(t *testing.T) {
	atHome(t)
	c := capture("work.go", 300, 100)
	c.Profile.Sample = nil
	url := serve(t, Profile{Capture: c})
	wantPage(t, url+"/", 200, "0 ns in 100 requests")
	wantPage(t, url+"/cpu/flamegraph", 200)
	wantPage(t, url+"/cpu/top", 200)
	wantPage(t, url+"/cpu/peek", 400, "no matches found")
	wantPage(t, url+"/cpu/source", 400, "there are no samples")
}

// What a state is stays as it is, whatever the load.
func TestDifferenceOfStates(t *testing.T) {
	atHome(t)
	run, base := heap(t), heap(t)
	run.Operations, base.Operations = 100, 50
	url := serve(t, Profile{Capture: run, Base: &base})
	wantPage(t, url+"/", 200, "base as it is; what it allocated times 2.00")
}

func TestWhatCannotBeServed(t *testing.T) {
	atHome(t)
	cpu, state := capture("work.go", 300, 100), heap(t)
	for name, profiles := range map[string][]Profile{
		"two are called /cpu/":        {{Capture: cpu}, {Capture: cpu}},
		"no profile":                  {{Capture: prof.Capture{Kind: "cpu"}}},
		"no sample type is in both: ": {{Capture: cpu, Base: &state}},
		"the profile profile of run":  {{}},
	} {
		_, err := New("run 1", "run 0", profiles)
		if err == nil || !strings.Contains(err.Error(), name) || fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	if _, err := New("run 1", "", []Profile{{Capture: cpu}}); fail.ExitCode(err) != int(fail.Environment) {
		t.Errorf("without a home: %v", err)
	}
}

// A file says itself what kind it is, and it may say anything.
func TestKindOfAFile(t *testing.T) {
	atHome(t)
	c := capture("work.go", 300, 100)
	c.Kind = "../../{x}"
	wantPage(t, serve(t, Profile{Capture: c})+"/profile/top", 200, "main.work")
}

// The profiles that pages are made of stay as they are.
func TestProfilesStay(t *testing.T) {
	atHome(t)
	base, run := capture("work.go", 100, 50), capture("work.go", 300, 100)
	var before, after bytes.Buffer
	for _, c := range []prof.Capture{base, run} {
		if err := c.Write(&before); err != nil {
			t.Fatal(err)
		}
	}
	url := serve(t, Profile{Capture: run}, Profile{Capture: run, Base: &base})
	get(t, url+"/diff/cpu/source?h=main.main")
	for _, c := range []prof.Capture{base, run} {
		if err := c.Write(&after); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("a profile was changed")
	}
}
