package leaks

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
)

// bodyEvery says that one in so many requests comes to the branch that forgets to close the body.
const bodyEvery = 50

// openBody asks another server, in this process, and does not close the body of some answers.
func openBody(fixed bool) serve {
	prices := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, 8<<10)) // a client that is gone needs no answer
	}))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: few}}
	return func(_ context.Context, id int, _ []byte) {
		answer, err := client.Get(prices.URL)
		if err != nil {
			log.Print("ask for prices: ", err)
			return
		}
		if id%bodyEvery == 0 && !fixed {
			return
		}
		if _, err := io.Copy(io.Discard, answer.Body); errors.Join(err, answer.Body.Close()) != nil {
			log.Print("read prices: ", err)
		}
	}
}
