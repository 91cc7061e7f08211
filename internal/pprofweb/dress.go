package pprofweb

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

// style takes the entries that save and delete settings out of pprof's menu, and leaves its
// first word in one line.
const style = "<style>#save-config, #save-config + hr, .menu-delete-btn { display: none } .title h1 { white-space: nowrap }</style>\n</head>"

// home is the first word of pprof's menu.
const home = `<h1><a href="./">pprof</a></h1>`

// dress makes a page of pprof's one of this site: its first word leads to the list of
// profiles, what was left out is not in its menu, and an error has a menu too.
func (m *mounted) dress(page http.Handler) http.Handler {
	word := fmt.Appendf(nil, `<h1><a href="%s" title="all profiles">&#8249; %s</a></h1>`, template.HTMLEscapeString(m.home), template.HTMLEscapeString(m.name()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &heldPage{header: w.Header(), status: http.StatusOK}
		page.ServeHTTP(held, r)
		if held.status >= http.StatusBadRequest {
			text := strings.TrimSpace(held.body.String())
			m.notice(held.status, http.StatusText(held.status), text, "").ServeHTTP(w, r)
			return
		}
		body := held.body.Bytes()
		if held.header.Get("Content-Type") == "text/html" {
			held.header.Set("Content-Type", "text/html; charset=utf-8")
			body = bytes.Replace(body, []byte("</head>"), []byte(style), 1)
			body = bytes.Replace(body, []byte(home), word, 1)
		}
		w.WriteHeader(held.status)
		_, _ = w.Write(body) // who went away needs no answer
	})
}

// heldPage keeps an answer back.
type heldPage struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *heldPage) Header() http.Header         { return p.header }
func (p *heldPage) WriteHeader(status int)      { p.status = status }
func (p *heldPage) Write(b []byte) (int, error) { return p.body.Write(b) }
