package robust

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/http2"
)

// Every server takes a client that asks and goes, and ends when it is told to: a trial leaves
// nothing at work.
func TestHostileServersEnd(t *testing.T) {
	for _, e := range encounters() {
		t.Run(e.server.Name+" "+e.scheme, func(t *testing.T) {
			t.Parallel()
			h, err := open(e, 1)
			if err != nil {
				t.Fatal(err)
			}
			c, err := net.Dial("tcp", h.address())
			if err != nil {
				h.close()
				return // reset at once
			}
			defer c.Close()
			if s := schemes[e.scheme]; s.tls && !e.server.Raw && !e.server.Deaf {
				secure := tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
				if err := secure.Handshake(); err != nil {
					h.close()
					return // it closes, or resets, at once
				}
				c = secure
			}
			request := "GET / HTTP/1.1\r\nHost: there\r\n\r\n"
			if schemes[e.scheme].http2 {
				request = http2.ClientPreface
			}
			_, _ = c.Write([]byte(request)) // some are gone by now
			h.close()                       // the test ends only if this does
		})
	}
}

// What a server counts as right is what it gave.
func TestHostileServersCountTheirRightAnswers(t *testing.T) {
	for _, e := range encounters() {
		if e.server.Name != "two answers for a request" || e.scheme != "http" {
			continue
		}
		h, err := open(e, 1)
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", h.address())
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: there\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
			answers := make([]byte, 2*len(rightAnswer))
			if _, err := c.Read(answers); err != nil {
				t.Fatal(err)
			}
		}
		c.Close()
		h.close()
		if got := h.right.Load(); got != 3 {
			t.Errorf("%d right answers, want 3", got)
		}
		return
	}
	t.Error("that server is not there")
}

// Each server has a name of its own, and names only schemes that are known.
func TestServersAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range servers {
		if seen[s.Name] || s.Name == "" || strings.Contains(s.Name, "|") {
			t.Errorf("%q is there twice, or breaks the table", s.Name)
		}
		seen[s.Name] = true
		for _, scheme := range s.Schemes {
			if _, known := schemes[scheme]; !known {
				t.Errorf("%s: unknown scheme %q", s.Name, scheme)
			}
		}
	}
	if len(servers) < 12 {
		t.Errorf("%d servers", len(servers))
	}
}
