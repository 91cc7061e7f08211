package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAnEditorSeesFindingsAndCosts(t *testing.T) {
	e, l := open(t, source)
	addRun(t, l, 60)
	e.begin()
	p := e.published()
	if p.URI != e.uri() || len(p.Diagnostics) != 2 {
		t.Fatalf("%+v", p)
	}
	d := p.Diagnostics[0]
	if d.Range != (textRange{position{3, 1}, position{3, 17}}) || d.Severity != severityWarning || d.Source != "hone" ||
		d.Code == "" ||
		!strings.Contains(d.Message, "; costs 1.20 us, 60 % of a request's CPU time; ") {
		t.Errorf("%+v", d)
	}
	titles := e.lenses()
	if len(titles) != 4 || titles[3] != "60 % of CPU, 1.20 us per request" ||
		titles[6] != "40 % of CPU, 800 ns per request, with all that the function calls" {
		t.Errorf("%v", titles)
	}

	addRun(t, l, 99) // a new run is seen without a message of the editor
	if p := e.published(); len(p.Diagnostics) != 1 ||
		!strings.Contains(p.Diagnostics[0].Message, ", 99 % of a request's CPU time") {
		t.Errorf("%+v", p)
	}
	if r := e.read(); r.Method != "workspace/codeLens/refresh" || len(r.ID) == 0 {
		t.Errorf("%+v", r)
	}
	e.say(`{"jsonrpc":"2.0","id":"hone-2","result":null}`)
	e.notify("textDocument/didClose", e.document())
	if err := e.quit(); err != nil {
		t.Error(err)
	}
}

// The first run may come after the start of the server.
func TestTheFirstRunIsSeen(t *testing.T) {
	e, l := open(t, source)
	e.begin()
	if titles := e.lenses(); len(titles) != 0 {
		t.Errorf("without a run: %v", titles)
	}
	addRun(t, l, 60)
	if p := e.published(); len(p.Diagnostics) == 0 {
		t.Errorf("%+v", p)
	}
}

// Where the text that was measured is known, a finding follows its line, and goes when the text of the line changes.
func TestFindingsFollowTheirLines(t *testing.T) {
	e, l := open(t, source)
	addRun(t, l, 99)
	e.begin()
	e.published()
	save := func(text string) []diagnostic {
		e.write(text)
		e.notify("textDocument/didSave", e.document())
		return e.published().Diagnostics
	}
	if all := save("// A comment.\n\n" + source); len(all) != 1 || all[0].Range.Start != (position{5, 1}) ||
		strings.Contains(all[0].Message, "changed") {
		t.Errorf("moved: %+v", all)
	}
	if all := save(strings.Replace(source, "spin(100)", "spin(99)", 1)); len(all) != 0 {
		t.Errorf("changed: %+v", all)
	}
	if all := save("// A comment.\n" + source + "\treturn spin(100)\n"); len(all) != 0 {
		t.Errorf("twice: %+v", all)
	}
	if err := os.Remove(filepath.Join(e.root, "work.go")); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didOpen", e.document())
	if all := e.published().Diagnostics; len(all) != 0 {
		t.Errorf("gone: %+v", all)
	}
}

// Where only the present text is known, the message says that the file changed after the run.
func TestChangedFilesAreNamed(t *testing.T) {
	e, l := open(t, "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(e.root, "work.go"), old, old); err != nil {
		t.Fatal(err)
	}
	addRun(t, l, 99)
	e.begin()
	if all := e.published().Diagnostics; len(all) != 1 || strings.Contains(all[0].Message, "changed") {
		t.Errorf("%+v", all)
	}
	young := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(e.root, "work.go"), young, young); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didSave", e.document())
	if all := e.published().Diagnostics; len(all) != 1 ||
		!strings.HasSuffix(all[0].Message, "; the file changed after the run, so this may be another line") {
		t.Errorf("%+v", all)
	}
}

