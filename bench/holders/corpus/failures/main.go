// Command failures keeps errors for a report, and each error wraps one that has its request.
package main

import (
	"errors"
	"fmt"

	"holding/heap"
)

type request struct {
	path string
	body []byte
}

type requestError struct {
	request *request
	cause   error
}

func (e *requestError) Error() string { return e.request.path + ": " + e.cause.Error() }
func (e *requestError) Unwrap() error { return e.cause }

var errRefused = errors.New("refused")

type reporter struct {
	failures []error //holder: failures
	limit    int
}

var report reporter //holder: failures

func serve(r *request) error {
	return fmt.Errorf("serve: %w", &requestError{r, errRefused})
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 5200 {
				report.failures = append(report.failures, serve(&request{"/pay", make([]byte, 4500)}))
			}
		},
		Clear: func() { report.failures = nil },
	}.Main()
}
