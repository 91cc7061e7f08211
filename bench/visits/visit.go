package visits

import (
	"encoding/json"
	"html"
	"net/http"
	"strconv"
)

const (
	contentType   = "text/html; charset=utf-8"
	methodMessage = "want GET or HEAD\n"
	colorMessage  = "want a color of letters, digits and _\n"
	defaultName   = "visitor"
	defaultColor  = "black"
)

// refuse answers a request that is not counted; the rare path is the same in all stages.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(message)) // a client that has gone needs no answer
}

// reads reports whether the request only reads, and refuses it if not.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	refuse(w, http.StatusMethodNotAllowed, methodMessage)
	return false
}

// asked returns the name and the color that a request asks for, as net/url reads them.
func asked(r *http.Request) (name, color string) {
	q := r.URL.Query()
	return orDefault(q.Get("name"), defaultName), orDefault(q.Get("color"), defaultColor)
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// isColor reports whether every byte is a letter, a digit or _, which is what \w* means.
func isColor(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// concat is the answer by concatenation.
func concat(name, color string, count int) string {
	return "<h1 style='color: " + html.EscapeString(color) + "'>Welcome, " + html.EscapeString(name) +
		"!</h1>You are visit number " + strconv.Itoa(count) + ".\n"
}

// appendPage appends the answer to dst.
func appendPage(dst []byte, name, color string, count int) []byte {
	dst = append(dst, "<h1 style='color: "...)
	dst = append(dst, html.EscapeString(color)...)
	dst = append(dst, "'>Welcome, "...)
	dst = append(dst, html.EscapeString(name)...)
	dst = append(dst, "!</h1>You are visit number "...)
	dst = strconv.AppendInt(dst, int64(count), 10)
	return append(dst, ".\n"...)
}

// marshalled is the log line by way of a map, whose keys come out sorted.
func marshalled(name, color string, count int) []byte {
	line, err := json.Marshal(map[string]any{"color": color, "msg": "visit", "name": name, "visits": count})
	if err != nil {
		panic(err) // strings and an int can always be marshalled
	}
	return append(line, '\n')
}

// appendLogline appends the same line to dst. The color needs no escape: it was checked.
func appendLogline(dst []byte, name, color string, count int) []byte {
	dst = append(dst, `{"color":"`...)
	dst = append(dst, color...)
	dst = append(dst, `","msg":"visit","name":`...)
	dst = appendString(dst, name)
	dst = append(dst, `,"visits":`...)
	dst = strconv.AppendInt(dst, int64(count), 10)
	return append(dst, "}\n"...)
}

// appendString appends s as a JSON string. Only what needs an escape takes the long way.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			text, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string can always be marshalled
			}
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
