package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/fail"
)

func TestReadSteps(t *testing.T) {
	steps, err := config.ReadSteps("steps.yaml", []byte(`# log in, then read
steps:
  - name: log in
    request: post /login
    body: |
      {"user": "ann"}
    once: true
    take: {token: json data.token, id: 'header Location ~ /users/(\d+)'}
    expect-status: [200, 201]
  - request: /items/{id}
    headers: ["Authorization: Bearer {token}"]
    expect-length: 2
`))
	if err != nil || len(steps) != 2 {
		t.Fatalf("%+v, %v", steps, err)
	}
	if got, want := fmt.Sprintf("%s|%s|%s|%s|%v|%v|%v", steps[0].Name, steps[0].Method, steps[0].Path, steps[0].Body,
		steps[0].Once, steps[0].Take, steps[0].Expect.Status),
		`log in|POST|/login|{"user": "ann"}`+"\n"+
			`|true|[{id  Location  /users/(\d+) false} {token data.token    false}]|[200 201]`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if s := steps[1]; s.Method != "" || s.Path != "/items/{id}" || len(s.Headers) != 1 || *s.Expect.Length != 2 {
		t.Errorf("second step %+v", s)
	}
}

func TestBadStepsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "steps.yaml:1:1: the file has no steps",
		"steps: []\n":                           "the file has no steps",
		"steps: {}\n":                           "steps.yaml:1:8: steps: want a list",
		"step:\n- request: /\n":                 `steps.yaml:1:1: unknown key "step" (did you mean "steps"?)`,
		"steps:\n- reqest: /\n":                 `steps.yaml:2:3: unknown key "reqest" (did you mean "request"?)`,
		"steps:\n- name: a\n":                   `steps.yaml:2:3: step: "" is not a request`,
		"steps:\n- request: GET items\n":        `steps.yaml:2:12: step: "GET items" is not a request`,
		"steps:\n- request: /\n  once: maybe\n": `steps.yaml:3:9: once: "maybe" is neither true nor false`,
		"steps:\n- request: /\n  once: true\n":  "steps.yaml:2:3: all steps are once",
		"steps:\n- request: /\n  take: {a: xpath /b}\n":          `steps.yaml:3:13: take a: "xpath" is not a place in an answer`,
		"steps:\n- request: /\n  take: {a: regex b}\n":           `has 0 groups, want 1`,
		"steps:\n- request: /\n- request: /\n  once: true\n":     "steps.yaml:4:9: step 2 is once, and stands after one that repeats",
		"steps:\n- request: /\n  expect-length: -1\n":            "steps.yaml:3:18: expect-length",
		"steps:\n- request: /\n  take: {a: json b, a: json c}\n": `duplicate key "a"`,
		"steps: [/items]\n": "want keys and values",
	} {
		_, err := config.ReadSteps("steps.yaml", []byte(text))
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadSteps(f *testing.F) {
	f.Add("steps:\n- request: POST /a\n  take: {a: json b}\n- request: /{a}\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := config.ReadSteps("steps.yaml", []byte(text))
		var e *fail.Error
		if err != nil && (!errors.As(err, &e) || e.Kind != fail.BadInput) {
			t.Errorf("%q: %v is not an input error", text, err)
		}
	})
}
