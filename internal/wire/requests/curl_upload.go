package requests

import (
	"path"
	"strings"
)

// upload is -T: the body of a PUT. The empty name is none.
func (c *curl) upload(name string) error {
	switch {
	case name == "":
		return nil
	case c.put:
		return refuse("give one file", "it has two files to send by -T, %q and %q", c.file, name)
	}
	c.put, c.file = true, name
	return nil
}

// sendFile takes the file of -T when all options are known, as curl does: where the path of the URL ends in a slash,
// the file's name belongs to it, percent-encoded (curl's manual, -T).
func (c *curl) sendFile() error {
	switch {
	case c.hasData || c.form != nil:
		return refuse("keep one of them", "-T is given with -d or -F, and each is the body")
	case !c.glob && (hasRange(c.file) || strings.ContainsAny(c.file, "{}")):
		return refuse("give one file; or curl -g, if these signs belong to its name",
			"-T %q has a pattern of several files", c.file)
	}
	var err error
	if c.data, err = c.read(c.file); err != nil {
		return err
	}
	c.hasData = true
	before, query, asks := strings.Cut(c.out.Path, "?")
	if !strings.HasSuffix(before, "/") {
		return nil
	}
	before += encodedName(path.Base(c.file))
	if asks {
		before += "?" + query
	}
	c.out.Path = before
	return nil
}

// encodedName encodes all but what RFC 3986 section 2.3 leaves as it is.
func encodedName(name string) string {
	const digits = "0123456789abcdef" // as curl writes them
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
