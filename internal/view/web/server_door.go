package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/sys/pageserver"
)

// tokenName is that of the parameter in the printed address.
const tokenName = "token"

// door lets in browsers that show the token, until the server ends. A cookie takes its place, which pages of other
// sites cannot use and scripts cannot read.
type door struct {
	token   string
	session string // the cookie's value
	secure  bool   // the cookie is for TLS only
}

// guarded answers those without the cookie.
func (d *door) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known, query := d.knows(r), r.URL.Query()
		switch {
		case !query.Has(tokenName) && known:
			pageserver.LetIn(r)
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet && query.Has(tokenName) && (known || d.opens(query.Get(tokenName))):
			pageserver.LetIn(r)
			if !known {
				http.SetCookie(w, &http.Cookie{
					Name: cookieName(r), Value: d.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
					Secure: d.secure,
				})
			}
			query.Del(tokenName)
			// Only the path: a redirect never leads to another server. A browser keeps what was behind #.
			to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: query.Encode()}
			http.Redirect(w, r, to.String(), http.StatusSeeOther)
		default:
			refuse(w, r, http.StatusForbidden, "This browser has not been let in.",
				"open the address that hone serve printed, with its token")
		}
	})
}

// opens says whether this is the token. It takes the same time whatever the difference.
func (d *door) opens(shown string) bool {
	return subtle.ConstantTimeCompare([]byte(d.token), []byte(shown)) == 1
}

// knows says whether the request has the cookie.
func (d *door) knows(r *http.Request) bool {
	cookie, err := r.Cookie(cookieName(r))
	return err == nil && subtle.ConstantTimeCompare([]byte(d.session), []byte(cookie.Value)) == 1
}

// cookieName has the port: cookies are those of a host, which may have several servers.
func cookieName(r *http.Request) string {
	if address, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if _, port, err := net.SplitHostPort(address.String()); err == nil {
			return "hone_" + port
		}
	}
	return "hone"
}
