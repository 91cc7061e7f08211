package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

// Report is what one file shows, without a server behind it.
type Report struct {
	Title string
	// First is the screen that the file opens with, as in an address behind "#/": "comparisons/0a1b2c3d".
	First string
	// Summary is what the file says where there is no JavaScript: the verdict, the check.
	Summary []string
	// Answers are pages by their address below /api/v1/.
	Answers map[string]any
}

// WriteReport writes one HTML file that needs nothing beside it and no network: the script and the style of all pages,
// and the answers that a server would give. Equal reports give equal bytes. Everything that came from a program stands
// in the packed answers, as data, or is escaped.
func WriteReport(w io.Writer, r Report) error {
	answers, err := packed(r)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	script, style := embedded("hone.js"), embedded("hone.css")
	// Neither text may end its element. The bundler's output never does; its minifier escapes </script in strings.
	if strings.Contains(strings.ToLower(script), "</script") || strings.Contains(strings.ToLower(style), "</style") {
		return fmt.Errorf("write report: the embedded files end their own element")
	}
	b := &bytes.Buffer{}
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(b, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", filePolicy(script))
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"referrer\" content=\"no-referrer\">\n")
	fmt.Fprintf(b, "<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", html.EscapeString(r.Title), style)
	fmt.Fprintf(b, "<noscript><h1>%s</h1>\n", html.EscapeString(r.Title))
	for _, line := range r.Summary {
		fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(line))
	}
	b.WriteString("<p>The charts and profiles of this report need JavaScript.</p></noscript>\n")
	fmt.Fprintf(b, "<script type=\"application/octet-stream\" id=\"hone-answers\">%s</script>\n", answers)
	fmt.Fprintf(b, "<script>%s</script>\n</body>\n</html>\n", script)
	_, err = w.Write(b.Bytes())
	return err
}

// packed are the answers as the script unpacks them: a JSON object, in gzip, in base64.
func packed(r Report) (string, error) {
	all := map[string]any{"first": r.First}
	for address, page := range r.Answers {
		all[address] = page
	}
	text, err := json.Marshal(all) // in the order of the keys
	if err != nil {
		return "", err
	}
	b := &bytes.Buffer{}
	z, err := gzip.NewWriterLevel(b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(text); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// filePolicy lets a file run its own script, and load or send nothing.
func filePolicy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; style-src 'unsafe-inline'; " +
		"img-src data: blob:; base-uri 'none'; form-action 'none'"
}

// embedded is the text of a file of dist.
func embedded(name string) string {
	text, err := dist.ReadFile("dist/" + name)
	if err != nil {
		panic(err) // go:embed names it
	}
	return string(text)
}
