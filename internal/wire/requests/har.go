package requests

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
)

// HAROptions say which entries of a recording are taken.
type HAROptions struct {
	// Host is the host, or host and port, whose requests are taken; empty: that of most
	// entries.
	Host string
	// Methods are those that are taken; empty: GET and HEAD.
	Methods []string
	// Mixed makes a mix of them, see Collector.
	Mixed bool
}

// harEntry is what a HAR 1.2 file says of one request.
type harEntry struct {
	StartedDateTime string `json:"startedDateTime"`
	Request         struct {
		Method   string    `json:"method"`
		URL      string    `json:"url"`
		Headers  harFields `json:"headers"`
		PostData *harPost  `json:"postData"`
	} `json:"request"`
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
	WebSocketMessages json.RawMessage `json:"_webSocketMessages"`
}

// harPost is the body of a request.
type harPost struct {
	MimeType string    `json:"mimeType"`
	Text     string    `json:"text"`
	Encoding string    `json:"encoding"` // of Firefox: base64
	Params   harFields `json:"params"`
}

// harField is a header or a field of a form.
type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// harFields are bounded: three bytes of a file would else take fifty of memory.
type harFields []harField

const mostFields = 10_000

// UnmarshalJSON implements json.Unmarshaler.
func (f *harFields) UnmarshalJSON(text []byte) error {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("null")) > mostFields &&
		bytes.Count(text, []byte(",")) >= mostFields {
		return fmt.Errorf("an entry has more than %d headers or fields", mostFields)
	}
	return json.Unmarshal(text, (*[]harField)(f))
}

// size is about what an entry takes in memory, in bytes.
func (e *harEntry) size() (n int) {
	fields := slices.Clip(e.Request.Headers)
	if p := e.Request.PostData; p != nil {
		n += len(p.Text)
		fields = append(fields, p.Params...)
	}
	for _, f := range fields {
		n += 64 + len(f.Name) + len(f.Value)
	}
	return n
}

// ReadHAR reads a browser's recording (HAR 1.2). Of each entry it takes method, path,
// query, body, and the headers that an application may look at. Cookies, headers that
// hold secrets and those that belong to one connection or one browser are left out. name
// is for errors, which are *fail.Error of kind BadInput.
func ReadHAR(name string, r io.Reader, o HAROptions) (*List, error) {
	if len(o.Methods) == 0 {
		o.Methods = []string{"GET", "HEAD"}
	}
	texts := newHARCutter(name, inputs.HAR.Reader(name, inputs.Text(r))) // HAR 1.2: a byte order mark is ignored
	in := json.NewDecoder(texts)
	entries, err := harEntries(in, texts, o.Methods)
	if large := (*inputs.TooLarge)(nil); errors.As(err, &large) {
		return nil, fail.New(fail.BadInput, "%w", large)
	}
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s: byte %d: %w", name, in.InputOffset()+1, err).
			WithHint("a HAR file is JSON with log.entries, as the network tab of a browser's developer tools exports it")
	}
	h := &harReader{Collector: NewCollector(o.Mixed), options: o, headers: map[string]int{}}
	if h.options.Host == "" {
		h.options.Host = usualHost(entries)
	}
	for i := range entries {
		h.entry(&entries[i])
	}
	l := h.Finish(false)
	if h.options.Host != "" {
		l.Notes = append(l.Notes, "requests to "+h.options.Host+" are taken, and go to the target")
	}
	if n := h.noteHeaders(); n != "" {
		l.Notes = append(l.Notes, n)
	}
	return l, l.NotEmpty(name, "--set har.host NAME and --methods GET,POST say which requests are taken")
}

// NotEmpty is the error for a list that is empty: nothing of the file name was taken.
func (l *List) NotEmpty(name, hint string) error {
	if len(l.Requests) > 0 {
		return nil
	}
	var why []string
	for _, r := range l.LeftOut {
		why = append(why, fmt.Sprintf("%d %s", r.Count, r.Why))
	}
	if len(why) == 0 {
		return fail.New(fail.BadInput, "%s has no entries", name)
	}
	return fail.New(fail.BadInput, "%s: none of its %d entries is taken: %s", name, l.Found,
		strings.Join(why, "; ")).WithHint("%s", hint)
}

