package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/sys/sameorigin"
)

// policy lets the pages run their own script and ask this server, and keeps them from loading or sending anything else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Bounds of one request: how long its body and its answer may take.
const (
	bodyTime   = 5 * time.Second
	answerTime = 5 * time.Minute
)

// guarded lets through what the user's own browser asks for, and answers 403 to all else: pages of other sites, whether
// their name resolves to this machine (Host) or they ask from where they are (Origin, Sec-Fetch-Site). There is nothing
// but GET and HEAD, and neither changes anything but the door.
func guarded(next http.Handler, ours func(host string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		pageserver.Protect(h, policy)
		limits := http.NewResponseController(w)
		_ = limits.SetWriteDeadline(time.Now().Add(answerTime)) // only connections have deadlines
		if why := sameorigin.Check(r, ours); why != nil {
			refuse(w, r, http.StatusForbidden, why.Error(), "")
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			refuse(w, r, http.StatusMethodNotAllowed, "These pages are for reading only.", "")
			return
		}
		if r.ContentLength != 0 {
			_ = limits.SetReadDeadline(time.Now().Add(bodyTime))
			h.Set("Connection", "close")
			refuse(w, r, http.StatusBadRequest, "Requests have no body here.", "")
			return
		}
		defer recovered(w, r)
		next.ServeHTTP(w, r)
	})
}

// recovered answers for a page that panicked. An answer that was begun is broken off.
func recovered(w http.ResponseWriter, r *http.Request) {
	if fault := recover(); fault != nil {
		refuse(w, r, http.StatusInternalServerError, fmt.Sprintf("This page broke: %v", fault),
			"this is a fault of hone: please report it, with the address and this message")
	}
}
