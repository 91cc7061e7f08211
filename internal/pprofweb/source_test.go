package pprofweb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

func TestSource(t *testing.T) {
	atHome(t)
	url := serve(t, Profile{Capture: capture("work.go", 300, 100), Sources: texts{"work.go": workSource}})
	wantPage(t, url+"/cpu/source?f=work", 200,
		"<h2>main.work</h2>", "300 ns itself, 300 ns with what it calls (100 %)", "the loop &amp; its &lt;costs&gt;",
		`<td class="number">8</td>`, `<input name="f" value="work"`, `href="/cpu/peek?f=work"`)
	wantPage(t, url+"/cpu/source", 200, "The functions that cost most by themselves", "main.main", "work()")
	wantPage(t, url+"/cpu/source?f=work&si=samples&h=main.main&prunefrom=x", 200,
		"samples: 300 of 300", "prunefrom changes nothing here", `<input type="hidden" name="si" value="samples">`)
	wantPage(t, url+"/cpu/source?f=work&i=none", 200, "The expression of ignore matched nothing")
	wantPage(t, url+"/cpu/source?f=absent", 400, "no function matches")
	for _, bad := range []string{"f=%28", "h=%28", "tf=%28", "ti=%28"} {
		wantPage(t, url+"/cpu/source?"+bad, 400, "missing closing")
	}
	wantPage(t, serve(t, Profile{Capture: capture("work.go", 300, 100)})+"/cpu/source", 200, "no source: no place to look for source")
}

// Whatever file a profile names, none is read but those of Sources; pprof's own page
// would print it.
func TestFilesOutsideAreNotRead(t *testing.T) {
	dir := atHome(t)
	secret := filepath.Join(dir, "secret.go")
	if err := os.WriteFile(secret, []byte(strings.Repeat("password\n", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, name := range []string{secret, "secret.go", "./secret.go", "/proc/self/cwd/secret.go", "/else/" + filepath.Base(dir) + "/secret.go"} {
		url := serve(t, Profile{Capture: capture(name, 300, 100), Sources: texts{}})
		for _, page := range []string{"flamegraph", "top", "graph", "peek", "source", "disasm", "download"} {
			for _, query := range []string{"", "?f=work", "?f=secret", "?f=work&g=lines", "?f=work&source_path=" + dir, "?f=work&output=x"} {
				if _, body := get(t, url+"/cpu/"+page+query); strings.Contains(body, "password") {
					t.Errorf("%s: %s%s shows it", name, page, query)
				}
			}
		}
		wantPage(t, url+"/cpu/source?f=work", 200, "no source: EOF")
	}
}

// counted counts how often files are asked for.
type counted struct{ asked int }

func (c *counted) Source(string) ([]byte, error) {
	c.asked++
	return []byte("package p\n\nfunc f() {}\n"), nil
}

// A page reads each file once, few files, and shows few functions.
func TestSourceIsBounded(t *testing.T) {
	atHome(t)
	c := capture("work.go", 300, 100)
	p := c.Profile
	for i := range 200 {
		id := uint64(10 + i)
		f := &profile.Function{ID: id, Name: fmt.Sprintf("many.f%d", i), Filename: fmt.Sprintf("file%d.go", i/2)}
		l := &profile.Location{ID: id, Address: id, Line: []profile.Line{{Function: f, Line: 3}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{1, int64(1000 - i)}})
	}
	files := &counted{}
	url := serve(t, Profile{Capture: c, Sources: files})
	wantPage(t, url+"/cpu/source?f=many", 200, "The first 50 of 200 functions", "func f() {}")
	if files.asked != maxFiles {
		t.Errorf("%d files were asked for, want %d", files.asked, maxFiles)
	}
	if _, body := get(t, url+"/cpu/source"); strings.Count(body, "<h2>") != dearestShown {
		t.Errorf("%d functions are shown to who names none", strings.Count(body, "<h2>"))
	}
}
