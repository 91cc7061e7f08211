package report

import (
	"fmt"
	"strings"
)

// longestText bounds what a comment takes of a text that is not hone's own.
const longestText = 400

// inText writes a text so that nothing in it is markup, in a table or outside: what could
// be is written as its number. An at sign would call a person, so something invisible
// stands after it.
func inText(text string) string {
	b := &strings.Builder{}
	for i, r := range []rune(text) {
		if i == longestText {
			b.WriteString("...")
			break
		}
		switch {
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		case r == '@':
			b.WriteString("&#64;&#8203;")
		case strings.ContainsRune("|<>&`*_[]~#\\!$", r):
			fmt.Fprintf(b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("://", "&#58;//", "www.", "www&#46;").Replace(b.String()) // which would be links
}

// inMarkdownCode writes a text as code, as inText does; empty for an empty one.
func inMarkdownCode(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + inText(text) + "</code>"
}

// plainWord keeps of a name what names are made of.
func plainWord(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", r) {
			return r
		}
		return -1
	}, name)
}
