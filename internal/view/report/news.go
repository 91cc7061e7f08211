package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model/lists"
)

// News writes what the newest tracked commit has shown, as Markdown for an issue or a message. owners are those of a
// package's code, as CODEOWNERS names them; empty for none. It writes nothing where there is nothing new.
func News(w io.Writer, n *chains.News, owners func(chains.Key) []string) error {
	b := &strings.Builder{}
	for i, s := range n.Steps {
		if i == 0 || n.Steps[i-1].Commit.Hash != s.Commit.Hash {
			fmt.Fprintf(b, "### %s of %s: %s\n\n", inText(s.Commit.Subject), inText(s.Commit.Author), inMarkdownCode(lists.CommitText(&s.Commit)))
		}
		fmt.Fprintf(b, "- %s %s: **%s**%s%s%s\n", inMarkdownCode(s.Of()), inText(s.Measure),
			inText(lists.ChangeText(s.Ratio, s.Low, s.High)), betweenWords(s), confirmedWords(s), ownersWords(owners(s.Key)))
	}
	if len(n.Closed) > 0 {
		b.WriteString("\nTaken back, nothing is left to do:\n\n")
	}
	for _, s := range n.Closed {
		fmt.Fprintf(b, "- %s %s: %s of %s\n", inMarkdownCode(s.Of()), inText(s.Measure),
			inText(lists.ChangeText(s.Ratio, s.Low, s.High)), inMarkdownCode(lists.CommitText(&s.Commit)))
	}
	return write(w, b)
}

func betweenWords(s chains.Step) string {
	if s.Between == 0 {
		return ""
	}
	return fmt.Sprintf(", or by one of the %s after %s", units.Plural(s.Between, "commit"), inMarkdownCode(lists.CommitText(&s.After)))
}

func confirmedWords(s chains.Step) string {
	if s.Confirmed {
		return ", confirmed"
	}
	return ", not confirmed"
}

func ownersWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", owners: " + strings.Join(names, " ")
}
