package resp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
)

// command is one line of the body as it goes on the wire: an array of bulk strings.
type command struct {
	weight int    // as the line has it, 0 for none
	fixed  []byte // all of it, where no place is in it
	words  []text
	// numbered says that the number of the request is in it.
	numbered bool
}

// text is one word of a command: text and places.
type text []piece

// piece is text and the place behind it.
type piece struct {
	text   string
	place  wire.Place
	column int // of the feed; -1: none
}

// maxCommands bounds the lines of a body: as many as a mix has targets.
const maxCommands = httpmsg.MaxTargets

// readCommands reads a command from each line that is not empty; without any it is PING.
func readCommands(body string, f *wire.Feed) (all []*command, err error) {
	for i, line := range strings.Split(body, "\n") {
		words, at, err := split(strings.TrimSuffix(line, "\r"))
		if err != nil {
			return nil, fail.New(fail.BadInput, "--body:%d:%d: %w", i+1, at+1, err).
				WithHint(`quote words as in redis-cli: SET key "a \"b\" \x00\n" or 'it\'s'`)
		}
		if len(words) == 0 {
			continue
		}
		if len(all) == maxCommands {
			return nil, fail.New(fail.BadInput, "--body:%d: more than %d commands", i+1, maxCommands).
				WithHint("put what differs into a feed, and {name} in the command")
		}
		c, err := newCommand(words, f)
		if err != nil {
			return nil, fail.New(fail.BadInput, "--body:%d: %w", i+1, err).WithHint("%s", fail.HintOf(err))
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		c, err := newCommand([]string{"PING"}, nil)
		return []*command{c}, err
	}
	return all, nil
}

// newCommand makes a command of its words, the first of which may be its weight.
func newCommand(words []string, f *wire.Feed) (*command, error) {
	c := &command{}
	if digits, ok := strings.CutSuffix(words[0], "x"); ok {
		if n, err := strconv.Atoi(digits); err == nil {
			if n < 1 || n > turns.MaxRound || len(words) == 1 {
				return nil, fail.New(fail.BadInput, "%q is not a weight before a command", words[0]).
					WithHint("weights are 1x to %dx, as in: 9x GET key:{rand:1000}", turns.MaxRound)
			}
			c.weight, words = n, words[1:]
		}
	}
	if err := checkCommand(words); err != nil {
		return nil, err
	}
	fixed := true
	for _, word := range words {
		text, err := textOf(word, f)
		if err != nil {
			return nil, err
		}
		for _, p := range text {
			fixed = fixed && p.column < 0 && p.place.Kind == wire.NoPlace
			c.numbered = c.numbered || p.place.Kind == wire.PlaceNumber
		}
		c.words = append(c.words, text)
	}
	if fixed {
		c.fixed = c.append(nil, wire.Fill{})
	}
	return c, nil
}

// unloadable are commands after which answers do not come one for each command, or none.
var unloadable = map[string]string{
	"SUBSCRIBE": "messages follow its answer", "PSUBSCRIBE": "messages follow its answer",
	"SSUBSCRIBE":  "messages follow its answer",
	"UNSUBSCRIBE": "it has an answer for each channel", "PUNSUBSCRIBE": "it has an answer for each channel",
	"SUNSUBSCRIBE": "it has an answer for each channel", "MONITOR": "a stream follows its answer",
	"SYNC": "a stream follows it", "PSYNC": "a stream follows it", "QUIT": "it ends the connection",
	"SHUTDOWN": "it ends the server", "CLIENT REPLY": "it switches answers off",
}

// checkCommand refuses commands that cannot be loaded.
func checkCommand(words []string) error {
	if words[0] == "" {
		return fail.New(fail.BadInput, "the command has no name")
	}
	name := strings.ToUpper(words[0])
	why := unloadable[name]
	if why == "" && len(words) > 1 {
		name += " " + strings.ToUpper(words[1])
		why = unloadable[name]
	}
	if why == "" {
		return nil
	}
	return fail.New(fail.BadInput, "%s cannot be loaded: %s", name,
		why).WithHint("load commands that have one answer each")
}

// textOf finds the places in a word. Braces around anything else are plain text, as the
// hash tags of a cluster's keys are.
func textOf(word string, f *wire.Feed) (t text, err error) {
	at := 0
	for from := 0; ; {
		begin := strings.IndexByte(word[from:], '{')
		if begin < 0 {
			break
		}
		begin += from
		length := strings.IndexByte(word[begin:], '}')
		if length < 0 {
			break
		}
		p, ok, err := placeOf(word[begin+1:begin+length], f)
		if err != nil {
			return nil, err
		}
		from = begin + 1
		if ok {
			p.text = word[at:begin]
			t, at = append(t, p), begin+length+1
			from = at
		}
	}
	if at < len(word) || len(t) == 0 {
		t = append(t, piece{text: word[at:], column: -1})
	}
	return t, nil
}

// placeOf is the place of a name; not ok if it is none. A column of the feed goes before
// hone's own names.
func placeOf(name string, f *wire.Feed) (p piece, ok bool, err error) {
	if f != nil {
		for i, column := range f.Names {
			if column == name {
				return piece{column: i}, true, nil
			}
		}
	}
	own, ok, err := wire.PlaceOf(name)
	return piece{place: own, column: -1}, ok, err
}

// append appends the command, filled, to dst.
func (c *command) append(dst []byte, f wire.Fill) []byte {
	dst = head(dst, '*', len(c.words))
	salt := 0
	for _, word := range c.words {
		dst = head(dst, '$', word.size(&f, salt))
		for i := range word {
			p := &word[i]
			dst = append(dst, p.text...)
			switch {
			case p.column >= 0:
				dst = append(dst, f.Row[p.column]...)
			case p.place.Kind != wire.NoPlace:
				dst = strconv.AppendUint(dst, p.place.Value(&f, salt+i), 10)
			}
		}
		salt += len(word)
		dst = append(dst, "\r\n"...)
	}
	return dst
}

// head appends the line that says how much follows.
func head(dst []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(dst, kind), int64(n), 10), "\r\n"...)
}

