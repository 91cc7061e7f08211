package requests

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
)

// Curl is what a curl command line asks for.
type Curl struct {
	wire.Request
	// Scheme is http or https, Host the host and port of the URL as they are written.
	Scheme, Host string
	// HTTP2 is --http2 and --http2-prior-knowledge, Insecure -k, CA --cacert, Socket
	// --unix-socket.
	HTTP2, Insecure bool
	CA, Socket      string
	// Notes say what was left out and what is another way here.
	Notes []string
}

// Target is the URL, as hone load takes one.
func (c *Curl) Target() string {
	if c.Socket != "" {
		return "unix:" + c.Socket + ":" + c.Path
	}
	return c.Scheme + "://" + c.Host + c.Path
}

// ReadCurl reads a curl command line, as people write it and as browsers copy it. Every
// option is taken, left out with a note, or refused. readFile reads what @FILE names.
// Errors are *fail.Error of kind BadInput.
func ReadCurl(line string, readFile func(name string) ([]byte, error)) (*Curl, error) {
	if err := inputs.Command.Over("", int64(len(line))); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	words, err := Words(line)
	if err != nil {
		return nil, fail.New(fail.BadInput, "curl command: %w", err).WithHint("%s", fail.HintOf(err))
	}
	if len(words) > 0 && (words[0] == "curl" || strings.HasSuffix(words[0], "/curl") || words[0] == "curl.exe") {
		words = words[1:]
	}
	c := &curl{readFile: readFile, curlHeaders: curlHeaders{gone: map[string]bool{}}}
	if err := c.options(words); err != nil {
		return nil, err
	}
	return c.finish()
}

// curl is a command line that is being read.
type curl struct {
	out      Curl
	readFile func(name string) ([]byte, error)
	upgrade  bool // --http2
	ignored  []string
	curlURL
	curlMethod
	curlHeaders
	curlBody
}

// curlURL is what a command line says of the URL.
type curlURL struct {
	url   string
	glob  bool // -g: the URL has no patterns
	query []string
}

// curlMethod is what a command line says of the method.
type curlMethod struct {
	method string
	get    bool // -G
	head   bool // -I
	put    bool // -T
}

// curlHeaders is what a command line says of the headers.
type curlHeaders struct {
	headers []string
	gone    map[string]bool // headers that -H 'Name:' takes away, in lower case
	coded   bool            // --compressed
	user    string
	hasUser bool
}

// curlBody is what a command line says of the body.
type curlBody struct {
	data    []byte
	hasData bool
	json    bool
	file    string
	form    []formField
	escaped bool // --form-escape
}

func refuse(hint, format string, args ...any) error {
	return fail.New(fail.BadInput, "curl command: %s", fmt.Sprintf(format, args...)).WithHint("%s", hint)
}

