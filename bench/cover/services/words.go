package services

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
)

// syllables make words, names and texts.
var syllables = []string{"ba", "cor", "del", "fin", "gra", "hul", "jen", "kor", "lim", "mon", "nar", "ost", "pel", "qui", "ros", "sal", "tor", "ulm", "ver", "wes", "zin"}

// word is that of a number, always the same one.
func word(n int) string {
	text := ""
	for n = n*7 + 11; n > 0; n /= len(syllables) {
		text += syllables[n%len(syllables)]
	}
	return text
}

// text has so many words, drawn by a seed from a vocabulary.
func text(seed, words, vocabulary int) string {
	draw := rand.New(rand.NewPCG(uint64(seed), 1))
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word(draw.IntN(vocabulary)))
	}
	return b.String()
}

// number is a value of the path or the query, within 0 and limit-1; 0 where it is not a number.
func number(r *http.Request, name string, limit int) int {
	value := r.PathValue(name)
	if value == "" {
		value = r.URL.Query().Get(name)
	}
	n, _ := strconv.Atoi(value)
	return min(max(n, 0), limit-1)
}

// answer writes v as JSON.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a client that is gone needs no answer
}

// say writes a line.
func say(w http.ResponseWriter, v any) { _, _ = fmt.Fprintln(w, v) }
