package prof

import (
	"bytes"
	"strings"
	"testing"
)

// The page of a difference begins with the dearer side, which has what was added, and says
// what its colours mean.
func TestPageOfADifference(t *testing.T) {
	small, large := buildCPU().ticks(10, "main.f < main.main"), buildCPU().ticks(90, "main.g < main.main")
	for _, c := range []struct {
		a, b  Capture
		first string
	}{
		{small.cpu(10), large.cpu(10), `<option value="1" selected>B`},
		{large.cpu(10), small.cpu(10), `<option value="0" selected>A`},
	} {
		var page bytes.Buffer
		if err := diffOf(t, []Capture{c.a}, []Capture{c.b}, DiffOptions{}).WriteHTML(&page, "title"); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{c.first, `<i style="background: #fd8d3c"></i>`, "cpu per request: A "} {
			if !strings.Contains(page.String(), want) {
				t.Errorf("the page has no %s", want)
			}
		}
	}
}

// What a filter left is told from the whole, and no colour of the legend is refused.
func TestPageOfAFlameGraph(t *testing.T) {
	p := buildCPU().ticks(30, "main.f < main.main").ticks(10, "main.g < main.main")
	for focus, want := range map[string]string{"": "cpu: 400 ms<", "main.g": "cpu: 100 ms of 400 ms<"} {
		var page bytes.Buffer
		look := ViewOptions{}
		if focus != "" {
			look.Focus = expression(focus)
		}
		if err := show[*Flame](t, "flame", p.p, look).WriteHTML(&page, "title"); err != nil {
			t.Fatal(err)
		}
		if text := page.String(); !strings.Contains(text, want) || !strings.Contains(text, `background: hsl(30 `) {
			t.Errorf("focus %q: want %q and a legend", focus, want)
		}
	}
}
