package web

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// hostile are names that a program may have for its functions, labels, metrics and files.
var hostile = []string{
	`</script><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, "a\u2028b\u2029c",
	`</title>`, "\x00\x1b[31m", `javascript:alert(1)`,
	`<!--<script>`, `]]>`, "\xff\xfe",
}

func TestReportsHoldHostileNamesAsText(t *testing.T) {
	all := strings.Join(hostile, " ")
	r := Report{Title: all, First: "runs/0a1b2c3d", Summary: []string{all},
		Answers: map[string]any{"runs/0a1b2c3d": map[string]string{"label": all, all: all}}}
	var b bytes.Buffer
	if err := WriteReport(&b, r); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	var answers, title string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements[n.Data]++
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
			if a.Key == "id" && a.Val == "hone-answers" {
				answers = n.FirstChild.Data
			}
		}
		if n.Data == "title" {
			title = n.FirstChild.Data
		}
	}
	if elements["script"] != 2 || elements["img"]+elements["svg"] > 0 || elements["title"] != 1 {
		t.Errorf("elements: %v", elements)
	}
	if !strings.Contains(title, `</script><script>alert(1)</script>`) {
		t.Errorf("title %q", title)
	}
	data, err := base64.StdEncoding.DecodeString(answers)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.NewDecoder(z).Decode(&back); err != nil {
		t.Fatal(err)
	}
	page, _ := back["runs/0a1b2c3d"].(map[string]any)
	if back["first"] != r.First || page["label"] != strings.ToValidUTF8(all, "\ufffd") &&
		page["label"] != strings.ReplaceAll(all, "\xff\xfe", "\ufffd\ufffd") {
		t.Errorf("read back: %v", back)
	}
}

func TestEqualReportsGiveEqualBytes(t *testing.T) {
	r := Report{Title: "t", Answers: map[string]any{"a": 1, "b": 2, "c": map[string]int{"x": 1, "y": 2, "z": 3}}}
	var one, two bytes.Buffer
	if err := WriteReport(&one, r); err != nil {
		t.Fatal(err)
	}
	if err := WriteReport(&two, r); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("they differ")
	}
}

// A file may run its own script only, and load nothing.
func TestReportsLoadNothing(t *testing.T) {
	var b bytes.Buffer
	if err := WriteReport(&b, Report{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "default-src 'none'; script-src 'sha256-") ||
		strings.Contains(text, "script-src 'unsafe-inline'") {
		t.Error("the policy is not there")
	}
}
