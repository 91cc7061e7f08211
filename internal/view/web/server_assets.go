package web

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"time"
)

// index is the page that all screens are drawn in.
const index = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hone</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/hone.css">
<script src="/hone.js" defer></script>
</head>
<body>
<noscript><h1>hone</h1><p>These pages need JavaScript. hone history and hone show print the same numbers.</p></noscript>
</body>
</html>
`

// addAssets adds the page, its script and its style.
func addAssets(mux *http.ServeMux) {
	mux.Handle("/{$}", asset("text/html; charset=utf-8", index))
	mux.Handle("/hone.js", asset("text/javascript; charset=utf-8", embedded("hone.js")))
	mux.Handle("/hone.css", asset("text/css; charset=utf-8", embedded("hone.css")))
}

// asset serves a text that changes with hone only. A browser keeps it and asks whether it is still the same.
func asset(kind, text string) http.Handler {
	plain, packed := []byte(text), zipped([]byte(text))
	tag := fmt.Sprintf("%x", sha256.Sum256(plain))[:32]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, body := w.Header(), plain
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "no-cache")
		h.Add("Vary", "Accept-Encoding")
		h.Set("ETag", `"`+tag+`"`)
		if takesGzip(r) {
			body = packed
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", `"`+tag+`-gzip"`) // other bytes, another tag (RFC 9110, section 8.8.3.3)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
