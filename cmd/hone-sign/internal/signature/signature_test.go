package signature_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone-sign/internal/signature"
	"github.com/gohone/hone/cmd/hone-sign/internal/signature/signtest"
	"github.com/gohone/hone/internal/text/fail"
)

// What is signed is checked; another text, another identity, another issuer, another log and a bundle that was edited
// are not trusted.
func TestASignatureIsOfOneTextByOneIdentity(t *testing.T) {
	services := signtest.Start(t)
	text := []byte(`{"format": "hone.receipt/1"}`)
	bundle, err := signature.Sign(t.Context(), text, signtest.Token(), services)
	must(t, err)
	const ours = `https://github\.com/owner/name/\.github/workflows/.*`
	by, err := signature.Check(text, bundle, ours, signtest.Issuer, services)
	must(t, err)
	if by.Identity != signtest.Workflow || by.Issuer != signtest.Issuer || time.Since(by.At) > time.Hour {
		t.Errorf("%+v", by)
	}
	others := signtest.Start(t)
	edited := bytes.Replace(bundle, []byte(`"signature"`), []byte(`"signature": "AAAA", "x"`), 1)
	for name, c := range map[string]struct {
		text, bundle     []byte
		identity, issuer string
		services         signature.Services
		want             fail.Kind
	}{
		"another text":       {append([]byte(" "), text...), bundle, ours, signtest.Issuer, services, fail.Untrusted},
		"another identity":   {text, bundle, `https://github\.com/other/.*`, signtest.Issuer, services, fail.Untrusted},
		"a part of it":       {text, bundle, `owner/name`, signtest.Issuer, services, fail.Untrusted},
		"an alternative":     {text, bundle, `x|https://github\.com/owner`, signtest.Issuer, services, fail.Untrusted},
		"another issuer":     {text, bundle, ours, "https://gitlab.com", services, fail.Untrusted},
		"another world":      {text, bundle, ours, signtest.Issuer, others, fail.Untrusted},
		"a broken signature": {text, edited, ours, signtest.Issuer, services, fail.BadInput},
		"nothing":            {text, nil, ours, signtest.Issuer, services, fail.BadInput},
		"no expression":      {text, bundle, "(", signtest.Issuer, services, fail.BadInput},
	} {
		if _, err := signature.Check(c.text, c.bundle, c.identity, c.issuer, c.services); fail.KindOf(err) != c.want {
			t.Errorf("%s: %v, kind %v, want %v", name, err, fail.KindOf(err), c.want)
		}
	}
}

// A service that does not answer is an error of the environment, and the token is not in it.
func TestAServiceThatRefuses(t *testing.T) {
	services := signtest.Start(t)
	config, err := os.ReadFile(services.SigningConfig)
	must(t, err)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	at := bytes.Index(config, []byte("http://127.0.0.1:"))
	end := at + bytes.IndexByte(config[at:], '"')
	other := filepath.Join(t.TempDir(), "config.json")
	must(t, os.WriteFile(other, bytes.ReplaceAll(config, config[at:end], []byte(server.URL)), 0o600))
	services.SigningConfig = other
	_, err = signature.Sign(t.Context(), []byte("x"), signtest.Token(), services)
	if fail.KindOf(err) != fail.Environment || strings.Contains(err.Error(), signtest.Token()) || fail.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

// The identity is that of a file, of GitHub Actions by a request, or of GitLab.
func TestToken(t *testing.T) {
	for _, name := range []string{"ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "SIGSTORE_ID_TOKEN"} {
		t.Setenv(name, "")
	}
	if _, err := signature.Token(t.Context(), ""); fail.KindOf(err) != fail.Environment || !strings.Contains(fail.HintOf(err), "id-token") {
		t.Errorf("without an identity: %v", err)
	}
	file := filepath.Join(t.TempDir(), "token")
	must(t, os.WriteFile(file, []byte("of a file\n"), 0o600))
	if got, err := signature.Token(t.Context(), file); got != "of a file" {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("SIGSTORE_ID_TOKEN", "of GitLab")
	if got, err := signature.Token(t.Context(), ""); got != "of GitLab" {
		t.Errorf("%q, %v", got, err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.URL.Query().Get("audience") != "sigstore" ||
			r.URL.Query().Get("api-version") != "2" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		_, err := w.Write([]byte(`{"value": "of Actions"}`))
		must(t, err)
	}))
	defer server.Close()
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_URL", server.URL+"?api-version=2")
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "secret")
	if got, err := signature.Token(t.Context(), ""); got != "of Actions" {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "wrong")
	if _, err := signature.Token(t.Context(), ""); fail.KindOf(err) != fail.Environment || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
