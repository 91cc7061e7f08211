// Command fixed finds the words of a list that are next to a word that was typed.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
)

type speller struct{ words []string }

// distance is how many letters must change (Levenshtein).
func distance(a, b string) int {
	var row [32]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

func (s *speller) near(word string) (best string, least int) {
	least = len(word) + 1
	for _, w := range s.words {
		if d := distance(word, w); d < least {
			best, least = w, d
		}
	}
	return best, least
}

func (s *speller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	word := strings.ToLower(r.URL.Query().Get("word"))
	if len(word) == 0 || len(word) > 30 {
		http.Error(w, "word: 1 to 30 letters", http.StatusBadRequest)
		return
	}
	best, n := s.near(word)
	fmt.Fprintf(w, "%s, %d letters away\n", best, n)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	s := new(speller)
	for _, a := range []string{"garden", "letter", "summer", "market", "window"} {
		for _, b := range []string{"er", "ing", "house", "less", "y", "way", "work", "day"} {
			s.words = append(s.words, a+b)
		}
	}
	http.Handle("/near", s)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
