package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestHiddenCharactersAreWritten(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{"plain text\twith a tab\nand a line\n", "plain text\twith a tab\nand a line\n"},
		{"Größe µs 漢字 █░ 🙂 e\u0301 \ufffd", "Größe µs 漢字 █░ 🙂 e\u0301 \ufffd"},
		{"\x1b[2J", `\u001b[2J`},
		{"over\rwrite\b\x00\x07\x7f", `over\u000dwrite\u0008\u0000\u0007\u007f`},
		{"\u009b31m", `\u009b31m`}, // CSI in one character
		{"\x9b31m", `\x9b31m`},     // and in one byte
		{"\xc3", `\xc3`},           // a beginning without an end
		{"\xc3(", `\xc3(`},
		{"\xf0\x9f\x99", `\xf0\x9f\x99`},
		{"\xed\xa0\x80", `\xed\xa0\x80`}, // half a surrogate
		{"user\u202ecod.exe", `user\u202ecod.exe`},
		{"\u2066a\u2069\u200e\u200f\u061c", `\u2066a\u2069\u200e\u200f\u061c`},
		{"pass\u200bword\u00ad\u2060\ufeff", `pass\u200bword\u00ad\u2060\ufeff`},
		{"a\u2028b\u2029c\u0085", `a\u2028b\u2029c\u0085`},
		{"\u3164\u115f\uffa0", `\u3164\u115f\uffa0`},
		{"\U000e0041", `\udb40\udc41`}, // a tag character
	} {
		if got := Text(row.text); got != row.want {
			t.Errorf("Text(%q) = %q, want %q", row.text, got, row.want)
		}
	}
	if got := Line("a\nb\tc\x1b"); got != `a b c\u001b` {
		t.Errorf("Line: %q", got)
	}
}

// What encoding/json leaves in strings is escaped, and means the same afterwards.
func TestJSONMeansTheSame(t *testing.T) {
	value := map[string]string{"a\x1b\u009b": "\x7f\u009b31m \u202e \U000e0041 \u2028 \\u001b \" ö \n"}
	text, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	clean := Text(string(text))
	var back map[string]string
	if err := json.Unmarshal([]byte(clean), &back); err != nil || fmt.Sprint(back) != fmt.Sprint(value) {
		t.Errorf("%q (%v), want %q", back, err, value)
	}
	wantClean(t, clean)
}

// Several goroutines write whole texts.
func TestWritersTogether(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 100 {
				fmt.Fprint(w, "one \x1bline\n")
			}
		})
	}
	writers.Wait()
	if want := strings.Repeat(`one \u001bline`+"\n", 400); out.String() != want {
		t.Errorf("%d bytes, want %d", out.Len(), len(want))
	}
}

func TestErrorsOfTheWriterBelow(t *testing.T) {
	full := errors.New("full")
	w := NewWriter(failing{full})
	for _, text := range []string{"clean", "\x1b"} {
		if n, err := w.Write([]byte(text)); n != 0 || !errors.Is(err, full) {
			t.Errorf("Write(%q) = %d, %v", text, n, err)
		}
	}
	if n, err := w.Write([]byte{0xc3}); n != 1 || err != nil {
		t.Errorf("half a character: %d, %v", n, err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("Close: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzWriter: however a text is split into writes, what arrives is Text of it, steers
// nothing, and is the text itself where that was clean.
func FuzzWriter(f *testing.F) {
	f.Add("plain\n", uint16(1))
	f.Add("\x1b]0;title\x07\x1b[31m", uint16(3))
	f.Add("\xc2\x9b \u202e \xf0\x9f\x99 \xe2\x80", uint16(0xaaaa))
	f.Fuzz(func(t *testing.T, text string, cuts uint16) {
		var out bytes.Buffer
		w := NewWriter(&out)
		rest := text
		for i := 0; rest != ""; i++ {
			n := min(len(rest), 1+int(cuts>>(i%16))%5)
			if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatalf("Write = %d, %v", got, err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != Text(text) {
			t.Fatalf("split %q, whole %q", out.String(), Text(text))
		}
		wantClean(t, out.String())
		if again := Text(out.String()); again != out.String() {
			t.Fatalf("%q is not clean: %q", out.String(), again)
		}
	})
}

// wantClean is a judgement of its own, by Unicode's categories.
func wantClean(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Fatalf("no UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Fatalf("%U in %q", r, text)
		}
	}
}
