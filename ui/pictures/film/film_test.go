package film

import (
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// states are the times and texts of the frames; "|" is between lines. They have no bars, and no blanks after a change
// of colour.
func states(f *Film) (all []string) {
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, frame := range f.frames {
		text := tags.ReplaceAllString(strings.Join(frame.lines[:], "|"), "")
		all = append(all, frame.at.String()+" "+strings.TrimRight(text, "|"))
	}
	return all
}

// What a command writes is shown five times as fast, but for half a second at least; half a state is not shown, and the
// end always is.
func TestPlay(t *testing.T) {
	f := New(5)
	f.show()
	f.play([]chunk{
		{ms(100), []byte("\rbuild ...")},
		{ms(200), []byte("\rstart ...")},
		{ms(9000), []byte("\x1b[1F\x1b[Jone\r\n")},
		{ms(9010), []byte("two\r\n")},
		{ms(9400), []byte("three\r\n")},
	}, ms(10_000))
	want := []string{"0s 0:00", "500ms 0:02|start ...", "1.802s 0:09|one|two", "2s 0:10|one|two|three"}
	if got := states(f); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("frames\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Commands run in a terminal of the film's size, after they were typed. One that fails is an error with what it wrote.
func TestRun(t *testing.T) {
	f := New(5)
	f.Type("stty size")
	if err := f.Run(exec.Command("sh", "-c", "stty size")); err != nil {
		t.Fatal(err)
	}
	f.Read(time.Second)
	got := states(f)
	if first, last := got[0], got[len(got)-1]; first != "0s 0:00|$" ||
		!strings.HasSuffix(last, "|$stty size|26 100|$") {
		t.Errorf("first frame %q, last %q", first, last)
	}
	err := f.Run(exec.Command("sh", "-c", "echo broken; exit 3"))
	if code := new(exec.ExitError); !errors.As(err, &code) || code.ExitCode() != 3 ||
		!strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
}

// Letters are text, bars are paths, and what a terminal shows in colour has its class.
func TestLine(t *testing.T) {
	f := New(1)
	f.write("a <b>  \x1b[1mbold\x1b[m \x1b[38;5;39m▄█\x1b[m\x1b[38;5;245m░\x1b[m \x1b[31mred\x1b[m")
	want := `<text x="0" y="17">a &lt;b&gt;</text><text x="70" y="17" class="c0">bold</text>` +
		`<path class="c1" d="M120 24V12h10V0h10V24z"/><path class="c2" opacity=".25" d="M140 24V0h10V24z"/><text x="160" y="17" class="c3">red</text>`
	if got := f.line(0, f.cells(0)); got != want {
		t.Errorf("line\n%s\nwant\n%s", got, want)
	}
	for css, class := range map[string]string{"font-weight:bold;": "c0", "fill:#00afff;": "c1", "fill:#8a8a8a;": "c2",
		"fill:" + basic[1] + ";": "c3"} {
		if f.colours[css] != class {
			t.Errorf("%s is %q, want %s", css, f.colours[css], class)
		}
	}
}

// A line is shown from its frame until it changes. Without an animation the last frame is shown.
func TestSVG(t *testing.T) {
	f := New(1)
	f.write("stays\r\nfirst")
	f.show()
	f.wait(ms(2500))
	f.write("\rlast ")
	f.show()
	f.wait(ms(7500))
	svg := string(f.SVG("a <title>", "how"))
	for _, part := range []string{
		`<title>a &lt;title&gt;</title>`, `<desc>how</desc>`, `g{animation:10.00s step-end infinite}`,
		`<g><text x="0" y="17">stays</text></g>`,
		`@keyframes f0-1{0.00%{visibility:visible}25.00%{visibility:hidden}}`, `<g class="f0-1" visibility="hidden">`,
		`@keyframes f1-2{0%{visibility:hidden}25.00%{visibility:visible}}`, `<g class="f1-2">`,
	} {
		if !strings.Contains(svg, part) {
			t.Errorf("no %s in\n%s", part, svg)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