// size is how many bytes the word has, filled; salt is the number of its first piece.
func (t text) size(f *wire.Fill, salt int) (n int) {
	for i := range t {
		p := &t[i]
		n += len(p.text)
		switch {
		case p.column >= 0:
			n += len(f.Row[p.column])
		case p.place.Kind != wire.NoPlace:
			n += wire.Digits(p.place.Value(f, salt+i))
		}
	}
	return n
}

// split splits a line into words as redis-cli does: at white space, with "..." (in which
// \n, \r, \t, \b, \a, \xHH stand for bytes, and a backslash before any other byte for that byte)
// and '...' (in which \' stands for a quote). at is where an error is.
func split(line string) (words []string, at int, err error) {
	for i := 0; ; {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			return words, 0, nil
		}
		var word []byte
		for i < len(line) && !isSpace(line[i]) {
			c := line[i]
			if c != '"' && c != '\'' {
				word = append(word, c)
				i++
				continue
			}
			text, length, ok := unquote(line[i:])
			if !ok {
				return nil, i, fmt.Errorf("the quote %c is not closed", c)
			}
			word = append(word, text...)
			i += length
			if i < len(line) && !isSpace(line[i]) {
				return nil, i, fmt.Errorf("want a space after the quote, got %q", line[i])
			}
		}
		words = append(words, string(word))
	}
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// unquote reads a quoted text at the front of s.
func unquote(s string) (text []byte, length int, ok bool) {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case c == quote:
			return text, i + 1, true
		case c != '\\' || i+1 == len(s), quote == '\'' && s[i+1] != '\'':
			text = append(text, c)
			continue
		}
		i++
		if quote == '"' && s[i] == 'x' && i+2 < len(s) {
			if b, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				text = append(text, byte(b))
				i += 2
				continue
			}
		}
		text = append(text, escape(quote, s[i]))
	}
	return nil, 0, false
}

// escape is the byte that a backslash and c stand for.
func escape(quote, c byte) byte {
	if quote == '"' {
		switch c {
		case 'n':
			return '\n'
		case 'r':
			return '\r'
		case 't':
			return '\t'
		case 'b':
			return '\b'
		case 'a':
			return '\a'
		}
	}
	return c
}
