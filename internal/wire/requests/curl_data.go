package requests

import (
	"net/url"
	"strings"
)

// read reads the file of @FILE. What is typed, or comes from another command, is not known here.
func (c *curl) read(name string) ([]byte, error) {
	if name == "-" || name == "." {
		return nil, refuse("put it into a file, and name that", "the file %s is what is typed", name)
	}
	return c.readFile(name)
}

// header is -H: a line, "Name;" for an empty value, "Name:" to take one away, @FILE.
func (c *curl) header(line string) error {
	if name, ok := strings.CutPrefix(line, "@"); ok {
		text, err := c.read(name)
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
		if data, err = c.read(name); err != nil {
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
		if data, err = c.read(name); err != nil {
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
			text, err := c.read(content)
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
