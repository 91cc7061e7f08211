package advice

import (
	"strings"
	"testing"
)

// The finding says what the source of the recorded run has.
func TestAFindingSaysWhereFlushIsDeferred(t *testing.T) {
	all := find(t, recordedView(t, "ladder", "framed-buffered-noflush.view")).Findings
	want := "line 22 makes a bufio.Writer. Flush is only deferred to the end of the function: line 23"
	if got := all[0].Evidence[1].Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Calls that read at a place of a file are reads, too: many small ones side by side are named; one, or large ones, are
// not.
func TestReadsAtAPlace(t *testing.T) {
	const text = "package m\n\nfunc load(f file) {\n\tfor i := range 20 {\n\t\tf.ReadAt(row[:], int64(i))\n\t}\n}\n"
	const stack = "internal/runtime/syscall.Syscall6 < syscall.Syscall6 < syscall.pread < syscall.Pread < " +
		"internal/poll.(*FD).Pread < os.(*File).ReadAt < " + user + ".load@/src/a.go:5 < net/http.(*conn).serve"
	for name, c := range map[string]struct {
		reads, bytes float64
		want         string
	}{
		"small":     {20, 20 * 16, "unbuffered-reads"},
		"large":     {20, 20 * 64 << 10, ""},
		"one for a": {1, 16, ""},
	} {
		v := cpuView(t, map[string]string{"a.go": text}, map[string]int64{stack: 400, "runtime.mcall": 600})
		v.Numbers.Reads, v.Numbers.ReadBytes, v.Numbers.Depth = c.reads, c.bytes, 1
		said := ""
		for _, f := range find(t, v).Findings {
			if f.Rule == "unbuffered-reads" {
				said = f.Rule
				if !strings.Contains(f.Change, "block of the file") {
					t.Errorf("%s: %s", name, f.Change)
				}
			}
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}

// A copy from a file reads it, whatever the method is called.
func TestWhatChangesAFile(t *testing.T) {
	for title, want := range map[string]bool{
		"os.(*File).WriteTo, by way of io.Copy, runs for each request": false, "os.ReadFile runs for each request": false,
		"os.(*File).Write runs for each request": true, "os.(*File).Sync runs for each request": true,
	} {
		if got := writesFile(title); got != want {
			t.Errorf("%s: writes %t, want %t", title, got, want)
		}
	}
}

// A file or a directory that is what the request asks for is opened for the answer. One that is read again to be parsed
// is still found, and a list of names has a remedy of its own.
func TestAFileThatIsTheAnswer(t *testing.T) {
	const head = "package m\n\nimport (\n\t\"io\"\n\t\"io/ioutil\"\n\t\"net/http\"\n\t\"os\"\n)\n\n" +
		"func work(w http.ResponseWriter, r *http.Request) {\n"
	const open = "os.openFileNolog < os.OpenFile < os.Open"
	const list = "os.Lstat < os.(*unixDirent).Info < io/ioutil.ReadDir"
	const served, kept = " < net/http.serveFile < net/http.ServeFile", "Keep files open"
	for body, c := range map[string]struct{ call, change string }{
		"http.ServeFile(w, r, r.URL.Path)":                              {open + served, ""},
		"f, err := os.Open(r.URL.Path); io.Copy(w, f)":                  {open, ""},
		"f, err := os.Open(\"rules\"); data, err := io.ReadAll(f)":      {open, kept},
		"data, err := os.ReadFile(\"rules\"); parse(data)":              {"os.Open < os.ReadFile", kept},
		"all, err := ioutil.ReadDir(\"d\"); print(all[0].Name())":       {list, "os.ReadDir gives both"},
		"all, err := ioutil.ReadDir(\"d\"); print(all[0].Size())":       {list, ""},
		"all, err := os.ReadDir(\"d\"); print(all)":                     {"os.Open < os.ReadDir", kept},
		"all, err := os.ReadDir(r.URL.Path); io.WriteString(w, all[0])": {"os.Open < os.ReadDir", ""},
	} {
		v := cpuView(t, map[string]string{"a.go": head + strings.ReplaceAll(body, "; ", "\n") + "\n}\n"},
			map[string]int64{c.call + " < " + user + ".work@/src/a.go:11 < net/http.(*conn).serve": 400, "runtime.mcall": 600})
		said := ""
		for _, f := range find(t, v).Findings {
			said = f.Change
		}
		if c.change == "" && said != "" || !strings.Contains(said, c.change) {
			t.Errorf("%s: %q", body, said)
		}
	}
}

// A file that a helper opens is the answer where its caller serves it, and a finding where it does not.
func TestAFileThatAHelperOpens(t *testing.T) {
	const text = "package m\n\nimport \"os\"\n\nfunc open(name string) (*os.File, error) {\n\tf, err := os.Open(name)\n" +
		"\treturn f, err\n}\n"
	const serve, root = user + ".serve@/src/b.go:7", " < net/http.(*conn).serve"
	for caller, want := range map[string]string{serve: "", user + ".other@/src/b.go:20": "file-per-request"} {
		v := cpuView(t, map[string]string{"a.go": text}, map[string]int64{
			"os.openFileNolog < os.Open < " + user + ".open@/src/a.go:6 < " + caller + root: 300,
			"io.Copy < net/http.serveContent < net/http.ServeContent < " + serve + root:     100,
			"runtime.mcall": 600,
		})
		said := ""
		for _, f := range find(t, v).Findings {
			said = f.Rule
		}
		if said != want {
			t.Errorf("%s: %q", caller, said)
		}
	}
}
