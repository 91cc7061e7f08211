package demo

import (
	"bufio"
	"fmt"
	"path"
	"strings"

	module "github.com/gohone/hone"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// parts is how many parts a tour has: comparisons, and perhaps a refusal.
func (t *tour) parts() int {
	if t.refused.stage != "" {
		return t.legs() + 1
	}
	return t.legs()
}

// opening says what a tour will show, before it does.
func (t *tour) opening() string {
	load := "it ends by itself: each is executed several times, in turns"
	switch l := t.load; {
	case t.target == "":
	case l.rateHz > 0:
		load = fmt.Sprintf("the load: %d connections over loopback, %s in all", l.connections, units.Rate(l.rateHz))
	default:
		load = fmt.Sprintf("the load: %d connections over loopback, each with up to %s outstanding", l.connections,
			units.Plural(l.depth, "request"))
	}
	return fmt.Sprintf("%s\n%s\n%s, about %s in all; each part builds on the one before\n", t.summary, load,
		units.Plural(t.parts(), "part"), units.Seconds(t.planned()))
}

// closing sums a tour up, and says how to go on.
func closing(seen []string, clock *tourClock) string {
	b := &strings.Builder{}
	b.WriteString("\nwhat you saw:\n")
	for i, line := range seen {
		fmt.Fprintf(b, "  %d. %s\n", i+1, line)
	}
	fmt.Fprintf(b, "your turn: hone run ./cmd/server        your service: build, start, load, profile\n"+
		"           hone compare ./cmd/server    your uncommitted change against the last commit\n"+
		"           hone serve --open            all of it in a browser\n%s\n", clock)
	return b.String()
}

// changed is how the measure that a tour is about changed.
func changed(t *tour, c *record.Comparison) string {
	for _, v := range c.Contests[0].Verdicts {
		if v.Measure.Key == t.measure.Key {
			text := fmt.Sprintf("%s %s (%s)", v.Measure.Name, model.ValuesOf(v), units.Percent(v.Ratio-1))
			if v.Word == judge.Undecided {
				text += ", not decided in this time"
			}
			return text
		}
	}
	return t.measure.Name + " was not measured"
}

// summaryOf is what the source of a tour says about a stage, with its file; empty where it says nothing.
func (t *tour) summaryOf(stage string) string {
	dir := t.directory()
	source, err := module.Services.Open(path.Join(dir, "doc.go"))
	if err != nil {
		return ""
	}
	defer source.Close()
	for lines := bufio.NewScanner(source); lines.Scan(); {
		words := strings.Fields(strings.TrimPrefix(lines.Text(), "//\t"))
		if len(words) > 2 && words[0] == stage && strings.HasSuffix(words[1], ".go") {
			return fmt.Sprintf("\n%s  (%s)", strings.Join(words[2:], " "), path.Join(dir, words[1]))
		}
	}
	return ""
}

// directory is that of the tour's service in hone's module: services/framed.
func (t *tour) directory() string {
	for _, one := range tours {
		if one.name == t.name {
			return path.Dir(path.Dir(strings.TrimPrefix(one.program, modulePath+"/")))
		}
	}
	return ""
}
