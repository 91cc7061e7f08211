package pprofweb

import (
	"fmt"
	"net/http"

	"github.com/gohone/hone/internal/pageserver"
	"github.com/gohone/hone/internal/sameorigin"
)

// policy keeps a page from loading or sending anything beyond this server, whatever a
// profile got into it. pprof's pages have their scripts and styles inside.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guarded lets through what the user's own browser asks for, and answers 403 to all else:
//
//   - A page of another site that has its name resolve to this machine is known by its Host
//     (DNS rebinding).
//   - A page of another site that fetches, embeds or posts is known by Origin or
//     Sec-Fetch-Site. A link from there is refused, too.
//
// Nothing is written by a GET, and there is nothing but GET and HEAD.
func guarded(pages http.Handler, ours func(host string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		pageserver.Protect(h, policy)
		if why := sameorigin.Check(r, ours); why != nil {
			http.Error(w, why.Error(), http.StatusForbidden)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "these pages are for reading only", http.StatusMethodNotAllowed)
			return
		}
		pageserver.LetIn(r)
		defer recovered(w)
		pages.ServeHTTP(w, r)
	})
}

// recovered answers for a page that panicked: pprof's code is not ours, and a profile may be
// anything. An answer that was begun is broken off.
func recovered(w http.ResponseWriter) {
	if fault := recover(); fault != nil {
		http.Error(w, fmt.Sprintf("this page broke: %v", fault), http.StatusInternalServerError)
	}
}
