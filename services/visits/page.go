package visits

import (
	"html"
	"strconv"
)

// A page is these five parts in turn: pageStart, the color, pageName, the name,
// pageCount, the number of the visit, pageEnd.
const (
	pageStart = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>Visits</title></head><body><h1 style="color: `
	pageName  = `">Welcome!</h1><p>Name: `
	pageCount = `</p><p>Visits: `
	pageEnd   = "</p></body></html>\n"
)

// concat is the page by concatenation.
func concat(name, color string, count int) string {
	return pageStart + html.EscapeString(color) + pageName + html.EscapeString(name) + pageCount + strconv.Itoa(count) + pageEnd
}

// appendPage appends the page to dst. The color needs no escape: it was checked.
func appendPage[text string | []byte](dst []byte, name, color text, count int) []byte {
	dst = append(dst, pageStart...)
	dst = append(dst, color...)
	dst = append(dst, pageName...)
	dst = appendEscaped(dst, name)
	dst = append(dst, pageCount...)
	dst = strconv.AppendInt(dst, int64(count), 10)
	return append(dst, pageEnd...)
}

// appendEscaped appends what html.EscapeString makes of s.
func appendEscaped[text string | []byte](dst []byte, s text) []byte {
	done := 0
	for i := range len(s) {
		var escape string
		switch s[i] {
		case '&':
			escape = "&amp;"
		case '\'':
			escape = "&#39;"
		case '<':
			escape = "&lt;"
		case '>':
			escape = "&gt;"
		case '"':
			escape = "&#34;"
		default:
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = append(dst, escape...)
		done = i + 1
	}
	return append(dst, s[done:]...)
}
