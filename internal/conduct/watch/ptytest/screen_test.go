package ptytest

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func newScreen(t *testing.T, width, height int) *Screen {
	s := NewScreen(width, height)
	t.Cleanup(s.Close)
	return s
}

func TestScreenUnderstands(t *testing.T) {
	for _, c := range []struct{ name, writes, want string }{
		{"letters and lines", "ab\r\ncd", "ab\ncd\n"},
		{"wrapping", "abcdefg", "abcde\nfg\n"},
		{"a full line stays", "abcde\r\nf", "abcde\nf\n"},
		{"scrolling", "1\r\n2\r\n3\r\n4", "2\n3\n4"},
		{"moving", "\x1b[2;3Hx\x1b[Ay\x1b[3Dz\x1b[1Gw", "wz y\n  x\n"},
		{"erasing", "abcde\x1b[1;3H\x1b[K\x1b[2;1Hxyz\x1b[1K", "ab\n\n"},
		{"characters in and out", "abcd\x1b[1;2H\x1b[P\x1b[1;1H\x1b[@\x1b[1;5H\x1b[X", " acd\n\n"},
		{"a region", "1\r\n2\r\n3\x1b[2;3r\x1b[3;1H\n4", "1\n3\n4"},
		{"reverse index", "1\r\n2\x1b[H\x1bM0", "0\n1\n2"},
		{"letters of many bytes", "▁█", "▁█\n\n"},
		{"colours and strings", "\x1b[1;38;5;39ma\x1b[m\x1b]11;?\x07b\x1b]0;t\x1b\\c", "abc\n\n"},
		{"repeating", "x\x1b[3b", "xxxx\n\n"},
	} {
		for _, chunk := range []int{1, len(c.writes)} { // cut anywhere
			s := newScreen(t, 5, 3)
			for i := 0; i < len(c.writes); i += chunk {
				_, _ = s.Write([]byte(c.writes[i:min(i+chunk, len(c.writes))]))
			}
			if got := s.Text(); got != c.want || len(s.Unknown()) > 0 {
				t.Errorf("%s: %q, want %q; unknown %q", c.name, got, c.want, s.Unknown())
			}
		}
	}
}

func TestScreenModes(t *testing.T) {
	s := newScreen(t, 5, 3)
	_, _ = s.Write([]byte("before\x1b[?1049h\x1b[?25l\x1b[Hwithin"))
	if s.Restored() || !s.Alternate() {
		t.Error("the alternate screen is not seen")
	}
	_, _ = s.Write([]byte("\x1b[?1049l\x1b[?25h"))
	if !s.Restored() {
		t.Error("the normal screen is not seen")
	}
	if got := s.Text(); got != "befor\ne\n" {
		t.Errorf("what was there before is %q", got)
	}
}

func FuzzScreen(f *testing.F) {
	f.Add([]byte("a\x1b[2;9999Hb\x1b[99999999999999999999A\x1b[3r\x1b[9L\x1b[9P"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newScreen(t, 7, 4)
		_, _ = s.Write(text)
		lines := strings.Split(s.Text(), "\n")
		if len(lines) != 4 {
			t.Fatalf("%d lines", len(lines))
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > 7 {
				t.Fatalf("a line of %d cells", ansi.StringWidth(line))
			}
		}
	})
}