// options reads the words after curl.
func (c *curl) options(words []string) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		value := func(name string) (string, error) {
			if i++; i == len(words) {
				return "", refuse("give it its value, or leave it out", "%s has no value", name)
			}
			return words[i], nil
		}
		var err error
		switch {
		case len(word) < 2 || word[0] != '-':
			err = c.setURL(word)
		case word == "--":
			for _, rest := range words[i+1:] {
				if err := c.setURL(rest); err != nil {
					return err
				}
			}
			return nil
		case word[1] == '-':
			err = c.option(word[2:], "", false, value)
		default:
			err = c.letters(word[1:], value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// letters reads options of one letter: -sSL, -XPOST.
func (c *curl) letters(letters string, value func(string) (string, error)) error {
	for i := range len(letters) {
		name, known := curlLetters[letters[i]]
		if !known {
			return refuse("leave it out, if the request is the same without it", "hone does not know its option -%c",
				letters[i])
		}
		if takesValue(name) {
			return c.option(name, letters[i+1:], i+1 < len(letters), value)
		}
		if err := c.option(name, "", false, value); err != nil {
			return err
		}
	}
	return nil
}

func takesValue(name string) bool {
	o := curlOptions[name]
	return o != nil && o.value
}

// option reads one option by its long name. glued is the value that stands with it.
func (c *curl) option(name, glued string, isGlued bool, value func(string) (string, error)) error {
	o := curlOptions[name]
	if o == nil {
		if positive, ok := strings.CutPrefix(name, "no-"); ok && curlOptions[positive] != nil {
			return nil // it switches off what is off here
		}
		unknown := fmt.Sprintf("hone does not know its option --%s", name)
		if near := fail.Nearest(name, curlNames()); near != "" {
			unknown += fmt.Sprintf(" (did you mean --%s?)", near)
		}
		return refuse("leave it out, if the request is the same without it", "%s", unknown)
	}
	var err error
	if o.value {
		if !isGlued {
			if glued, err = value("--" + name); err != nil {
				return err
			}
		}
	}
	switch {
	case o.refused != "":
		return refuse(o.refused, "--%s is not possible here", name)
	case o.note != "":
		c.note("--%s: %s", name, o.note)
	case o.take == nil:
		if !slices.Contains(c.ignored, "--"+name) {
			c.ignored = append(c.ignored, "--"+name)
		}
	default:
		return o.take(c, glued)
	}
	return nil
}

func (c *curl) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(c.out.Notes, n) {
		c.out.Notes = append(c.out.Notes, n)
	}
}

func (c *curl) setURL(text string) error {
	if c.url != "" {
		return refuse("give one URL; several are TARGET arguments of hone load, or paths in a HAR file",
			"it has two URLs, %q and %q", c.url, text)
	}
	if text == "" {
		return refuse("give it the URL", "its URL is empty")
	}
	c.url = text
	return nil
}

// finish puts the request together.
func (c *curl) finish() (*Curl, error) {
	if err := c.place(); err != nil {
		return nil, err
	}
	if err := c.content(); err != nil {
		return nil, err
	}
	if c.hasUser && !c.sends("authorization") {
		if !strings.Contains(c.user, ":") {
			return nil, refuse("write -u USER:PASSWORD", "-u %s: curl would ask for the password", c.user)
		}
		c.headers = append(c.headers, "Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(c.user)))
	}
	if c.coded && !c.sends("accept-encoding") {
		c.headers = append(c.headers, "Accept-Encoding: deflate, gzip")
	}
	if !c.sends("accept") {
		c.headers = append([]string{"Accept: */*"}, c.headers...)
	}
	if len(c.ignored) > 0 {
		c.note("left out, since they change curl's output or its way of working and not the request: %s",
			strings.Join(c.ignored, " "))
	}
	c.out.Headers = c.kept()
	c.out.Body = c.data
	return &c.out, nil
}

// sends says that the command has the header, or takes it away.
func (c *curl) sends(name string) bool {
	return c.gone[name] || slices.ContainsFunc(c.headers, func(line string) bool { return nameOf(line) == name })
}

// nameOf is a header's name in lower case.
func nameOf(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.ToLower(strings.TrimSpace(name))
}

// kept are the headers without those that hone sets itself.
func (c *curl) kept() (all []string) {
	for _, line := range c.headers {
		switch name := nameOf(line); name {
		case "content-length", "transfer-encoding", "expect", "upgrade", "http2-settings":
			c.note("header %s is left out: hone frames messages itself", name)
		case "connection", "proxy-connection", "keep-alive":
			if name == "connection" && strings.EqualFold(strings.TrimSpace(line[strings.IndexByte(line, ':')+1:]),
				"close") && !c.out.HTTP2 {
				all = append(all, line)
				continue
			}
			c.note("header %s is left out: connections are kept, or closed as hone's flags say", name)
		default:
			if name = strings.TrimPrefix(name, ":"); strings.HasPrefix(line, ":") {
				c.note("header :%s is left out: it is a part of HTTP/2's request line", name)
				continue
			}
			all = append(all, line)
		}
	}
	return all
}

// place reads the URL.
func (c *curl) place() error {
	text := c.url
	if text == "" {
		return refuse("write it like curl http://127.0.0.1:8080/items", "it has no URL")
	}
	if !c.glob && (hasRange(text) || strings.ContainsAny(text, "{}")) {
		return refuse("give one URL; {name} is for the columns of --feed: write it in the flags of hone, or give curl -g for plain braces",
			"the URL %q has a pattern of several", text)
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text // as curl does
	}
	u, err := url.Parse(strings.ReplaceAll(text, " ", "%20"))
	if err != nil {
		return refuse("write it like http://127.0.0.1:8080/items", "URL %q: %v", c.url, withoutURL(err))
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("http:// and https:// can be loaded this way; other protocols as a TARGET",
			"URL %q is of the protocol %s", c.url, u.Scheme)
	}
	if u.Host == "" {
		return refuse("write it like http://127.0.0.1:8080/items", "URL %q names no host", c.url)
	}
	if u.User != nil && !c.hasUser {
		password, _ := u.User.Password()
		c.user, c.hasUser = u.User.Username()+":"+password, true
	}
	if c.upgrade && u.Scheme == "http" {
		c.out.HTTP2 = false
		c.note("--http2 of a plain http:// URL asks to upgrade HTTP/1.1, which hone does not: HTTP/1.1 is spoken, as curl does with a server that does not upgrade; --http2-prior-knowledge speaks HTTP/2 at once")
	}
	if u.Fragment != "" {
		c.note("#%s is left out: a fragment is not sent", u.Fragment)
	}
	c.out.Scheme, c.out.Host = u.Scheme, u.Host
	c.out.Path = pathOf(u)
	return nil
}

// hasRange says that a URL has a range of curl: [1-100] or [a-z]. An IPv6 address has none.
func hasRange(text string) bool {
	_, after, found := strings.Cut(text, "[")
	inside, _, closed := strings.Cut(after, "]")
	return found && closed && strings.Contains(inside, "-")
}

// withoutURL is an error of package url without the URL that it repeats.
func withoutURL(err error) error {
	if e, ok := err.(*url.Error); ok {
		return e.Err
	}
	return err
}

// pathOf is the path and query of u as on the wire. Braces are encoded, since {name} is a
// template of hone.
func pathOf(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	return plainBraces(path)
}

var braces = strings.NewReplacer("{", "%7B", "}", "%7D")

func plainBraces(path string) string { return braces.Replace(path) }

// content settles method and body.
func (c *curl) content() error {
	if c.put {
		if err := c.sendFile(); err != nil {
			return err
		}
	}
	if c.form != nil {
		if err := c.sendForm(); err != nil {
			return err
		}
	}
	if c.head && c.hasData && (!c.get || c.put || c.form != nil) {
		return refuse("keep one of them; -X HEAD sends a body with HEAD",
			"-I is given with a body (-d, -F, -T), which curl refuses, too")
	}
	if c.get && c.hasData && !c.put && c.form == nil { // curl: -G is about -d alone
		c.query = append(c.query, string(c.data))
		c.data, c.hasData = nil, false
	}
	for _, q := range c.query {
		separator := "?"
		if strings.Contains(c.out.Path, "?") {
			separator = "&"
		}
		c.out.Path += separator + plainBraces(strings.NewReplacer(" ", "%20", "\n", "%0A", "\r", "%0D", "#",
			"%23").Replace(q))
	}
	method := "GET"
	switch {
	case c.head:
		method = "HEAD"
	case c.put:
		method = "PUT"
	case c.hasData:
		method = "POST"
	}
	if c.method != "" {
		method = c.method
	}
	if method == "HEAD" && !c.head {
		c.note("-X HEAD is taken as -I: answers have no body")
	}
	c.out.Method = method
	if c.hasData && !c.put && c.form == nil {
		switch {
		case c.json:
			if !c.sends("content-type") {
				c.headers = append(c.headers, "Content-Type: application/json")
			}
			if !c.sends("accept") {
				c.headers = append(c.headers, "Accept: application/json")
			}
		case !c.sends("content-type"):
			c.headers = append(c.headers, "Content-Type: application/x-www-form-urlencoded")
		}
	}
	return nil
}
