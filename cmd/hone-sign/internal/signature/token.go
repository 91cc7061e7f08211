package signature

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// audience is whom an identity token is for.
const audience = "sigstore"

// mostToken bounds an identity token, in bytes; those of GitHub have 2 kB.
const mostToken = 64 << 10

// Token is the identity token in a file, or without one that of the CI job: of GitHub Actions, which gives one on
// request (ACTIONS_ID_TOKEN_REQUEST_URL), or of GitLab (SIGSTORE_ID_TOKEN). The error has no part of it.
func Token(ctx context.Context, file string) (string, error) {
	if file != "" {
		text, err := inputs.Receipt.ReadFile(file)
		if err != nil {
			return "", fail.New(fail.Or(fail.BadInput, err), "read the identity token: %w", err)
		}
		return strings.TrimSpace(string(text)), nil
	}
	address, key := os.Getenv("ACTIONS_ID_TOKEN_REQUEST_URL"), os.Getenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
	if token := os.Getenv("SIGSTORE_ID_TOKEN"); token != "" && address == "" {
		return token, nil
	}
	if address == "" || key == "" {
		return "", fail.New(fail.Environment, "this process has no identity that can sign").
			WithHint("in GitHub Actions give the job the permission id-token: write; in GitLab an ID token SIGSTORE_ID_TOKEN " +
				"with the audience sigstore; elsewhere --token FILE")
	}
	token, err := ofActions(ctx, address, key)
	if err != nil {
		return "", fail.New(fail.Environment, "ask GitHub Actions for the identity of this job: %w", err).
			WithHint("the receipt is written, and can be signed later in a job with the permission id-token: write")
	}
	return token, nil
}

func ofActions(ctx context.Context, address, key string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read ACTIONS_ID_TOKEN_REQUEST_URL: no address")
	}
	query := u.Query()
	query.Set("audience", audience)
	u.RawQuery = query.Encode()
	ctx, end := context.WithTimeout(ctx, 30*time.Second) // as long as Sigstore's own client waits for a service
	defer end()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostToken))
	var document struct{ Value string }
	switch {
	case err != nil:
		return "", err
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("it answers %s", answer.Status)
	case json.Unmarshal(text, &document) != nil || document.Value == "":
		return "", fmt.Errorf("its answer has no token")
	}
	return document.Value, nil
}
