package track

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/fail"
)

const (
	postTimeout = 30 * time.Second
	// mostAnswer is how much of an answer is shown that says why nothing was taken.
	mostAnswer = 300
)

// message is what a webhook gets: Slack's has the text alone, any other one the steps, too.
type message struct {
	Text string `json:"text"`
	*chains.News
}

// Post sends news to a webhook; nothing where there is none. text is the news as Markdown.
func Post(ctx context.Context, to string, n *chains.News, text string) error {
	if len(n.Steps)+len(n.Closed) == 0 {
		return nil
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fail.New(fail.BadInput, "--post: the value is not the URL of a webhook").
			WithHint("name one that begins with https://")
	}
	m := message{text, n}
	if u.Hostname() == "hooks.slack.com" || strings.HasSuffix(u.Hostname(), ".slack.com") {
		m.News = nil
	}
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode news: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return fail.New(fail.BadInput, "--post: the value is not the URL of a webhook")
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) { // whose text has the URL, which is a secret
			err = wrapped.Err
		}
		return fail.New(fail.Environment, "post news to %s: %w", u.Host, err).
			WithHint("the news is printed above; hone history --new --post sends them again")
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		why, _ := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
		return fail.New(fail.Environment, "post news to %s: it answers %s: %q", u.Host, answer.Status, why).
			WithHint("the news is printed above; look at the address of the webhook")
	}
	return nil
}
