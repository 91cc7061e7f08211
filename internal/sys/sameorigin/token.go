package sameorigin

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Token is what requests from other machines show. The empty Token asks for nothing.
type Token string

// TokenFor returns a new random token of 128 bits for a server that other machines reach, and
// the empty one for a server that only this machine reaches.
func TokenFor(address net.Addr) Token {
	if Loopback(address) {
		return ""
	}
	return Token(rand.Text())
}

// tokenName is that of the parameter, and of the cookie with the port behind it.
const tokenName = "token"

// Required lets through requests from this machine's loopback addresses, and those from
// elsewhere that show the token; others get 403. It is shown as
//
//   - Authorization: Bearer TOKEN (RFC 6750, section 2.1), by programs;
//   - the parameter token of a GET, once: a cookie takes its place, and the browser is sent
//     on to the address without it, which may stay in its history.
//
// A proxy on this machine makes all requests look local: it has to ask for a password itself.
func (t Token) Required(next http.Handler) http.Handler {
	if t == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		switch {
		case fromLoopback(r), t.inHeader(r), t.inCookie(r):
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet && t.is(query.Get(tokenName)):
			query.Del(tokenName)
			http.SetCookie(w, &http.Cookie{
				Name: cookieName(r), Value: string(t), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			})
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Referrer-Policy", "no-referrer")
			// Only the path: a redirect never leads to another server.
			to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: query.Encode()}
			http.Redirect(w, r, to.String(), http.StatusSeeOther)
		default:
			http.Error(w,
				"other machines need the token: open the address that hone printed, or send Authorization: Bearer TOKEN", http.StatusForbidden)
		}
	})
}

func (t Token) inHeader(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && t.is(token)
}

func (t Token) inCookie(r *http.Request) bool {
	cookie, err := r.Cookie(cookieName(r))
	return err == nil && t.is(cookie.Value)
}

// is takes the same time whatever the difference.
func (t Token) is(shown string) bool {
	return subtle.ConstantTimeCompare([]byte(t), []byte(shown)) == 1
}

// cookieName has the port: cookies are those of a host, which may have several servers.
func cookieName(r *http.Request) string {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return tokenName
	}
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return tokenName
	}
	return tokenName + "_" + port
}

// fromLoopback says whether the request came from a loopback address.
func fromLoopback(r *http.Request) bool {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && remote.Addr().Unmap().IsLoopback()
}
