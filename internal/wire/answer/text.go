package answer

import "bytes"

// text looks for a text in a body that comes in pieces. It keeps the end of what it has
// seen only: as much as may be the beginning of the text.
type text struct {
	text  []byte // nil: no check
	tail  []byte // shorter than text
	found bool
}

// Take goes on with the next piece, which the caller keeps.
func (t *text) Take(piece []byte) {
	if t.found || t.text == nil {
		return
	}
	most := len(t.text) - 1
	border := append(t.tail, piece[:min(len(piece), most)]...)
	t.found = bytes.Contains(border, t.text) || bytes.Contains(piece, t.text)
	if len(piece) >= most {
		border = append(border[:0], piece[len(piece)-most:]...)
	}
	t.tail = border[:copy(border, border[max(0, len(border)-most):])]
}

// end says whether the body has the text, and makes t ready for the next body.
func (t *text) end() bool {
	right := t.found || t.text == nil
	t.tail, t.found = t.tail[:0], false
	return right
}
