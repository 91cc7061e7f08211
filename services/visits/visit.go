package visits

import (
	"cmp"
	"net/http"
)

const (
	contentType  = "text/html; charset=utf-8"
	defaultName  = "visitor"
	defaultColor = "black"
)

// Bounds of what a visitor may ask for, in bytes.
const (
	maxQuery = 4096 // a name of full length, every byte of it escaped, five times over
	maxName  = 256
	maxColor = 32 // the longest name of a color in CSS has 20
)

// fault is a visit that is refused, and what the visitor is told.
type fault struct {
	status  int
	message string
}

var (
	noFault     fault
	methodFault = fault{http.StatusMethodNotAllowed, "want GET or HEAD\n"}
	queryFault  = fault{http.StatusRequestURITooLong, "want a query of at most 4096 bytes\n"}
	nameFault   = fault{http.StatusBadRequest, "want a name of at most 256 bytes\n"}
	colorFault  = fault{http.StatusBadRequest, "want a color of letters and digits, # in front or not, at most 32 bytes\n"}
)

// refuse answers a visit that is not counted; the rare path is the same in all stages.
func refuse(w http.ResponseWriter, f fault) {
	if f == methodFault {
		w.Header().Set("Allow", "GET, HEAD")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(f.status)
	w.Write([]byte(f.message)) // a client that has gone needs no answer
}

// checkRequest says what is wrong with a request before its query is looked into. net/url
// has bounds of its own, on the number of parameters, which no query of maxQuery reaches.
func checkRequest(r *http.Request) fault {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return methodFault
	case len(r.URL.RawQuery) > maxQuery:
		return queryFault
	}
	return noFault
}

// checkVisit says what is wrong with the name and the color that a request asks for.
func checkVisit[text string | []byte](name, color text) fault {
	switch {
	case len(name) > maxName:
		return nameFault
	case !isColor(color):
		return colorFault
	}
	return noFault
}

// isColor reports whether s can stand as a color in a style of HTML: letters and digits,
// and # in front. Nothing else is needed, and nothing of this ends a style or an
// attribute.
func isColor[text string | []byte](s text) bool {
	if len(s) > maxColor {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && (c != '#' || i > 0) {
			return false
		}
	}
	return true
}

// nameAndColor returns the name and the color that a request asks for, as net/http reads them, or
// refuses it.
func nameAndColor(w http.ResponseWriter, r *http.Request) (name, color string, ok bool) {
	f := checkRequest(r)
	if f == noFault {
		name, color = cmp.Or(r.FormValue("name"), defaultName), cmp.Or(r.FormValue("color"), defaultColor)
		f = checkVisit(name, color)
	}
	if f != noFault {
		refuse(w, f)
		return "", "", false
	}
	return name, color, true
}
