package pprofhttp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// maxHeapPage bounds how much of the heap's page is read; the statistics stand at its end, behind a line and a stack for
// each of its sites.
const maxHeapPage = 64 << 20

// ErrLongHeapPage is the error of a heap's page that is larger than any real one.
var ErrLongHeapPage = fmt.Errorf("the heap's page has over %d MB", maxHeapPage>>20)

// ReadHeapPage reads heap?debug=1 of net/http/pprof, which is text, to its end: each line of runtime.MemStats
// ("# NAME = VALUE"), and each site of the profile ("OBJECTS: BYTES [ALLOCATED: BYTES] @ ..."; the first line, of all
// sites, is one, too). What its functions return ends the reading. Either may be nil.
func ReadHeapPage(from io.Reader, stat func(name, value string) error, site func(line []byte) error) error {
	limited := &io.LimitedReader{R: from, N: maxHeapPage}
	lines := bufio.NewReaderSize(limited, 64<<10)
	for {
		text, err := lines.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // a stack as long as that is none of these
			_, err = lines.ReadSlice('\n')
			text = nil
		}
		var refused error
		if fact, is := bytes.CutPrefix(text, []byte("# ")); is && stat != nil {
			if name, value, found := strings.Cut(string(fact), " = "); found {
				refused = stat(name, strings.TrimSpace(value))
			}
		} else if site != nil && bytes.Contains(text, []byte("] @")) {
			refused = site(text)
		}
		switch {
		case refused != nil:
			return refused
		case limited.N == 0:
			return ErrLongHeapPage
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// HeapPage asks for the heap's page as text, and calls read with it. The program collects no garbage for it. Errors are
// those of Profile, or read's.
func (c *Client) HeapPage(ctx context.Context, read func(io.Reader) error) error {
	return c.read(ctx, c.base+"/heap?debug=1", read)
}

// maxVars bounds the page of package expvar, which has whatever the program publishes.
const maxVars = 16 << 20

// MemStatsVar asks the page of package expvar for its variable memstats. Errors are those of Profile.
func (c *Client) MemStatsVar(ctx context.Context, into any) error {
	u, err := url.Parse(c.base)
	if err != nil {
		return err
	}
	u.Path = "/debug/vars"
	return c.read(ctx, u.String(), func(r io.Reader) error {
		var page struct{ Memstats json.RawMessage }
		if err := json.NewDecoder(io.LimitReader(r, maxVars)).Decode(&page); err != nil {
			return err
		}
		return json.Unmarshal(page.Memstats, into)
	})
}

// read asks for a page and gives it to read.
func (c *Client) read(ctx context.Context, page string, read func(io.Reader) error) error {
	body, bounded, err := c.open(ctx, page, c.patience)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := read(body); err != nil {
		if bounded.Err() != nil {
			return silence(ctx, page, err)
		}
		return fmt.Errorf("read %s: %w", page, err)
	}
	return nil
}