// A wrong message has an error with its code, and the next one has its answer.
func TestWrongMessagesAreRefused(t *testing.T) {
	e, l := open(t, source)
	addRun(t, l, 60)
	refused := func(code int, text string) {
		t.Helper()
		e.say(text)
		for {
			r := e.read()
			if r.Method != "" {
				continue
			}
			if r.Error == nil || r.Error.Code != code || r.Error.Message == "" {
				t.Errorf("%.60s: %+v, want %d", text, r.Error, code)
			}
			return
		}
	}
	refused(notInitialized, `{"jsonrpc":"2.0","id":1,"method":"textDocument/codeLens","params":{}}`)
	refused(invalidParams, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"https://example.com/"}}`)
	refused(invalidParams, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	e.begin()
	e.published()
	refused(parseError, `{"jsonrpc":`)
	refused(parseError, ``)
	refused(invalidRequest, `[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`)
	refused(invalidRequest, `{"jsonrpc":"2.0","id":{},"method":"shutdown"}`)
	refused(invalidRequest, `{"jsonrpc":"2.0","id":1,"method":7}`)
	refused(invalidRequest, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	refused(methodNotFound, `{"jsonrpc":"2.0","id":"a","method":"workspace/executeCommand","params":{}}`)
	refused(invalidParams, `{"jsonrpc":"2.0","id":1,"method":"textDocument/codeLens","params":[7]}`)
	refused(invalidRequest, `"`+strings.Repeat("x", mostMessage)+`"`)
	e.notify("textDocument/didOpen", `{"textDocument":7}`)
	e.notify("$/setTrace", `{}`)
	for _, uri := range []string{"file:///etc/passwd", "file://" + e.root + "/../work.go",
		"https://example.com/work.go", "%", ""} {
		if r := e.ask("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)); r.Error != nil ||
			string(r.Result) != "[]" {
			t.Errorf("%s: %v %s", uri, r.Error, r.Result)
		}
	}
	if titles := e.lenses(); len(titles) != 4 {
		t.Errorf("%v", titles)
	}
	if r := e.ask("shutdown", "null"); r.Error != nil {
		t.Error(r.Error)
	}
	refused(invalidRequest, `{"jsonrpc":"2.0","id":1,"method":"textDocument/codeLens","params":{}}`)
}

// The end of the editor is an end; a message that is cut off, and exit without shutdown, are errors.
func TestEnds(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Content-Length: 9\r\n\r\n{}": "cut off", "Content-Length: 9\r\n": "cut off",
		"Length: 9\r\n\r\n": "no Content-Length",
		"Content-Length: 33\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`: "without shutdown",
	} {
		err := New(Config{}).Serve(t.Context(), strings.NewReader(text), io.Discard)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// No bytes make the reader panic or take more memory than came. What it accepts, it reads again from what writeFrame
// makes of it.
func FuzzReadFrame(f *testing.F) {
	for _, text := range []string{
		"Content-Length: 2\r\n\r\n{}", "content-length:2\n\n{}", "Content-Length: 4611686018427387904\r\n\r\n{}",
		"Content-Length: -1\r\n\r\n",
		"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "Content-Length: 99\r\n\r\n{}", "no colon\r\n\r\n",
		"\r\n\r\n", strings.Repeat("a", 5000), "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := bufio.NewReader(bytes.NewReader(text))
		content, err := readFrame(r)
		if err != nil {
			if content != nil {
				t.Errorf("%v, and %q", err, content)
			}
			return
		}
		var again bytes.Buffer
		if err := writeFrame(&again, content); err != nil {
			t.Fatal(err)
		}
		back := bufio.NewReader(&again)
		if got, err := readFrame(back); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%q became %q, %v", content, got, err)
		}
		if _, err := readFrame(back); !errors.Is(err, io.EOF) {
			t.Errorf("after the last: %v", err)
		}
		_, _ = parse(content)
	})
}
