package resp

import (
	"github.com/gohone/hone/internal/wire"
)

// openString begins a string, or a chunk of one, after the line that says how long it is.
func (r *reader) openString(kind byte, text []byte) state {
	if len(text) == 1 && text[0] == '?' && kind == '$' {
		r.begin(kind)
		r.chunked = true
		return on
	}
	if string(text) == "-1" && kind == '$' {
		r.null()
		return value
	}
	length, ok := wire.Decimal(text)
	if !ok || length > maxString {
		return broken
	}
	switch {
	case kind == ';' && length == 0:
		r.chunked = false
		return value
	case kind == '=':
		if length < 4 { // three letters and a colon
			return broken
		}
		r.head = 4
	}
	if kind != ';' {
		r.begin(kind)
	}
	if r.chunked && len(r.open) == 0 && r.end.length > maxString {
		return broken
	}
	r.left, r.tail = length, 2
	return on
}

// string takes a piece of the string that is open, and of the line end behind it.
func (r *reader) string(in []byte) (n int, s state) {
	if r.left > 0 {
		n = int(min(r.left, int64(len(in))))
		r.left -= int64(n)
		skip := min(r.head, n) // the format is not part of the text
		r.head -= skip
		if piece := in[skip:n]; len(piece) > 0 {
			r.take(piece)
			r.grow(int64(len(piece)))
		}
	}
	for ; r.tail > 0 && n < len(in); n++ {
		const lineEnd = "\r\n"
		if in[n] != lineEnd[len(lineEnd)-r.tail] {
			return n, broken
		}
		r.tail--
	}
	if r.left > 0 || r.tail > 0 || r.chunked {
		return n, on
	}
	return n, value
}

// openLevel begins an aggregate.
func (r *reader) openLevel(kind byte, text []byte) state {
	if string(text) == "-1" && kind == '*' {
		r.null()
		return value
	}
	level := level{kind: kind, endless: len(text) == 1 && text[0] == '?'}
	if !level.endless {
		count, ok := wire.Decimal(text)
		if !ok || count > maxElements {
			return broken
		}
		level.left = count
	}
	if kind == '>' && (len(r.open) > 0 || level.endless || level.left == 0) {
		return broken // a message has a name, and stands by itself
	}
	if len(r.open) == 0 && kind != '|' {
		r.end.length, r.end.push = level.left, kind == '>'
	}
	if kind == '%' || kind == '|' {
		level.left *= 2
	}
	if level.left == 0 && !level.endless {
		if kind == '|' {
			return on // the value that it belongs to is still to come
		}
		return value
	}
	if len(r.open) == maxDepth {
		return broken
	}
	r.open = append(r.open, level)
	return on
}

// closeLevel ends an aggregate of unknown length.
func (r *reader) closeLevel(text []byte) state {
	last := len(r.open) - 1
	if last < 0 || !r.open[last].endless || len(text) > 0 {
		return broken
	}
	level := r.open[last]
	pairs := level.kind == '%' || level.kind == '|'
	if pairs && level.values%2 != 0 {
		return broken
	}
	r.open = r.open[:last]
	if last == 0 && level.kind != '|' {
		r.end.length = level.values
		if pairs {
			r.end.length /= 2
		}
	}
	if level.kind == '|' {
		return on
	}
	return value
}

// settle counts a value that has ended in the aggregate that it stands in, which may end
// with it, and so on outwards; true if the answer has.
func (r *reader) settle() bool {
	for len(r.open) > 0 {
		top := &r.open[len(r.open)-1]
		if top.endless {
			top.values++
			return false
		}
		if top.left--; top.left > 0 {
			return false
		}
		kind := top.kind
		r.open = r.open[:len(r.open)-1]
		if kind == '|' {
			return false // an attribute is not a value: that one is still to come
		}
	}
	return true
}
