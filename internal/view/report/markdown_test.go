package report

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

func markdownOf(t interface{ Fatal(...any) }, s story) string {
	var b strings.Builder
	if err := Markdown(&b, s.comparison, s.runs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	for name, s := range stories(t) {
		t.Run(name, func(t *testing.T) {
			text := markdownOf(t, s)
			golden(t, filepath.Join("testdata", "markdown_"+name+".md"), text)
			inASCII(t, text)
			wellFormed(t, text)
		})
	}
}

// The headline is what people read; what failed or is open stands in it, however good the
// rest looks.
func TestMarkdownHeadlines(t *testing.T) {
	all := stories(t)
	for name, want := range map[string]string{
		"faster":        "### hone: **B is faster than A**\n",
		"slower":        "### hone: **B is slower than A**\n",
		"same":          "### hone: **B is the same as A within +-1 %**\n",
		"undecided":     "### hone: **undecided whether B differs from A**\n",
		"invalid":       "### hone: **no verdict (invalid): B: replies withheld: 10 of 10 connections**\n",
		"interrupted":   "### hone: **no verdict: interrupted**\n",
		"three":         "### hone: **B is faster than A, undecided whether C differs from A**\n",
		"gates":         "### hone: **REGRESSION: 1 of 5 gates failed; undecided whether B differs from A**\n",
		"three_gates":   "### hone: **UNDECIDED, not passed: 1 of 4 gates; B is faster than A, undecided whether C differs from A**\n",
		"gates_settled": "### hone: **passed 1 gate; undecided whether B differs from A**\n",
		"indicative":    "### hone: **indicative (not taken together): undecided whether B differs from A**\n",
	} {
		if got := markdownOf(t, all[name]); !strings.HasPrefix(got, want) {
			line, _, _ := strings.Cut(got, "\n")
			t.Errorf("%s: %s, want %s", name, line, want)
		}
	}
}

var (
	tags  = regexp.MustCompile(`</?(details|summary|code)>`)
	fence = regexp.MustCompile("(?s)\n(`{3,})sh\n(.*?)\n(`{3,})\n")
)

// wellFormed checks what holds for every comment: no tag but our own, rows as wide as
// their table, what is opened is closed, short enough.
func wellFormed(t interface{ Errorf(string, ...any) }, text string) {
	if len(text) > markdownLimit {
		t.Errorf("%d characters", len(text))
	}
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if block[1] != block[3] || strings.Contains(block[2], block[1]) {
			t.Errorf("a block can be left from within: %q", block[0])
		}
	}
	text = fence.ReplaceAllString(text, "\n")
	if strings.Count(text, "<details>") != strings.Count(text, "</details>") ||
		strings.Count(text, "<code>") != strings.Count(text, "</code>") {
		t.Errorf("something is not closed")
	}
	if rest := tags.ReplaceAllString(text, ""); strings.ContainsAny(rest, "<>`") &&
		!strings.Contains(rest, "\nThe rest is in the ledger: `hone show") {
		t.Errorf("markup that is not ours: %q", rest)
	}
	for _, mark := range []string{"@", "](", "://", "www.", "\r"} {
		if strings.Contains(text, mark) {
			t.Errorf("%q gets through", mark)
		}
	}
	columns := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		if n := strings.Count(line, "|"); columns == 0 {
			columns = n
		} else if n != columns {
			t.Errorf("a row of %d cells in a table of %d: %s", n-1, columns-1, line)
		}
	}
}

// hostile are texts that a label, a message or an environment may hold.
var hostile = []string{
	"</details><script>alert(1)</script>", "a | b | c", "`; rm -rf ~ #", "```\n# owned\n```", "@someone look",
	"[click](javascript:alert(1))",
	"<!-- ", "**bold** _it_ ~~no~~", "line\nbreak\r\n\n| x | y |\n", "\\| \\` $x^2$",
	"![x](https://example.com/x.png) www.example.com", "&lt;b&gt;", "\x00\x1b[31m",
}

