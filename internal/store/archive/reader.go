package archive

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
)

// reader reads the entries of an archive one by one and accepts plain files only.
type reader struct {
	files  *tar.Reader
	plain  *bounded
	packed *counter
	// size is what a plain archive of the entries so far takes: header and content of
	// each, filled up to whole blocks.
	size int64
}

// block is the unit of tar: POSIX.1-1988, section 10.1.1.
const block = 512

// Read reads the content of the entry.
func (r *reader) Read(p []byte) (int, error) { return r.files.Read(p) }

// header goes to the next entry, which has to be a plain file. The error is io.EOF at the
// end. known are the names of the manifest; nil while it is not read.
func (r *reader) header(known map[string]bool) (*tar.Header, error) {
	h, err := r.files.Next()
	if err == io.EOF {
		return nil, io.EOF
	}
	if err != nil && h == nil {
		return nil, r.fault("", err)
	}
	if err := checkHeader(h); err != nil {
		return nil, err
	}
	if known != nil {
		if err := checkName(h.Name); err != nil {
			return nil, refused(h.Name, "%w", err)
		}
	}
	r.size += block + (h.Size+block-1)/block*block
	return h, nil
}

// checkHeader accepts plain files without extensions of the format.
func checkHeader(h *tar.Header) error {
	kind := ""
	switch h.Typeflag {
	case tar.TypeReg:
		if h.Format != tar.FormatUSTAR || len(h.PAXRecords) > 0 {
			kind = "a file with an extended header"
		}
	case tar.TypeLink:
		kind = fmt.Sprintf("a hard link to %.80q", h.Linkname)
	case tar.TypeSymlink:
		kind = fmt.Sprintf("a symbolic link to %.80q", h.Linkname)
	case tar.TypeChar, tar.TypeBlock:
		kind = "a device"
	case tar.TypeDir:
		kind = "a directory"
	case tar.TypeFifo:
		kind = "a named pipe"
	default:
		kind = fmt.Sprintf("of type %q", h.Typeflag)
	}
	if kind != "" {
		return refused(h.Name, "it is %s; an archive of hone has plain files only", kind)
	}
	return nil
}

// next goes to the entry e of the manifest.
func (r *reader) next(e Entry, known map[string]bool) error {
	h, err := r.header(known)
	switch {
	case err == io.EOF:
		return refused(e.Name, "it is in the manifest and not in the archive")
	case err != nil:
		return err
	case !known[h.Name]:
		return refused(h.Name, "it is not in the manifest")
	case h.Name != e.Name:
		return refused(h.Name, "it is there twice or in the wrong place: the manifest has %.120q here", e.Name)
	case h.Size != e.Size:
		return refused(h.Name, "it has %d bytes, in the manifest %d", h.Size, e.Size)
	}
	return nil
}

// content reads the entry e, which the caller holds in memory.
func (r *reader) content(e Entry) ([]byte, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, r.fault(e.Name, err)
	}
	if sum := sumOf(data); sum != e.SHA256 {
		return nil, wrongSum(e, sum)
	}
	return data, nil
}

func wrongSum(e Entry, sum string) error {
	return refused(e.Name, "its SHA-256 is %s, in the manifest %s", sum, e.SHA256)
}

// end makes sure that nothing follows: no further entry, the two empty blocks that end a
// tar archive (section 10.1.1) and no more, and nothing after the gzip member.
func (r *reader) end(known map[string]bool) error {
	h, err := r.header(known)
	if err == nil && known[h.Name] {
		return refused(h.Name, "it is there twice")
	}
	if err == nil {
		return refused(h.Name, "it is not in the manifest")
	}
	if err != io.EOF {
		return err
	}
	if _, err := io.ReadFull(r.plain, make([]byte, 1)); err == nil {
		return refusal("there is more after the end of the tar archive")
	} else if err != io.EOF {
		return r.fault("", err)
	}
	if want := r.size + 2*block; r.plain.n != want {
		return refusal("it ends too early: %d bytes of %d", r.plain.n, want)
	}
	if _, err := r.packed.ReadByte(); err == nil {
		return refusal("there is more after the end of the gzip file")
	} else if err != io.EOF {
		return r.fault("", err)
	}
	return nil
}

// fault turns an error from below into a refusal, of the entry if one was being read.
func (r *reader) fault(name string, err error) error {
	switch {
	case errors.Is(err, errTooLarge):
		return refusal("%w", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it is cut off")
	}
	if name != "" {
		return refused(name, "%w", err)
	}
	return refusal("%w", err)
}

// counter counts the bytes of the packed archive. It is an io.ByteReader so that gzip reads
// no byte after its end.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// errTooLarge: the archive unpacks to more than the limits allow.
var errTooLarge = errors.New("it unpacks to too much")

// bounded reads what the archive unpacks to, up to the limits.
type bounded struct {
	r      io.Reader
	packed *counter
	limits Limits
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if b.n > b.limits.Total {
		return 0, fmt.Errorf("%w: over %d bytes", errTooLarge, b.limits.Total)
	}
	if b.n > b.limits.Slack+b.limits.Ratio*b.packed.n {
		return 0, fmt.Errorf("%w: over %d times its size", errTooLarge, b.limits.Ratio)
	}
	return n, err
}
