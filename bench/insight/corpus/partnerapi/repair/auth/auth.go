// Package auth lets partners in.
package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// Guard knows the hashes of the partners' keys.
// It remembers which keys were valid, as a digest under a key of this process, so that most requests need no bcrypt.
type Guard struct {
	hashes map[string][]byte
	pepper []byte
	seen   sync.Map // digest of partner and key, for valid ones only
}

// NewGuard hashes the keys.
func NewGuard(keys map[string]string) (*Guard, error) {
	g := &Guard{hashes: map[string][]byte{}, pepper: make([]byte, 32)}
	rand.Read(g.pepper)
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
	mac := hmac.New(sha256.New, g.pepper)
	mac.Write([]byte(partner + "\x00" + key))
	digest := [32]byte(mac.Sum(nil))
	if _, ok := g.seen.Load(digest); ok {
		return true
	}
	if bcrypt.CompareHashAndPassword(hash, []byte(key)) != nil {
		return false
	}
	g.seen.Store(digest, true)
	return true
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
