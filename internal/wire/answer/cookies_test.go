package answer

import (
	"strings"
	"sync/atomic"
	"testing"
)

// Of several cookies of one name that an answer sets, the value is the one that a browser would send: RFC 6265, 5.1 to
// 5.4.
func TestCookiesOfOneName(t *testing.T) {
	const past = "Expires=Thu, 01-Jan-1970 00:00:10 GMT"
	for _, tc := range []struct{ lines, want string }{
		{"s=1", "1"},
		{"s=1; Path=/|s=2; Path=/", "2"},
		{"s=expire; Max-Age=0; " + past + "; Path=/|s=ED0E; Path=/; HttpOnly", "ED0E"},
		{"s=ED0E; Path=/|s=; Max-Age=0; Path=/", ""},
		{"s=1; Path=/|s=2; " + past + "; Path=/", ""},
		{"s=1; Path=/|s=2; expires=Thu, 1 Jan 1970 00:00:00 GMT; path=/", ""},
		{"s=1; Path=/|s=2; Max-Age=-5; Path=/", ""},
		{"s=1; Max-Age=60; " + past, "1"},               // Max-Age counts
		{"s=1; Max-Age=soon", "1"},                      // no number: ignored
		{"s=1; Expires=tomorrow", "1"},                  // no date: ignored
		{"s=1; Path=/|s=gone; Max-Age=0; Path=/a", "1"}, // another cookie is deleted
		{"s=1; Path=/admin|s=2; Path=/", "2"},
		{"s=1; Path=/|s=2; Path=/shop", "2"}, // the longer path is sent first
		{"s=1; Path=/shop|s=2; Path=/", "1"},
		{"s=1; Path=/sho|s=2; Path=/", "2"},           // a prefix, and no directory
		{"s=1; Path=relative|s=2; Path=/shop/x", "1"}, // the default path is that of the request: /
		{"s=1; Domain=other.example|s=2; Domain=.shop.example", "2"},
		{"s=1; Domain=www.shop.example|s=2", "2"}, // the same as without
		{"s=1; Secure; Path=/shop|s=2; Path=/", "2"},
		{"s=1; Secure", "1"}, // the only one: the user asks for it
		{"s = a b ; Path=/", "a b"},
		{"S=1", ""},
		{"x=s=1; s=2", ""},
		{"s", ""},
		{"s=", ""},
	} {
		values := &Values{Row: make([]string, 1), Kept: make([][]byte, 1)}
		taking := &Taking{
			Takes:  []Take{{Cookie: &Cookie{Name: "s", From: "/login", To: "/shop/cart", Host: "www.shop.example"}}},
			Values: values,
			Found:  make([]bool, 1), Missed: make([]atomic.Uint64, 1),
		}
		head := "HTTP/1.1 200 OK\r\n"
		for _, line := range strings.Split(tc.lines, "|") {
			head += "set-cookie: " + line + "\r\n"
		}
		taking.Head([]byte(head + "\r\n"))
		if values.Row[0] != tc.want || taking.Found[0] != (tc.want != "") {
			t.Errorf("%s: %q, want %q", tc.lines, values.Row[0], tc.want)
		}
	}
	for host, want := range map[string]bool{"127.0.0.1": true, "::1": true, "localhost": true, "shop.example": false,
		"10.0.0.1": false} {
		if (&Cookie{Host: host}).safe() != want {
			t.Errorf("%s: want %v", host, want)
		}
	}
}

func FuzzCookies(f *testing.F) {
	f.Add("s=1; Path=/a; Domain=x; Max-Age=0; Expires=Thu, 01-Jan-1970 00:00:10 GMT", "/a/b", "/a")
	f.Fuzz(func(t *testing.T, line, from, to string) {
		c := Cookie{Name: "s", From: from, To: to, Host: "h"}
		one, ok := c.read([]byte(line))
		if !ok {
			return
		}
		all := store(nil, one)
		all = store(all, one)
		if len(all) > 1 || one.gone != (len(all) == 0) {
			t.Errorf("%q: %+v", line, all)
		}
		c.choose(all)
	})
}
