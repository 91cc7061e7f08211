package requests

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// formBoundary parts a form's parts, formInner the files of one field. They are the same in every request, so that what
// is measured is the same, too.
const (
	formBoundary = "------------------------hone2f0c1a7be5d94386"
	formInner    = "------------------------hone5b83d17c90e64af2"
)

// formField is one -F or --form-string: one content, or the files of name=@FILE,FILE.
type formField struct {
	name  string
	files bool // its contents are files
	parts []formPart
}

// addForm is -F name=value, name=@file, name=<file, with ;type= and the like. plain: --form-string, where none of these
// is meant.
func (c *curl) addForm(value string, plain bool) error {
	name, content, ok := strings.Cut(value, "=")
	if !ok {
		return refuse("write -F name=value", "-F %q is not of the form name=value", value)
	}
	f := formField{name: name}
	w := &formWords{rest: content}
	switch {
	case plain:
		f.parts = []formPart{{content: content}}
	case strings.HasPrefix(content, "("), name == "" && content == ")":
		return refuse("put the body together yourself: --data-binary @FILE, with its Content-Type",
			"-F %q is about a form in a form", value)
	case strings.HasPrefix(content, "@"):
		w.rest, w.end, f.files = content[1:], ',', true
		for more := true; more; {
			var p formPart
			p, more = w.part()
			if !p.named {
				p.file = path.Base(p.content)
			}
			f.parts = append(f.parts, p)
		}
	case strings.HasPrefix(content, "<"):
		w.rest = content[1:]
		p, _ := w.part()
		p.file, p.named, f.files = "", false, true // as curl does: only -F name=@file has a file's name
		f.parts = []formPart{p}
	default:
		p, _ := w.part()
		f.parts = []formPart{p}
	}
	for i := range f.parts {
		if err := c.completePart(&f, &f.parts[i], strings.HasPrefix(content, "<")); err != nil {
			return err
		}
	}
	c.form = append(c.form, f)
	return nil
}

// completePart reads the files of a part, and settles its media type.
func (c *curl) completePart(f *formField, p *formPart, unnamed bool) error {
	for _, u := range p.unknown {
		c.note("-F %s: %q is left out, as curl does: it is not one of type= filename= headers= encoder=", f.name, u)
	}
	if p.coding != "" {
		return refuse("leave it out: parts are sent as they are", "-F %s: encoder=%s is not possible here", f.name,
			p.coding)
	}
	major, minor, _ := strings.Cut(p.kind, "/")
	if p.typed && (major == "" || minor == "" || strings.ContainsAny(p.kind, "\r\n")) {
		return refuse("write type=text/plain", "-F %s: %q is not a media type", f.name, p.kind)
	}
	for _, name := range p.headerFiles {
		text, err := c.read(name)
		if err != nil {
			return err
		}
		p.headers = append(p.headers, headerLines(string(text))...)
	}
	for _, line := range p.headers {
		if strings.IndexByte(line, ':') < 1 || strings.ContainsAny(line, "\r\n") {
			return refuse("write headers=\"Name: value\"", "-F %s: header %q is not of the form Name: value", f.name,
				line)
		}
	}
	named := p.content
	if f.files {
		text, err := c.read(p.content)
		if err != nil {
			return err
		}
		p.content = string(text)
	}
	if p.kind == "" {
		p.kind = mediaType(p.file)
	}
	if p.kind == "" && f.files {
		p.kind = mediaType(named)
	}
	if p.kind == "" && f.files && !unnamed {
		p.kind = "application/octet-stream"
	}
	if p.kind == "text/plain" && unnamed {
		p.kind = ""
	}
	return nil
}

// headerLines reads headers=@FILE: a line that begins with a blank goes on with the one before, # begins a comment.
func headerLines(text string) (all []string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, blanks)
		switch {
		case line == "" || line[0] == '#':
		case len(all) > 0 && (line[0] == ' ' || line[0] == '\t'):
			all[len(all)-1] += line
		default:
			all = append(all, line)
		}
	}
	return all
}

// mediaType is what curl sends for the name of a file; its list, and no other, so that the request is the same on every
// machine.
func mediaType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".gif":
		return "image/gif"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".png":
		return "image/png"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain"
	case ".htm", ".html":
		return "text/html"
	case ".pdf":
		return "application/pdf"
	case ".xml":
		return "application/xml"
	}
	return ""
}

