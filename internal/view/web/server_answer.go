package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// apiPath is what all addresses of the API begin with.
const apiPath = "/api/v1/"

// failure is an answer that is an error.
type failure struct {
	Error string `json:"error"`
	Hint  string `json:"hint"`
}

// refuse answers with an error: JSON below the API's path, else a page.
func refuse(w http.ResponseWriter, r *http.Request, status int, why, hint string) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		text, _ := json.Marshal(failure{why, hint}) // texts always can be
		send(w, r, status, "application/json", text)
		return
	}
	page := fmt.Sprintf("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>hone</title>\n"+
		"<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 40rem }</style>\n<h1>%d %s</h1>\n"+
		"<p>%s</p>\n",
		status, http.StatusText(status), html.EscapeString(why))
	if hint != "" {
		page += "<p>Next: " + html.EscapeString(hint) + "</p>\n"
	}
	send(w, r, status, "text/html; charset=utf-8", []byte(page))
}

// refuseError is refuse for an error of the library. A name that nothing has is bad input, and 404.
func refuseError(w http.ResponseWriter, r *http.Request, err error, badInput int) {
	status := http.StatusInternalServerError
	switch fail.KindOf(err) {
	case fail.BadInput:
		status = badInput
	case fail.Invalid: // of such a run nothing is concluded
		status = http.StatusConflict
	}
	refuse(w, r, status, err.Error(), fail.HintOf(err))
}

// worthPacking is the size in bytes from which on an answer is compressed.
const worthPacking = 1400

// send answers with a text, compressed where the other side takes that.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, text []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Add("Vary", "Accept-Encoding")
	if len(text) >= worthPacking && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		text = zipped(text)
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // who went away needs no answer
}

// takesGzip reads Accept-Encoding (RFC 9110, section 12.5.3).
func takesGzip(r *http.Request) bool {
	for _, one := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, weighed := strings.Cut(strings.TrimSpace(one), ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		if !weighed {
			return true
		}
		_, value, _ := strings.Cut(weight, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return err == nil && q > 0
	}
	return false
}

func zipped(text []byte) []byte {
	b := &bytes.Buffer{}
	z := gzip.NewWriter(b)
	_, _ = z.Write(text) // a Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
