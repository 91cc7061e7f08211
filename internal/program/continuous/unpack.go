package continuous

import (
	"compress/gzip"
	"io"
	"net/http"

	"github.com/gohone/hone/internal/text/inputs"
)

const (
	// mostGrowth is how many times its own size an answer may unpack to, beyond slack: profiles and lists of series
	// grow by 3 to 30 times, what was made to fill the memory by 1,000.
	mostGrowth = 100
	slack      = 4 << 20
)

// unpacked is the body of an answer, also if that is gzipped.
func (c *client) unpacked(answer *http.Response) (io.Reader, error) {
	if answer.Header.Get("Content-Encoding") != "gzip" {
		return answer.Body, nil
	}
	packed := &counted{r: answer.Body}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return &growing{c: c, packed: packed, r: z}, nil
}

// counted counts what was read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// growing ends what grows beyond all measure when it is unpacked.
type growing struct {
	c      *client
	packed *counted
	r      io.Reader
	out    int64
}

func (g *growing) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if g.out += int64(n); g.out > slack+mostGrowth*g.packed.n {
		bound := inputs.Pulled
		bound.Most = slack + mostGrowth*g.packed.n
		return 0, bound.Beyond(g.c.String())
	}
	return n, err
}