// sendForm makes the body of -F, and the one Content-Type that goes with it: that of -H keeps its media type, as curl
// does, and gets the boundary.
func (c *curl) sendForm() error {
	if c.hasData {
		return refuse("keep one of the two", "-F and -d are both there")
	}
	kind, given := c.takeContentType()
	if c.gone["content-type"] || given && kind == "" {
		return refuse("leave that header out: hone sends the one that a form needs",
			"-F needs a Content-Type, and -H takes it away")
	}
	kind = cmp.Or(kind, "multipart/form-data")
	if media, _, _ := strings.Cut(kind, ";"); !strings.HasPrefix(strings.ToLower(media), "multipart/") {
		c.note("the Content-Type is %s and the body a form, as -H and -F say", media)
	}
	c.headers = append(c.headers, "Content-Type: "+kind+"; boundary="+formBoundary)
	disposition := "attachment"
	if media, _, _ := strings.Cut(kind, ";"); strings.EqualFold(strings.TrimSpace(media), "multipart/form-data") {
		disposition = "form-data"
	}
	var b bytes.Buffer
	for _, f := range c.form {
		for _, p := range f.parts {
			if strings.Contains(p.content, formBoundary) || strings.Contains(p.content, formInner) {
				return refuse("put the body together yourself: --data-binary @FILE",
					"-F %s: its content holds the text that parts a form", f.name)
			}
		}
		c.writeField(&b, f, disposition)
	}
	b.WriteString("--" + formBoundary + "--\r\n")
	c.data, c.hasData = b.Bytes(), true
	return nil
}

// takeContentType takes the first Content-Type of -H, without a boundary, and drops the others, as curl does with a
// form.
func (c *curl) takeContentType() (kind string, given bool) {
	kept := c.headers[:0]
	for _, line := range c.headers {
		if nameOf(line) != "content-type" {
			kept = append(kept, line)
			continue
		}
		_, value, _ := strings.Cut(line, ":")
		if given {
			c.note("a second Content-Type is left out, as curl does with -F: %s", strings.TrimSpace(value))
			continue
		}
		given = true
		quoted := false
		parts := strings.FieldsFunc(value, func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ';' && !quoted
		})
		for i, part := range parts {
			part = strings.TrimSpace(part)
			key, _, _ := strings.Cut(part, "=")
			switch {
			case strings.EqualFold(strings.TrimSpace(key), "boundary"):
				c.note("the boundary of -H is left out: -F makes the body, with a boundary of its own")
			case i == 0:
				kind = part
			case part != "":
				kind += "; " + part
			}
		}
	}
	c.headers = kept
	return kind, given
}

// writeField appends a field: several files are in a part of parts (RFC 2388 section 4.2), as curl sends them.
func (c *curl) writeField(b *bytes.Buffer, f formField, disposition string) {
	name := ""
	if f.name != "" {
		name = `; name="` + c.quoted(f.name) + `"`
	}
	if len(f.parts) == 1 {
		c.writePart(b, f.parts[0], formBoundary, disposition+name)
		return
	}
	fmt.Fprintf(b, "--%s\r\nContent-Disposition: %s%s\r\nContent-Type: multipart/mixed; boundary=%s\r\n\r\n",
		formBoundary, disposition, name, formInner)
	for _, p := range f.parts {
		c.writePart(b, p, formInner, "attachment")
	}
	fmt.Fprintf(b, "--%s--\r\n\r\n", formInner)
}

func (c *curl) writePart(b *bytes.Buffer, p formPart, boundary, disposition string) {
	has := func(name string) bool {
		return slices.ContainsFunc(p.headers, func(line string) bool { return nameOf(line) == name })
	}
	fmt.Fprintf(b, "--%s\r\n", boundary)
	if !has("content-disposition") {
		b.WriteString("Content-Disposition: " + disposition)
		if p.file != "" || p.named {
			b.WriteString(`; filename="` + c.quoted(p.file) + `"`)
		}
		b.WriteString("\r\n")
	}
	if p.kind != "" && !has("content-type") {
		fmt.Fprintf(b, "Content-Type: %s\r\n", p.kind)
	}
	for _, line := range p.headers {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("\r\n" + p.content + "\r\n")
}

// quoted writes a name in a head of a part: as browsers do (WHATWG HTML, multipart/form-data), or with \ by
// --form-escape.
func (c *curl) quoted(name string) string {
	if c.escaped {
		return strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\r", "%0D", "\n", "%0A").Replace(name)
	}
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(name)
}
