package protocol

import "bytes"

// httpText looks for a text in a body that comes in pieces, without keeping the pieces.
// It is shared and never changes.
type httpText struct {
	text []byte
	// borders holds for each i the length of the longest proper prefix of text[:i+1]
	// that is its suffix as well: the failure function of Knuth, Morris and Pratt, Fast
	// pattern matching in strings, SIAM J. Comput. 6 (1977).
	borders []int
}

// httpTextState is how far a search is.
type httpTextState struct {
	found bool
	// matched is the length of the longest prefix of the text that ends what was seen.
	matched int
}

func newHTTPText(text string) *httpText {
	t := &httpText{text: []byte(text), borders: make([]int, len(text))}
	for i := 1; i < len(text); i++ {
		t.borders[i] = t.advance(t.borders[i-1], text[i])
	}
	return t
}

// advance is how much of the text is matched when c comes behind matched bytes of it,
// less than all of them.
func (t *httpText) advance(matched int, c byte) int {
	for matched > 0 && t.text[matched] != c {
		matched = t.borders[matched-1]
	}
	if t.text[matched] == c {
		matched++
	}
	return matched
}

// scan goes on with the next piece. Only an occurrence across the border of two pieces
// is followed byte by byte: it ends within the first len(text)-1 bytes of this piece, or
// begins within the last.
func (t *httpText) scan(s httpTextState, piece []byte) httpTextState {
	if s.found {
		return s
	}
	reach := min(len(piece), len(t.text)-1)
	if s.matched > 0 || reach == len(piece) {
		if s = t.follow(s, piece[:reach]); s.found || reach == len(piece) {
			return s
		}
	}
	if bytes.Contains(piece, t.text) {
		return httpTextState{found: true}
	}
	return t.follow(httpTextState{}, piece[len(piece)-reach:])
}

// follow goes on byte by byte.
func (t *httpText) follow(s httpTextState, piece []byte) httpTextState {
	for _, c := range piece {
		if s.matched = t.advance(s.matched, c); s.matched == len(t.text) {
			return httpTextState{found: true}
		}
	}
	return s
}
