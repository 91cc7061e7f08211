package protocol

// openString begins a string, or a chunk of one, after the line that says how long it is.
func (r *respReader) openString(kind byte, text []byte) respState {
	if len(text) == 1 && text[0] == '?' && kind == '$' {
		r.begin(kind)
		r.chunked = true
		return respOn
	}
	if string(text) == "-1" && kind == '$' {
		r.null()
		return respValue
	}
	length, ok := decimal(text)
	if !ok || length > respMaxString {
		return respBroken
	}
	switch {
	case kind == ';' && length == 0:
		r.chunked = false
		return respValue
	case kind == '=':
		if length < 4 { // three letters and a colon
			return respBroken
		}
		r.head = 4
	}
	if kind != ';' {
		r.begin(kind)
	}
	if r.chunked && len(r.open) == 0 && r.end.length > respMaxString {
		return respBroken
	}
	r.left, r.tail = length, 2
	return respOn
}

// string takes a piece of the string that is open, and of the line end behind it.
func (r *respReader) string(in []byte) (n int, s respState) {
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
			return n, respBroken
		}
		r.tail--
	}
	if r.left > 0 || r.tail > 0 || r.chunked {
		return n, respOn
	}
	return n, respValue
}

// openLevel begins an aggregate.
func (r *respReader) openLevel(kind byte, text []byte) respState {
	if string(text) == "-1" && kind == '*' {
		r.null()
		return respValue
	}
	level := respLevel{kind: kind, endless: len(text) == 1 && text[0] == '?'}
	if !level.endless {
		count, ok := decimal(text)
		if !ok || count > respMaxElements {
			return respBroken
		}
		level.left = count
	}
	if kind == '>' && (len(r.open) > 0 || level.endless || level.left == 0) {
		return respBroken // a message has a name, and stands by itself
	}
	if len(r.open) == 0 && kind != '|' {
		r.end.length, r.end.push = level.left, kind == '>'
	}
	if kind == '%' || kind == '|' {
		level.left *= 2
	}
	if level.left == 0 && !level.endless {
		if kind == '|' {
			return respOn // the value that it belongs to is still to come
		}
		return respValue
	}
	if len(r.open) == respMaxDepth {
		return respBroken
	}
	r.open = append(r.open, level)
	return respOn
}

// closeLevel ends an aggregate of unknown length.
func (r *respReader) closeLevel(text []byte) respState {
	last := len(r.open) - 1
	if last < 0 || !r.open[last].endless || len(text) > 0 {
		return respBroken
	}
	level := r.open[last]
	pairs := level.kind == '%' || level.kind == '|'
	if pairs && level.values%2 != 0 {
		return respBroken
	}
	r.open = r.open[:last]
	if last == 0 && level.kind != '|' {
		r.end.length = level.values
		if pairs {
			r.end.length /= 2
		}
	}
	if level.kind == '|' {
		return respOn
	}
	return respValue
}

// settle counts a value that has ended in the aggregate that it stands in, which may end
// with it, and so on outwards; true if the answer has.
func (r *respReader) settle() bool {
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
			return false // an attribute is no value: that one is still to come
		}
	}
	return true
}
