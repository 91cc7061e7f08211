package code

import (
	"fmt"
	"strings"
	"testing"
)

// served is a server whose loop has a body, and what stands before and after the loop.
func served(before, body, after string) string {
	return "package p\n\nimport (\n\t\"bufio\"\n\t\"net\"\n\t\"time\"\n)\n\nfunc serve(c net.Conn) error {\n" +
		"\tr, w := bufio.NewReader(c), bufio.NewWriter(c) // made\n" + before +
		"\tfor n := 1; ; n++ {\n\t\tline, err := r.ReadString(10) // reads\n\t\tif err != nil {\n" +
		"\t\t\treturn err\n\t\t}\n\t\tw.WriteString(line)\n" +
		body + "\t}\n" + after + "}\n"
}

// Each sentence is true of its source: no Flush, one that runs at the end, one that is not taken each time.
// Where the source
// flushes before it waits, or may do so, nothing is said.
func TestWhatIsInsteadOfAFlush(t *testing.T) {
	const deferred, ending, outside = "Flush is only deferred to the end of the function: line %d",
		"Flush is only called where the function returns: line %d",
		"Flush is only called outside the loop that answers: line %d"
	for name, c := range map[string]struct{ source, want string }{
		"none":     {served("", "", ""), "No line of the package calls Flush on it"},
		"deferred": {served("\tdefer w.Flush() // flush\n", "", ""), deferred},
		"deferred literal": {
			served("\tdefer func() {\n\t\tw.Flush() // flush\n\t\tc.Close()\n\t}()\n", "", ""),
			deferred,
		},
		"deferred helper": {served("\tdefer finish(c, w) // flush\n", "", "") +
			"func finish(c net.Conn, w *bufio.Writer) { w.Flush(); c.Close() }\n", deferred},
		"goroutine": {"package p\n\nimport (\n\t\"bufio\"\n\t\"net\"\n)\n\n" +
			"func accept(ln net.Listener) {\n\tfor {\n\t\tc, _ := ln.Accept()\n" +
			"\t\tgo func() {\n\t\t\tw := bufio.NewWriter(c) // made\n\t\t\tdefer w.Flush() // flush\n" +
			"\t\t\tfor {\n\t\t\t\tw.WriteByte(1) // reads\n\t\t\t}\n\t\t}()\n\t}\n}\n", deferred},
		"before an error": {
			served("", "\t\tif line == \"quit\" {\n\t\t\tw.Flush() // flush\n\t\t\treturn nil\n\t\t}\n", ""),
			ending,
		},
		"with the return": {
			served("", "\t\tif line == \"quit\" {\n\t\t\treturn w.Flush() // flush\n\t\t}\n", ""),
			ending,
		},
		"in a case": {
			served("", "\t\tswitch line {\n\t\tcase \"quit\":\n\t\t\tw.Flush() // flush\n\t\t\treturn nil\n"+
				"\t\t}\n", ""),
			ending,
		},
		"greeting": {served("\tw.WriteString(\"hello\")\n\tw.Flush() // flush\n", "", ""), outside},
		"after the loop": {
			served("", "\t\tif line == \"quit\" {\n\t\t\tbreak\n\t\t}\n", "\treturn w.Flush() // flush\n"),
			ending,
		},
		"counted": {served("", "\t\tif n%64 == 0 {\n\t\t\tw.Flush() // flush\n\t\t}\n", ""),
			"Flush is only called in a branch: line %d, if n % 64 == 0"},
		"counter": {served("", "\t\tif n > 64 {\n\t\t\tw.Flush() // flush\n\t\t}\n", ""),
			"Flush is only called in a branch: line %d, if n > 64"},
		"full": {served("\tdefer w.Flush()\n", "\t\tif w.Buffered() > 1000 {\n\t\t\tw.Flush() // flush\n\t\t}\n", ""),
			"Flush is only called in a branch: line %d, if w.Buffered() > 1000"},
		"aged": {served("\tlast := time.Now()\n", "\t\tif time.Since(last) > time.Second {\n"+
			"\t\t\tw.Flush() // flush\n\t\t}\n", ""),
			"Flush is only called in a branch: line %d, if time.Since(last) > time.Second"},
		"another's": {served("", "", "") + "func other(c net.Conn) {\n\tw := bufio.NewWriter(c)\n\tfor {\n" +
			"\t\tw.Flush()\n\t}\n}\n",
			"No line of the package calls Flush on it"},
		"a queue's length": {
			served("\tvar queue []string\n", "\t\tif n >= len(queue) {\n\t\t\tw.Flush()\n\t\t}\n", ""),
			"",
		},
		"session": {"package p\n\nimport (\n\t\"bufio\"\n\t\"net\"\n)\n\nfunc serve(c net.Conn) {\n" +
			"\tw := bufio.NewWriter(c) // made\n\tdefer w.Flush() // flush\n" +
			"\tsession(w) // reads\n}\n\nfunc session(w *bufio.Writer) {\n\tfor {\n\t\tw.WriteByte(1)\n\t}\n" +
			"}\n", deferred},
		"field": {fields("", "c.w.Flush()"), deferred},

		"each": {served("", "\t\tw.Flush()\n", ""), ""},
		"with an error": {
			served("", "\t\tif err := w.Flush(); err != nil {\n\t\t\treturn err\n\t\t}\n", ""),
			"",
		},
		"when nothing waits": {
			served("\tdefer w.Flush()\n", "\t\tif r.Buffered() == 0 {\n\t\t\tw.Flush()\n\t\t}\n", ""),
			"",
		},
		"unless more waits": {
			served("", "\t\tif r.Buffered() > 0 {\n\t\t\tcontinue\n\t\t}\n\t\tw.Flush()\n", ""),
			"",
		},
		"by a helper": {
			served("", "\t\tanswer(w)\n"+
				"", "") + "func answer(w *bufio.Writer) error { w.WriteByte(1); return w.Flush() }\n",
			"",
		},
		"by another goroutine": {
			served("\tgo func() {\n\t\tfor range time.Tick(time.Millisecond) {\n\t\t\tw.Flush()\n\t\t}\n"+
				"\t}()\n", "", ""),
			"",
		},
		"by a method value": {
			served("\ttime.AfterFunc(time.Second, func() {})\n\tf := w.Flush\n", "\t\tf()\n", ""),
			"",
		},
		"by a field's method": {
			fields("func (c *conn) answer() error { c.w.WriteByte(1); return c.w.Flush() }\n", "c.w.Flush()"),
			"",
		},
		"deferred in a closure for each": {
			served("", "\t\tfunc() {\n\t\t\tdefer w.Flush()\n\t\t\tw.WriteByte(1)\n\t\t}()\n", ""),
			"",
		},
		"one answer a function": {"package p\n\nimport (\n\t\"bufio\"\n\t\"io\"\n)\n\n" +
			"func page(o io.Writer, rows []string) {\n\tw := bufio.NewWriter(o)\n\tdefer w.Flush()\n" +
			"\tfor _, row := range rows {\n\t\tw.WriteString(row) // reads\n\t}\n}\n", ""},
	} {
		f, marks := parsed(t, c.source)
		line := marks["reads"]
		made, instead := f.Unflushed(line)
		want := strings.Replace(c.want, "%d", fmt.Sprint(marks["flush"]), 1)
		if instead != want || (made != 0) != (want != "") || made != 0 && made != marks["made"] {
			t.Errorf("%s: made in line %d, %q; want line %d, %q\n"+
				"%s", name, made, instead, marks["made"], want, c.source)
		}
	}
}

// fields is a server whose connection has the writer in a field.
func fields(methods, deferred string) string {
	return "package p\n\nimport (\n\t\"bufio\"\n\t\"net\"\n)\n\ntype conn struct {\n\tr *bufio.Reader\n" +
		"\tw *bufio.Writer\n}\n\n" + methods +
		"func serve(n net.Conn) {\n\tc := &conn{r: bufio.NewReader(n), w: bufio.NewWriter(n)} // made\n" +
		"\tdefer " + deferred + " // flush\n" +
		"\tfor {\n\t\tc.r.ReadByte() // reads\n\t}\n}\n"
}