func TestNothingInATextIsMarkup(t *testing.T) {
	for _, evil := range hostile {
		for _, name := range []string{"faster", "three_gates", "invalid"} {
			s := stories(t)[name]
			for i := range s.runs {
				s.runs[i].Label, s.runs[i].Target, s.runs[i].Args = evil, "http://127.0.0.1/"+evil, []string{evil}
				s.runs[i].Warnings, s.runs[i].Binary.Commit = []string{evil}, evil
				s.runs[i].Binary.Variant = build.Variant{Name: model.Letter(i), Source: "./" + evil,
					Env: []string{"X=" + evil}}
				s.runs[i].Environment.CPUModel, s.runs[i].ID = evil, evil
				s.runs[i].Command = []string{"compare", "./" + evil, "--header=" + evil, "--", evil}
			}
			s.comparison.Reason, s.comparison.Why, s.comparison.ID = evil, evil, evil
			for i := range s.comparison.Gates {
				s.comparison.Gates[i].Reason = evil
			}
			for i := range s.comparison.Contests {
				s.comparison.Contests[i].Why = explained()
				if len(s.comparison.Contests[i].Why.Changes) > 0 {
					s.comparison.Contests[i].Why.Changes[0].What = evil
				}
			}
			wellFormed(t, markdownOf(t, s))
		}
	}
}

func TestAnyLabelIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.StringOf(rapid.SampledFrom([]rune("ab <>|`*_[]()!#@\\&;:/.w\n\r\t-+~$\u00e9"))).Draw(t, "label")
		runs := runsOf("./a", "./b")
		runs[0].Label, runs[1].Warnings, runs[1].Binary.Variant.Args = label, []string{label}, []string{label}
		wellFormed(t, markdownOf(t, story{comparisonOf(compare.StoppedDecided, faster()), runs}))
	})
}

// However much there is to say, the comment fits, and says where the rest is.
func TestMarkdownIsShortEnough(t *testing.T) {
	var contests [][]judge.Verdict
	var sources []string
	for i := range record.MostVariants {
		sources = append(sources, "./"+strings.Repeat("<long>", 300))
		if i > 0 {
			contests = append(contests, faster())
		}
	}
	c := comparisonOf(compare.StoppedBudget, contests...)
	var texts []string
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("cpu<+%d%%", i+1))
	}
	runs := runsOf(sources...)
	for i := range runs {
		for j := range 100 {
			runs[i].Warnings = append(runs[i].Warnings, fmt.Sprintf("%d: %s", j, strings.Repeat("|", 1000)))
		}
	}
	text := markdownOf(t, story{withGates(t, c, texts...), runs})
	wellFormed(t, text)
	for _, want := range []string{"### hone: **passed 500 gates; B is faster than A, C is faster than A",
		"and 460 gates more", "The rest is in the ledger: `hone show cc00ffee`"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q", want)
		}
	}
}

// What the comment tells to run is the comparison that it shows, as it was asked for.
func TestTheCommandThatRepeatsAComparison(t *testing.T) {
	s := stories(t)["three_gates"]
	s.runs[0].Command = []string{"compare", "v1.0:./cmd/server", "GREETING='good day' ./cmd/server",
		"--header=Authorization: ***", "--body=@b.json", "--gate=cpu<+2%", "--markdown", "--seed=7", "--", "-addr",
		":{port}"}
	want := `hone compare v1.0:./cmd/server 'GREETING='\''good day'\'' ./cmd/server' --header "Authorization: ${AUTHORIZATION:?}" --body @b.json --gate 'cpu<+2%' --seed 42 -- -addr ':{port}'`
	if got := Again(s.comparison, s.runs); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	text := markdownOf(t, s)
	if !strings.Contains(text, want+"\n") || !strings.Contains(text,
		"\nset AUTHORIZATION first: hone keeps no secrets\n") {
		t.Errorf("the comment does not say it: %s", text)
	}
	for _, runs := range [][]record.Run{nil, s.runs[:1], make([]record.Run, 2)} {
		if got := Again(s.comparison, runs); got != "" {
			t.Errorf("%q from %d runs", got, len(runs))
		}
	}
}