// harEntries reads log.entries, one after the other: the bodies of answers, which make
// most of a recording, are dropped as they come, and those of requests that will not be taken.
func harEntries(in *json.Decoder, texts *harCutter, methods []string) (all []harEntry, err error) {
	if err := enter(in, texts, "log"); err != nil {
		return nil, err
	}
	if err := enter(in, texts, "entries"); err != nil {
		return nil, err
	}
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.Join(errors.New("log.entries is not a list"), err)
	}
	for kept := 0; in.More(); {
		var e harEntry
		texts.next()
		if err := in.Decode(&e); err != nil {
			return nil, err
		}
		if !slices.Contains(methods, strings.ToUpper(e.Request.Method)) {
			e.Request.Headers, e.Request.PostData = nil, nil
		} else if n := e.size(); kept+n > maxKept {
			e.Request.Headers, e.Request.PostData = nil, &harPost{Text: cutMark}
		} else {
			kept += n
		}
		if e.WebSocketMessages != nil {
			e.WebSocketMessages = json.RawMessage("1")
		}
		all = append(all, e)
		if len(all) > maxEntries {
			return nil, fmt.Errorf("more than %d entries", maxEntries)
		}
	}
	_, err = in.Token()
	return all, err
}

// enter reads an object up to the value of a key.
func enter(in *json.Decoder, texts *harCutter, key string) error {
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(fmt.Errorf("there is no object with the key %q", key), err)
	}
	for in.More() {
		t, err := in.Token()
		if err != nil {
			return err
		}
		if t == key {
			return nil
		}
		texts.next()
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			return err
		}
	}
	return fmt.Errorf("the key %q is missing", key)
}

// usualHost is the host that most entries go to, the first of them if there are several.
func usualHost(all []harEntry) (host string) {
	count := map[string]int{}
	most := 0
	for i := range all {
		if u, err := url.Parse(all[i].Request.URL); err == nil && u.Host != "" {
			count[strings.ToLower(u.Host)]++
		}
	}
	for _, n := range count {
		most = max(most, n)
	}
	for i := range all {
		if u, err := url.Parse(all[i].Request.URL); err == nil && count[strings.ToLower(u.Host)] == most &&
			u.Host != "" {
			return strings.ToLower(u.Host)
		}
	}
	return ""
}

type harReader struct {
	*Collector
	options HAROptions
	headers map[string]int // those left out, by name
}

// entry takes one entry, or says why not.
func (h *harReader) entry(e *harEntry) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || !httpguts.ValidHeaderFieldName(e.Request.Method) {
		h.Leave("not a URL and a method")
		return
	}
	method := strings.ToUpper(e.Request.Method)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		h.Leave("of another protocol than HTTP (" + ShortName(u.Scheme) + ")")
		return
	case e.WebSocketMessages != nil || e.Response.Status == 101:
		h.Leave("WebSocket")
		return
	case !strings.EqualFold(u.Host, h.options.Host) && !strings.EqualFold(u.Hostname(), h.options.Host):
		h.Leave("to another host")
		return
	case !slices.Contains(h.options.Methods, method):
		h.Leave("of the method " + ShortName(method) + ", which may change data (--methods takes it)")
		return
	}
	at, err := time.Parse(time.RFC3339Nano, e.StartedDateTime)
	if err != nil {
		h.Leave("without a time")
		return
	}
	r := wire.Request{Method: method, Path: pathOf(u), Raw: true}
	kind, why := h.body(&r, e)
	if why != "" {
		h.Leave(why)
		return
	}
	r.Headers = h.kept(e.Request.Headers, kind)
	h.Take(r, at)
}

// ShortName keeps a word of a file fit for a message.
func ShortName(text string) string {
	if text == "" {
		return "none"
	}
	return fmt.Sprintf("%.20s", strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, text))
}

// body takes the body of an entry; why says that it cannot be taken.
func (h *harReader) body(r *wire.Request, e *harEntry) (kind, why string) {
	p := e.Request.PostData
	if p == nil {
		return "", ""
	}
	text := p.Text
	switch {
	case strings.HasSuffix(text, cutMark):
		return "", "with a body over 16 MiB, or beyond the first 256 MiB of all"
	case p.Encoding == "base64":
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return "", "with a body that is not base64"
		}
		text = string(data)
	case text == "" && strings.HasPrefix(p.MimeType, "multipart/form-data"):
		return "", "with a form whose files are not in the recording"
	case text == "" && len(p.Params) > 0:
		form := url.Values{}
		for _, f := range p.Params {
			form.Add(f.Name, f.Value)
		}
		text = form.Encode()
	}
	if text == "" {
		return "", ""
	}
	r.Body = []byte(text)
	return p.MimeType, ""
}
