package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

type intake struct{ history *history }

var topics = []struct{ name, words string }{
	{"delivery", "late parcel courier driver delivery door neighbour"},
	{"invoice", "invoice charged twice amount refund bank payment"},
	{"quality", "broken scratch missing quality defect repair"},
}

// topic is the one whose words are most frequent in the letter.
func topic(letter string) string {
	low := strings.ToLower(letter)
	best, most := "other", 0
	for _, t := range topics {
		n := 0
		for w := range strings.FieldsSeq(t.words) {
			n += strings.Count(low, w)
		}
		if n > most {
			best, most = t.name, n
		}
	}
	return best
}

func subject(letter string) string {
	for line := range strings.Lines(letter) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "Subject:"); ok {
			line = strings.TrimSpace(rest)
			return strings.Clone(line[:min(len(line), 60)]) // the letter itself is not kept
		}
	}
	return "(none)"
}

func (in *intake) read(r io.Reader) (string, string, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return "", "", err
	}
	letter := string(raw)
	if strings.TrimSpace(letter) == "" {
		return "", "", errors.New("the letter is empty")
	}
	return subject(letter), topic(letter), nil
}

func (in *intake) accept(w http.ResponseWriter, r *http.Request) {
	subject, topic, err := in.read(http.MaxBytesReader(w, r.Body, 128<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := in.history.add(entry{Subject: subject, Topic: topic, Words: len(strings.Fields(subject))})
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, "{\"number\":%d,\"topic\":%q}\n", n, topic)
}

func (in *intake) recent(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(in.history.newest(20))
}
