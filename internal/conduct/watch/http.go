package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// newClient is a client that keeps one connection to one service.
func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 1
	return &http.Client{Transport: t}
}

// get asks for a page and hands its body to use. The errors are refusal for an answer that
// will not be another one soon, unreachable where there is no answer at all, and others.
func get(ctx context.Context, c *http.Client, page, accept string, use func(answer *http.Response) error) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return refusal{err}
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	began := time.Now()
	answer, err := c.Do(request)
	if err == nil {
		defer answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusOK:
			err = use(answer)
		case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed:
			return refusal{errors.New("answers " + status(answer))}
		default:
			return errors.New("answers " + status(answer))
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut{fmt.Errorf("no answer within %v", time.Since(began).Round(100*time.Millisecond))}
	case err != nil:
		return dialFault(err)
	}
	return nil
}

// maxExcuse bounds what is shown of an error page.
const maxExcuse = 80

// status is the status line with the beginning of the page.
func status(answer *http.Response) string {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxExcuse))
	excuse := strings.Join(strings.Fields(string(text)), " ")
	if excuse == "" || strings.HasPrefix(excuse, "<") || strings.Contains(answer.Status, excuse) ||
		strings.HasPrefix(excuse, answer.Status[:min(3, len(answer.Status))]) {
		return answer.Status
	}
	return answer.Status + ": " + excuse
}
