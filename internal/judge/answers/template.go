package answers

import (
	"bytes"
	"strings"
)

// bodyTemplate is what bodies have in common that differ by nature, in their order, and the gaps
// between it, where they differ: a time, a counter, a name that was drawn.
type bodyTemplate []templatePart

// templatePart is a word of all bodies, or a gap.
type templatePart struct {
	text string
	gap  bool
	some bool // the gap is empty in no body
}

// templateOf is the template of a first body.
func templateOf(body []byte) bodyTemplate {
	var t bodyTemplate
	for _, word := range wordsOf(body) {
		t = append(t, templatePart{text: word})
	}
	return t
}

// widen is the template of one body more.
func (t bodyTemplate) widen(body []byte) bodyTemplate {
	words := wordsOf(body)
	keep := align(t, words)
	var wide bodyTemplate
	i, j := 0, 0
	gap := func(toI, toJ int) {
		if i == toI && j == toJ {
			return
		}
		one := templatePart{gap: true, some: toJ > j}
		holds := false
		for _, p := range t[i:toI] {
			holds = holds || !p.gap || p.some
		}
		one.some = one.some && holds
		wide = append(wide, one)
	}
	for _, k := range keep {
		gap(k.part, k.word)
		wide = append(wide, t[k.part])
		i, j = k.part+1, k.word+1
	}
	gap(len(t), len(words))
	return wide
}

// matches says that a body has all that is in no gap, in its order.
func (t bodyTemplate) matches(body []byte) bool {
	rest, gap, least := body, false, 0
	for i := 0; i < len(t); {
		if t[i].gap {
			gap = true
			if t[i].some {
				least++
			}
			i++
			continue
		}
		fixed, end := t.fixed(i)
		i = end
		at := 0
		switch {
		case !gap && !bytes.HasPrefix(rest, fixed), len(rest) < least+len(fixed):
			return false
		case gap && end == len(t): // behind the last gap: it ends the body
			at = len(rest) - len(fixed)
			if !bytes.HasSuffix(rest, fixed) {
				return false
			}
		case gap:
			if at = bytes.Index(rest[least:], fixed); at < 0 {
				return false
			}
			at += least
		}
		rest, gap, least = rest[at+len(fixed):], false, 0
	}
	return len(rest) == 0 || gap && len(rest) >= least
}

// fixed joins the words from part i up to the next gap, which is part end.
func (t bodyTemplate) fixed(i int) (text []byte, end int) {
	for end = i; end < len(t) && !t[end].gap; end++ {
		text = append(text, t[end].text...)
	}
	return text, end
}

// fixedBytes is how much of a body is in no gap.
func (t bodyTemplate) fixedBytes() int {
	n := 0
	for _, p := range t {
		n += len(p.text)
	}
	return n
}

// longestWord is where a word without an end is cut: text that is one long word, such as base64,
// shall not be one gap because of one character in it.
const longestWord = 48

// wordsOf cuts a body into words, as values of JSON, HTML or plain text are: a time or an id is
// one word, also where some of its digits are always the same. White space, quotes, brackets and the
// like are words of one byte.
func wordsOf(body []byte) []string {
	text := string(body)
	var all []string
	for len(text) > 0 {
		n := strings.IndexFunc(text, endsWord)
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			all, text = append(all, text[:1]), text[1:]
			continue
		}
		word := text[:n]
		text = text[n:]
		if len(word) <= longestWord {
			all = append(all, word)
			continue
		}
		all = append(all, piecesOf(word)...)
	}
	return all
}

func endsWord(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>(){}[],;=&|#?", r) }

// piecesOf cuts a long word where numbers begin and end.
func piecesOf(word string) (all []string) {
	begin := 0
	for i := 1; i <= len(word); i++ {
		if i == len(word) || i-begin == longestWord || isDigit(word[i]) != isDigit(word[i-1]) {
			all = append(all, word[begin:i])
			begin = i
		}
	}
	return all
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
