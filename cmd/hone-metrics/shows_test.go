package main

import (
	"io"
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// shows URL TEXT waits until a page has a text.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shows URL TEXT")
	}
	storytest.Poll(ts, args[1]+" at "+args[0], func() bool {
		answer, err := http.Get(args[0])
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return err == nil && strings.Contains(string(body), args[1])
	})
}
