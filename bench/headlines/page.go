package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
)

// page is everything that was measured.
type page struct {
	Date    time.Time
	Command string
	Machine []string // as side.Machine has it, before
	After   []string // the same, after: its line about the load is on the page
	Hone    string
	Took    time.Duration
	Quick   bool
	Parts   []part
}

// failures says which sections are not whole.
func (p page) failures() error {
	var all []error
	for _, s := range p.Parts {
		if s.Err != nil {
			all = append(all, fmt.Errorf("section %s: %w", s.Name, s.Err))
		}
	}
	return errors.Join(all...)
}

// markdown is the page as it is written.
func (p page) markdown() string {
	var b strings.Builder
	b.WriteString(title)
	if p.Quick {
		b.WriteString(quickWarning)
	}
	b.WriteString("```\n")
	fmt.Fprintf(&b, "date      %s\n", p.Date.Format("2006-01-02 15:04 UTC"))
	fmt.Fprintf(&b, "command   %s\n", p.Command)
	fmt.Fprintf(&b, "took      %s\n", p.Took.Round(time.Second))
	for _, line := range p.Machine {
		fmt.Fprintln(&b, line)
	}
	for _, line := range p.After {
		if load, ok := strings.CutPrefix(line, "load "); ok {
			fmt.Fprintf(&b, "load then %s\n", strings.TrimSpace(load))
		}
	}
	fmt.Fprintf(&b, "version   %s\n```\n", p.Hone)
	b.WriteString(reading)
	for _, s := range p.Parts {
		s.write(&b)
	}
	return b.String()
}

func (s part) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", s.Title, strings.TrimSpace(s.About))
	if s.Err != nil {
		fmt.Fprintf(b, "\n**FAILED**, so that rows are missing:\n\n%s\n", indented(s.Err.Error()))
	}
	if len(s.Rows) > 0 {
		b.WriteString("\n| what | published | published ratio | here | ratio here (95 % interval) | note |\n|---|---|---|---|---|---|\n")
	}
	for _, r := range s.Rows {
		published := ""
		if r.PublishedRatio > 0 {
			published = figures.Number(r.PublishedRatio, r.PublishedRatio)
		}
		note := joined(agreement(r.PublishedRatio, r.Ratio), r.Note)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n",
			cell(r.What), cell(r.Published), published, cell(r.Here), r.Ratio, cell(note))
	}
	fmt.Fprintf(b, "\nTook %s. %s\n", s.Took.Round(time.Second), meanwhile(s.Disturbed, s.CPUs))
	if len(s.Repeated) > 0 {
		fmt.Fprintf(b, "\nMeasurements that hone called invalid, and that were taken again:\n\n%s\n", indented(strings.Join(s.Repeated, "\n")))
	}
}

// indented is text as a block of code, so that nothing in it is markup.
func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}

// cell is text that does not end its cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// joined puts notes behind each other.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "; ")
}

// agreement says whether what was measured goes the way of what was published.
func agreement(published float64, here figures.Ratio) string {
	switch {
	case published == 0 || here.Value == 0:
		return ""
	case !here.Bounded():
		return "too few rounds for an interval"
	case here.Has(published) && here.Has(1) && published != 1:
		return "**undecided**: no change is in the interval, too"
	case here.Has(published):
		return "fits the published ratio"
	case published > 1 && here.High < 1, published < 1 && here.Low > 1:
		return "**the opposite of what was published**"
	case here.Has(1):
		return "**no difference shown here**"
	case published == 1:
		return "**a difference here, none published**"
	case math.Abs(math.Log(here.Value)) > math.Abs(math.Log(published)):
		return "the same way, by more"
	}
	return "the same way, by less"
}

const title = `# Headlines

What was published about the six systems, and what hone measures of the reference services that
were written after them. Made by bench/headlines; do not edit.

`

const quickWarning = `**Made with -quick: this page shows that everything runs. Its figures mean nothing.**

`

const reading = `
How to read it:

- The published figures come from other machines, years and Go versions, and from other code: every
  service here is written anew. So a published figure and the one beside it are not to be held
  against each other. The ratios are: the same change, there and here.
- A ratio is relative to what its section says, mostly the rung above it. Over 1 is more of what the row has:
  good for requests/s, bad for time and memory. Published ratios have no interval, since none was published.
- Unless a section says otherwise ratios are those of hone compare or hone bench: fresh starts of both sides
  in turns, and an interval that holds over all looks.
- x -> y: what was measured together, before and after. So x is not quite the y of the line above.
- "fits the published ratio" means that the interval has it in it, "undecided" that it has no change (1) in it
  as well. A wide interval fits much.
`
