package answer

// EventParser counts the events of a stream of server-sent events (HTML, section 9.2.6, Interpreting an event stream),
// in pieces that end anywhere. An event ends with an empty line, and is one if it has a field data; comments and other
// fields alone are none. Lines end with CR LF, LF or CR.
type EventParser struct {
	// line is how many bytes of the line have come, name how many of them are those of "data", and no other.
	line, name int
	// field says that the line's name is known: it ended with a colon, or is not data.
	field bool
	// data says that the event has a field data, cr that the last byte was a CR.
	data, cr bool
	// mark is how many bytes of a byte order mark have come at the front, where it may stand, -1 behind it.
	mark int
}

// byteOrderMark may begin a stream.
const byteOrderMark = "\uFEFF"

const dataField = "data"

// Take reads the next piece, and returns how many events end in it.
func (p *EventParser) Take(piece []byte) (events int) {
	for _, c := range piece {
		if p.mark >= 0 && p.mark < len(byteOrderMark) {
			if c == byteOrderMark[p.mark] {
				p.mark++
				continue
			}
			if p.mark > 0 { // a part of a mark is the front of a line
				p.line, p.field = p.mark, true
			}
			p.mark = -1
		}
		switch {
		case c == '\n' && p.cr: // the second half of CR LF
			p.cr = false
			continue
		case c == '\n' || c == '\r':
			p.cr = c == '\r'
			if p.endLine() {
				events++
			}
			continue
		}
		p.cr = false
		p.byte(c)
	}
	return events
}

// byte takes one byte of a line.
func (p *EventParser) byte(c byte) {
	p.line++
	switch {
	case p.field:
	case c == ':':
		p.field = true
		p.data = p.data || p.name == len(dataField)
		p.name = 0
	case p.name < len(dataField) && c == dataField[p.name]:
		p.name++
	default:
		p.field, p.name = true, 0
	}
}

// endLine ends the line, and says that an event ends with it.
func (p *EventParser) endLine() (event bool) {
	switch {
	case p.line == 0:
		event, p.data = p.data, false
	case !p.field && p.name == len(dataField): // a field without a value
		p.data = true
	}
	p.line, p.name, p.field = 0, 0, false
	return event
}
