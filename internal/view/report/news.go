package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/view/model/lists"
)

// News writes what the newest tracked commit has shown, as Markdown for an issue or a message. owners are those of a
// package's code, as CODEOWNERS names them; empty for none. It writes nothing where there is nothing new.
func News(w io.Writer, n *chains.News, owners func(chains.Key) []string) error {
	b := &strings.Builder{}
	for i, s := range n.Steps {
		if made := s.Made(); i == 0 || n.Steps[i-1].Made().Hash != made.Hash {
			fmt.Fprintf(b, "### %s of %s: %s\n\n", inText(made.Subject), inText(made.Author), inMarkdownCode(lists.CommitText(made)))
		}
		fmt.Fprintf(b, "- %s %s: **%s**%s, %s%s\n", inMarkdownCode(s.Of()), inText(s.Measure),
			inText(lists.ChangeText(s.Ratio, s.Low, s.High)), orWords(s), inText(lists.ConfirmedText(s)), ownersWords(owners(s.Key)))
	}
	if len(n.Closed) > 0 {
		b.WriteString("\nNothing is left to do:\n\n")
	}
	for _, s := range n.Closed {
		fmt.Fprintf(b, "- %s %s: %s of %s is %s\n", inMarkdownCode(s.Of()), inText(s.Measure),
			inText(lists.ChangeText(s.Ratio, s.Low, s.High)), inMarkdownCode(lists.CommitText(s.Made())), inText(string(s.State)))
	}
	return write(w, b)
}

func orWords(s chains.Step) string {
	if or := lists.OtherCommits(s); or != "" {
		return ", " + inText(or)
	}
	return ""
}

func ownersWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", owners: " + strings.Join(names, " ")
}
