package requests

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/url"
	"path/filepath"
	"strings"
)

// header is -H: a line, "Name;" for an empty value, "Name:" to take one away, @FILE.
func (c *curl) header(line string) error {
	if name, ok := strings.CutPrefix(line, "@"); ok {
		text, err := c.readFile(name)
		if err != nil {
			return err
		}
		for _, one := range strings.Split(string(text), "\n") {
			if one = strings.TrimSpace(one); one != "" {
				if err := c.header(one); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if strings.HasPrefix(line, ":") { // ":authority: h", of HTTP/2
		c.headers = append(c.headers, line)
		return nil
	}
	name, value, ok := strings.Cut(line, ":")
	switch {
	case !ok && strings.HasSuffix(line, ";"):
		c.headers = append(c.headers, strings.TrimSuffix(line, ";")+":")
	case !ok:
		return refuse("write -H 'Name: value'", "header %q is not of the form Name: value", line)
	case strings.TrimSpace(value) == "":
		c.gone[strings.ToLower(strings.TrimSpace(name))] = true
		c.note("-H '%s:' takes a header away that curl would send", strings.TrimSpace(name))
	default:
		c.headers = append(c.headers, line)
	}
	return nil
}

// named sets a header that an option of its own stands for; an empty value leaves it out.
func (c *curl) named(name, value string) error {
	if value == "" {
		return nil
	}
	return c.header(name + ": " + value)
}

// cookie is -b: cookies, where there is a =, else a file.
func (c *curl) cookie(value string) error {
	switch {
	case value == "":
		return nil
	case strings.HasPrefix(value, "@") || !strings.Contains(value, "="):
		return refuse(hintAnswer, "-b %s names a file", value)
	}
	return c.header("Cookie: " + value)
}

// addData is -d and its kin: with @, a file's bytes, without the ends of its lines if
// lines.
func (c *curl) addData(value string, at, lines bool) error {
	data := []byte(value)
	if name, ok := strings.CutPrefix(value, "@"); ok && at {
		var err error
		if data, err = c.readFile(name); err != nil {
			return err
		}
		if lines {
			data = []byte(strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(string(data))) // as curl does
		}
	}
	c.appendData(data, "&")
	return nil
}

func (c *curl) appendData(data []byte, separator string) {
	if c.hasData && separator != "" {
		c.data = append(c.data, separator...)
	}
	c.data, c.hasData = append(c.data, data...), true
}

// addJSON is --json: several are put together as they are.
func (c *curl) addJSON(value string) error {
	c.json = true
	data := []byte(value)
	if name, ok := strings.CutPrefix(value, "@"); ok {
		var err error
		if data, err = c.readFile(name); err != nil {
			return err
		}
	}
	c.appendData(data, "")
	return nil
}

// addEncoded is --data-urlencode: content, =content, name=content, @file or name@file.
func (c *curl) addEncoded(value string) error {
	text, err := c.encoded(value)
	if err != nil {
		return err
	}
	c.appendData([]byte(text), "&")
	return nil
}

// addQuery is --url-query: as --data-urlencode, or +TEXT as it is.
func (c *curl) addQuery(value string) error {
	if plain, ok := strings.CutPrefix(value, "+"); ok {
		c.query = append(c.query, plain)
		return nil
	}
	text, err := c.encoded(value)
	c.query = append(c.query, text)
	return err
}

func (c *curl) encoded(value string) (string, error) {
	name, content := "", value
	if i := strings.IndexAny(value, "=@"); i >= 0 {
		name, content = value[:i], value[i+1:]
		if value[i] == '@' {
			text, err := c.readFile(content)
			if err != nil {
				return "", err
			}
			content = string(text)
		}
	}
	content = strings.ReplaceAll(url.QueryEscape(content), "+", "%20")
	if name != "" {
		return name + "=" + content, nil
	}
	return content, nil
}

// upload is -T: the body of a PUT.
func (c *curl) upload(name string) error {
	if name == "-" || name == "." {
		return refuse("name a file", "-T %s would read what is typed", name)
	}
	data, err := c.readFile(name)
	if err != nil {
		return err
	}
	c.put, c.hasData, c.data = true, true, data
	return nil
}

// formBoundary parts a form's parts. It is the same in every request, so that what is
// measured is the same, too.
const formBoundary = "------------------------hone2f0c1a7be5d94386"

// form is a multipart/form-data body (RFC 7578).
type form struct{ body bytes.Buffer }

// addForm is -F name=value, name=@file, name=<file, with ;type= and ;filename=. plain
// says that none of these is meant.
func (c *curl) addForm(value string, special bool) error {
	name, content, ok := strings.Cut(value, "=")
	if !ok {
		return refuse("write -F name=value", "-F %q is not of the form name=value", value)
	}
	if c.form == nil {
		c.form = &form{}
	}
	var file, kind string
	if special && content != "" && (content[0] == '@' || content[0] == '<') {
		path, rest, _ := strings.Cut(content[1:], ";")
		if strings.Contains(path, ",") && content[0] == '@' {
			return refuse("give each file an -F of its own", "-F %q names several files", value)
		}
		if content[0] == '@' {
			file, kind = filepath.Base(path), cmp.Or(mime.TypeByExtension(filepath.Ext(path)), "application/octet-stream")
		}
		for _, part := range strings.Split(rest, ";") {
			key, v, _ := strings.Cut(strings.TrimSpace(part), "=")
			switch key {
			case "":
			case "type":
				kind = v
			case "filename":
				file = strings.Trim(v, `"`)
			default:
				return refuse("type= and filename= are possible", "-F %q: hone does not know %s=", value, key)
			}
		}
		data, err := c.readFile(path)
		if err != nil {
			return err
		}
		content = string(data)
	} else if i := strings.LastIndex(content, ";type="); special && i >= 0 {
		content, kind = content[:i], content[i+len(";type="):]
	}
	if strings.Contains(content, formBoundary) {
		return refuse("put the body together yourself: --data-binary @FILE", "-F %s: its content holds the text that parts a form", name)
	}
	if strings.ContainsAny(kind, "\r\n") {
		return refuse("write type=text/plain", "-F %s: its type holds the end of a line", name)
	}
	b := &c.form.body
	fmt.Fprintf(b, "--%s\r\nContent-Disposition: form-data; name=\"%s\"", formBoundary, quoted.Replace(name))
	if file != "" {
		fmt.Fprintf(b, "; filename=\"%s\"", quoted.Replace(file))
	}
	b.WriteString("\r\n")
	if kind != "" {
		fmt.Fprintf(b, "Content-Type: %s\r\n", kind)
	}
	b.WriteString("\r\n" + content + "\r\n")
	return nil
}

// quoted writes a name of a form's part: RFC 7578 section 2 and what browsers do.
var quoted = strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A")

func (f *form) end() []byte {
	f.body.WriteString("--" + formBoundary + "--\r\n")
	return f.body.Bytes()
}
