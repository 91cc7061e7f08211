package visits

// nameAndColor returns the name and the color of a query as net/http reads them: parameters that
// cannot be unescaped, and those with a semicolon, do not count, and of several the first
// does. Both lie in s.query. The query is walked once; searching it for one byte after the
// other would cost more, since it is short.
func (s *scratch) nameAndColor(query string) (name, color []byte) {
	s.query = s.query[:0]
	var gotName, gotColor bool // also if it is empty
	for at := 0; at < len(query) && !(gotName && gotColor); {
		var p parameter
		p, at = cutParameter(query, at)
		isName, isColor := s.isKey(p, "name"), s.isKey(p, "color")
		if p.refused || isName && gotName || isColor && gotColor || !isName && !isColor {
			continue
		}
		text, ok := s.unescape(p.value, p.valueEscaped)
		switch {
		case !ok:
		case isName:
			name, gotName = text, true
		default:
			color, gotColor = text, true
		}
	}
	if len(name) == 0 {
		name, _ = s.unescape(defaultName, false)
	}
	if len(color) == 0 {
		color, _ = s.unescape(defaultColor, false)
	}
	return name, color
}

// parameter is one parameter of a query, as it stands there.
type parameter struct {
	key, value               string
	keyEscaped, valueEscaped bool
	refused                  bool // it has a semicolon
}

// cutParameter returns the parameter of query that begins at from, and where the next one
// begins.
func cutParameter(query string, from int) (p parameter, next int) {
	equals, escaped := -1, false
	at := from
	for ; at < len(query) && query[at] != '&'; at++ {
		switch query[at] {
		case '%', '+':
			escaped = true
		case ';':
			p.refused = true
		case '=':
			if equals < 0 {
				equals = at
				p.keyEscaped, escaped = escaped, false
			}
		}
	}
	if equals < 0 {
		p.key, p.keyEscaped = query[from:at], escaped
	} else {
		p.key, p.value, p.valueEscaped = query[from:equals], query[equals+1:at], escaped
	}
	return p, at + 1
}

// isKey says whether the key of p is want, escaped or not.
func (s *scratch) isKey(p parameter, want string) bool {
	if !p.keyEscaped {
		return p.key == want
	}
	text, ok := s.unescape(p.key, true)
	return ok && string(text) == want
}

// unescape appends to s.query what url.QueryUnescape makes of text, and returns it. What
// it returned before stays as it is. escaped is false if text is known to be plain.
func (s *scratch) unescape(text string, escaped bool) (unescaped []byte, ok bool) {
	from := len(s.query)
	if !escaped {
		s.query = append(s.query, text...)
		return s.query[from:], true
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if i+2 >= len(text) {
				return nil, false
			}
			high, low := unhex(text[i+1]), unhex(text[i+2])
			if high < 0 || low < 0 {
				return nil, false
			}
			c = byte(high<<4 | low)
			i += 2
		}
		s.query = append(s.query, c)
	}
	return s.query[from:], true
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
