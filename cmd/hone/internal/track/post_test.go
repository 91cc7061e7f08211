package track

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/fail"
)

func TestPost(t *testing.T) {
	var got []string
	status := http.StatusOK
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.Header.Get("Content-Type")+" "+string(body))
		w.WriteHeader(status)
		io.WriteString(w, "no such channel")
	}))
	defer hook.Close()
	if err := Post(t.Context(), hook.URL, &chains.News{}, ""); err != nil || len(got) != 0 {
		t.Errorf("nothing new: %v, %q", err, got)
	}
	news := &chains.News{Schema: chains.NewsSchema, Steps: []chains.Step{{ID: "s1"}}}
	if err := Post(t.Context(), hook.URL+"/secret", news, "### slower"); err != nil || len(got) != 1 {
		t.Fatalf("%v, %q", err, got)
	}
	var sent struct {
		Text, Schema string
		Steps        []struct{ ID string }
	}
	text, ok := strings.CutPrefix(got[0], "POST application/json ")
	if err := json.Unmarshal([]byte(text), &sent); !ok || err != nil || sent.Text != "### slower" ||
		sent.Schema != chains.NewsSchema || len(sent.Steps) != 1 || sent.Steps[0].ID != "s1" {
		t.Errorf("%v: %s", err, got[0])
	}
	status = http.StatusNotFound
	if err := Post(t.Context(), hook.URL, news, ""); err == nil || !strings.Contains(err.Error(), "404") ||
		!strings.Contains(err.Error(), "no such channel") || fail.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	hook.Close() // the path of a webhook is its secret
	if err := Post(t.Context(), hook.URL+"/secret", news, ""); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if err := Post(t.Context(), "hooks.example.com", news, ""); fail.ExitCode(err) != 2 {
		t.Errorf("%v", err)
	}
}
