package inputs

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/gohone/hone/internal/text/fail"
)

// endless has as many bytes as are asked for, and counts them.
type endless struct{ served int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.served += int64(len(p))
	return len(p), nil
}

// Every bound of the table refuses what is larger by one, says the bound and what to do, and reads no more than it
// must.
func TestEveryBound(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range All() {
		if b.Most <= 0 || b.Input == "" || b.From == "" || b.Next == "" || seen[b.Input+b.From+string(b.Unit)] ||
			b.Unit == "" {
			t.Errorf("%+v is not complete, or stands there twice", b)
		}
		seen[b.Input+b.From+string(b.Unit)] = true
		if err := b.Over("x", b.Most); err != nil {
			t.Errorf("%s: what is at the bound is refused: %v", b.Input, err)
		}
		err := b.Over("NAME", b.Most+1)
		verb := " has "
		if b.Unit == Seconds {
			verb = " takes longer than "
		}
		if fail.KindOf(err) != fail.BadInput || fail.HintOf(err) != b.Next ||
			!strings.Contains(err.Error(), b.Limit()) || !strings.HasPrefix(err.Error(), "NAME: the "+b.Input+verb) {
			t.Errorf("%s: %v, kind %d, hint %q", b.Input, err, fail.KindOf(err), fail.HintOf(err))
		}
		if b.Unit != Bytes {
			continue
		}
		from := &endless{}
		small := b
		small.Most = min(b.Most, 1<<20)
		all, err := small.ReadAll("NAME", from)
		var large *TooLarge
		if !errors.As(err, &large) || int64(len(all)) != small.Most || from.served > small.Most+1 {
			t.Errorf("%s: %d of %d bytes, %d asked for: %v", b.Input, len(all), small.Most, from.served, err)
		}
	}
}

// What a user names need be no file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	b := Bound{"note", "tests", 8, Bytes, "write less"}
	write := func(name, text string) string {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	for _, c := range []struct{ name, want, refusal string }{
		{write("empty", ""), "", ""},
		{write("full", "12345678"), "12345678", ""},
		{write("over", "123456789"), "", "over: the note has 9 bytes, and at most 8 bytes are read"},
		{at("none"), "", "no such file"},
		{dir, "", "is a directory"},
		{os.DevNull, "", ""},
		{"/dev/zero", "", "/dev/zero: the note has more than 8 bytes"},
	} {
		got, err := b.ReadFile(c.name)
		if c.refusal == "" && (err != nil || string(got) != c.want) ||
			c.refusal != "" && (err == nil || !strings.Contains(err.Error(), c.refusal)) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if err != nil && fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: kind %d", c.name, fail.KindOf(err))
		}
	}
}

// A pipe is read to the end of its writer, also one that comes late, and is bounded.
func TestPipes(t *testing.T) {
	b := Bound{"note", "tests", 8, Bytes, "write less"}
	for text, want := range map[string]string{"1234": "1234", "123456789": ""} {
		name := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
		wrote := make(chan error, 1)
		f, err := b.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		go func() { // ends when it has written, or the reader is gone
			w, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err == nil {
				_, err = io.Copy(w, iotest.OneByteReader(strings.NewReader(text)))
				err = errors.Join(err, w.Close())
			}
			wrote <- err
		}()
		got, err := io.ReadAll(f)
		if want != "" && (err != nil || string(got) != want) || want == "" && err == nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
		if err := errors.Join(f.Close(), <-wrote); err != nil && want != "" {
			t.Error(err)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "plain \u00e9": "plain \u00e9",
		"\xef\xbb\xbfmark":                         "mark",
		"\xef\xbb":                                 "\xef\xbb",
		"\xff\xfea\x00\n\x00\xe9\x00":              "a\n\u00e9",
		"\xfe\xff\x00a\x26\x3a":                    "a\u263a",
		"\xff\xfe\x3d\xd8\x00\xde":                 "\U0001F600",
		"\xff\xfe\x3d\xd8a\x00":                    "\uFFFDa",
		"\xff\xfea\x00b":                           "a\uFFFD",
		"\xff\xfe" + strings.Repeat("x\x00", 5000): strings.Repeat("x", 5000),
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			got, err := io.ReadAll(Text(r))
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%q: %q, %v, want %q", text, got, err, want)
			}
		}
	}
}

func TestAmounts(t *testing.T) {
	for n, want := range map[int64]string{5: "5 bytes", 4 << 10: "4 KiB", 1536 << 10: "1.5 MiB", 5 << 30: "5 GiB"} {
		if got := (Bound{Unit: Bytes}).amount(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	if got := (Bound{Unit: Names}).amount(1234567); got != "1,234,567 names" {
		t.Error(got)
	}
}
