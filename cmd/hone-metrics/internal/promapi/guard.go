package promapi

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/sys/sameorigin"
)

// guarded lets through programs of this machine and the user's own browser, and answers 403
// to pages of strangers:
//
//   - One that has its name resolve to this machine is known by its Host (DNS rebinding).
//   - One that fetches, embeds or posts is known by Origin or Sec-Fetch-Site. It could not
//     read the answer, but it could keep the machine busy while hone measures.
//
// Grafana's proxy takes Origin off and leaves the Sec-Fetch-Site of its own pages, which is
// same-origin. There are no CORS headers: a page that asks by itself, without a proxy, is
// not answered.
func guarded(next http.Handler, names []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if why := checkOrigin(r, names); why != nil {
			refuse(w, forbidden.status, forbidden, why)
			return
		}
		pageserver.LetIn(r)
		defer recovered(w)
		next.ServeHTTP(w, r)
	})
}

// recovered answers for a request that panicked, so that a bug in an answer is not the end
// of a measurement. An answer that was begun is broken off.
func recovered(w http.ResponseWriter) {
	switch what := recover(); what {
	case nil:
	case http.ErrAbortHandler:
		panic(what) // net/http's own way to break off; it recovers by itself
	default:
		refuse(w, internal.status, internal, fmt.Errorf("this answer broke: %v", what))
	}
}

// checkOrigin says why a request is not the user's, or nil.
func checkOrigin(r *http.Request, names []string) error {
	return sameorigin.Check(r, func(host string) bool { return ours(host, r, names) })
}

// ours says whether a Host header names this server. The port does not matter, so that one
// may be forwarded (ssh -L): what rebinding needs is a name, and neither localhost nor an
// address resolves to something else.
func ours(host string, r *http.Request, names []string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.EqualFold(host, name) }) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return ip.Unmap().IsLoopback() || ip.Unmap() == arrivedAt(r)
}

// arrivedAt is the address of this machine that the request's connection was made to, or
// the zero address, which belongs to no machine.
func arrivedAt(r *http.Request) netip.Addr {
	address, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return sameorigin.AddressOf(address)
}
