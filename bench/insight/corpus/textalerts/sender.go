package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"corpus/truth"
)

type sender struct {
	provider string
	client   *http.Client
}

type receipt struct {
	Number string `json:"number"`
	Parts  int    `json:"parts"`
	Tries  int    `json:"tries"`
}

var errBusy = errors.New("the provider is busy")

func newSender(provider string) *sender {
	return &sender{provider, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 2 * time.Second}}
}

func (s *sender) alert(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1600))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	rec := receipt{Number: r.PathValue("number"), Parts: (len(text) + 159) / 160}
	pause := 60 * time.Millisecond
	for {
		rec.Tries++
		sent := t.Part("provider")
		err = s.send(rec.Number, string(text), rec.Tries)
		sent()
		if !errors.Is(err, errBusy) || rec.Tries == 4 {
			break
		}
		rested := t.Part("backoff")
		time.Sleep(pause)
		rested()
		pause *= 2
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(rec)
}

func (s *sender) send(number, text string, try int) error {
	form := url.Values{"to": {number}, "text": {text}, "try": {strconv.Itoa(try)}}
	answer, err := s.client.Post(s.provider+"/messages", "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusServiceUnavailable:
		return errBusy
	}
	return fmt.Errorf("provider: %s", answer.Status)
}
