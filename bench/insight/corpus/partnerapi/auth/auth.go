// Package auth lets partners in.
package auth

import (
	"net/http"

	"golang.org/x/crypto/bcrypt"
)

// Guard knows the hashes of the partners' keys.
type Guard struct{ hashes map[string][]byte }

// NewGuard hashes the keys.
func NewGuard(keys map[string]string) (*Guard, error) {
	g := &Guard{hashes: map[string][]byte{}}
	for partner, key := range keys {
		h, err := bcrypt.GenerateFromPassword([]byte(key), bcrypt.MinCost)
		if err != nil {
			return nil, err
		}
		g.hashes[partner] = h
	}
	return g, nil
}

func (g *Guard) valid(partner, key string) bool {
	hash, ok := g.hashes[partner]
	if !ok {
		return false
	}
	return bcrypt.CompareHashAndPassword(hash, []byte(key)) == nil
}

// Middleware refuses requests without a valid key.
func (g *Guard) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.valid(r.Header.Get("X-Partner"), r.Header.Get("X-Api-Key")) {
			http.Error(w, "unknown key", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
