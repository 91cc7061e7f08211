package requests

import "strings"

// formWords reads a value of -F as curl does (tool_formparse.c of curl 8): a content, then ;key=value.
type formWords struct {
	rest string
	// end ends a part beside the end of the text: ',' between files, 0 for none.
	end byte
}

// formPart is what stands in one part of a value of -F.
type formPart struct {
	content, kind, file string
	typed, named        bool // type=, filename= are there, perhaps empty
	headers             []string
	headerFiles         []string // headers=@FILE
	coding              string
	unknown             []string // keys that curl leaves out, too
}

const blanks = " \t\r\n\v\f"

func (w *formWords) space() { w.rest = strings.TrimLeft(w.rest, blanks) }

// done says that a part ends here.
func (w *formWords) done(c byte) bool { return c == ';' || w.end != 0 && c == w.end }

// word takes a text that may stand in quotes, with \" and \\ for these signs. A quote that is not closed is a sign like
// others; what stands after a quoted text is left out.
func (w *formWords) word() string {
	w.space()
	if text, ok := w.quoted(); ok {
		w.skip()
		return text
	}
	return strings.TrimRight(w.skip(), blanks)
}

// skip takes all up to the next ; or end.
func (w *formWords) skip() string {
	at := 0
	for at < len(w.rest) && !w.done(w.rest[at]) {
		at++
	}
	text := w.rest[:at]
	w.rest = w.rest[at:]
	return text
}

func (w *formWords) quoted() (string, bool) {
	if !strings.HasPrefix(w.rest, `"`) {
		return "", false
	}
	var text strings.Builder
	for at := 1; at < len(w.rest); at++ {
		switch c := w.rest[at]; {
		case c == '"':
			w.rest = w.rest[at+1:]
			return text.String(), true
		case c == '\\' && at+1 < len(w.rest) && (w.rest[at+1] == '\\' || w.rest[at+1] == '"'):
			at++
			text.WriteByte(w.rest[at])
		default:
			text.WriteByte(c)
		}
	}
	return "", false
}

// part takes a content and its keys. more says that another file follows.
func (w *formWords) part() (p formPart, more bool) {
	p.content = w.word()
	inKind := false // parameters of a media type have no key of their own: type=text/x;charset=y
	for strings.HasPrefix(w.rest, ";") {
		w.rest = w.rest[1:]
		key := w.key()
		if inKind && (key == "" || key == "type") {
			p.kind += ";" + strings.TrimRight(w.skip(), blanks)
			continue
		}
		inKind = key == "type"
		switch w.pass(key); key {
		case "type":
			p.kind, p.typed = strings.TrimRight(w.skip(), blanks), true
		case "filename":
			p.file, p.named = w.word(), true
		case "encoder":
			p.coding = w.word()
		case "headers":
			w.headers(&p)
		default:
			if text := w.word(); text != "" {
				p.unknown = append(p.unknown, text)
			}
		}
	}
	if more = strings.HasPrefix(w.rest, ","); more {
		w.rest = w.rest[1:]
	}
	return p, more
}

// key is the known key that comes next, if any, in lower case.
func (w *formWords) key() string {
	key, _, found := strings.Cut(strings.TrimLeft(w.rest, blanks), "=")
	key = strings.ToLower(key)
	if found && (key == "type" || key == "filename" || key == "headers" || key == "encoder") {
		return key
	}
	return ""
}

// pass goes after a key and its =.
func (w *formWords) pass(key string) {
	if w.space(); key != "" {
		w.rest = w.rest[len(key)+1:]
		w.space()
	}
}

func (w *formWords) headers(p *formPart) {
	if strings.HasPrefix(w.rest, "@") || strings.HasPrefix(w.rest, "<") {
		w.rest = w.rest[1:]
		p.headerFiles = append(p.headerFiles, w.word())
		return
	}
	p.headers = append(p.headers, w.word())
}
