package resp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// login is what is sent first on every connection, before it is part of the load: HELLO or
// AUTH, and SELECT.
type login struct {
	version  int // of RESP: 2 or 3
	commands []greeting
	bytes    []byte // all of them
}

// greeting is one of the commands, as errors name it, and what to do if it is refused.
type greeting struct{ what, hint string }

// newLogin reads what a target says beside the address: user and password before the host or
// as ?user= and ?password= (for Unix sockets), the number of a database as the path, and
// ?protocol=3. Errors are *fail.Error of kind BadInput and hold no secret.
func newLogin(u *url.URL) (*login, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fail.New(fail.BadInput, "the parameters of the target cannot be read").
			WithHint("percent-encode what is not a letter or a digit in them")
	}
	user, password := q.Get("user"), q.Get("password")
	if u.User != nil {
		user = u.User.Username()
		password, _ = u.User.Password()
	}
	l := &login{version: 2}
	for name := range q {
		if name != "user" && name != "password" && name != "protocol" {
			return nil, fail.New(fail.BadInput, "a redis target has no parameter %q", name).
				WithHint("parameters are protocol=3, user and password; the number of a database is the path: %s/2",
					redisExample)
		}
	}
	switch q.Get("protocol") {
	case "", "2":
	case "3":
		l.version = 3
	default:
		return nil, fail.New(fail.BadInput, "protocol=%s: RESP has versions 2 and 3", q.Get("protocol")).
			WithHint("write %s?protocol=3", redisExample)
	}
	if user != "" && password == "" {
		return nil, fail.New(fail.BadInput, "the target names a user and no password").
			WithHint("write redis://USER:PASSWORD@HOST, or redis://:PASSWORD@HOST for the default user")
	}
	l.authenticate(user, password)
	return l, l.choose(u.Path)
}

// authenticate adds the commands that log in and choose the version.
func (l *login) authenticate(user, password string) {
	const wrong = "check user and password of the target; what is not a letter or a digit in them must be percent-encoded"
	switch {
	case l.version == 3 && password != "":
		if user == "" {
			user = "default"
		}
		l.add(greeting{"speak RESP3 and log in", wrong}, "HELLO", "3", "AUTH", user, password)
	case l.version == 3:
		l.add(greeting{"speak RESP3",
			"leave out ?protocol=3 if the server speaks RESP2 only; if it wants a password: redis://:PASSWORD@HOST"},
			"HELLO", "3")
	case user != "":
		l.add(greeting{"log in", wrong}, "AUTH", user, password)
	case password != "":
		l.add(greeting{"log in", wrong}, "AUTH", password)
	}
}

// choose adds the command that chooses a database.
func (l *login) choose(path string) error {
	number := strings.Trim(path, "/")
	if number == "" {
		return nil
	}
	if n, err := strconv.Atoi(number); err != nil || n < 0 {
		return fail.New(fail.BadInput, "the path of a redis target is the number of a database, got %q", path).
			WithHint("write it like %s/2; commands are given with --body", redisExample)
	}
	l.add(greeting{"select database " + number,
		"servers mostly have databases 0 to 15; leave the number out for the first"}, "SELECT", number)
	return nil
}

func (l *login) add(g greeting, words ...string) {
	l.commands = append(l.commands, g)
	l.bytes = head(l.bytes, '*', len(words))
	for _, word := range words {
		l.bytes = append(head(l.bytes, '$', len(word)), word...)
		l.bytes = append(l.bytes, "\r\n"...)
	}
}

// loginBytes bounds what is read of the answers.
const loginBytes = 64 << 10

// Greet implements greeter: it sends the commands and checks their answers.
func (p *protocol) Greet(ctx context.Context, c net.Conn) error { return p.login.greet(ctx, c) }

// greet is Greet.
func (l *login) greet(ctx context.Context, c net.Conn) error {
	if len(l.commands) == 0 {
		return nil
	}
	if end, ok := ctx.Deadline(); ok {
		if err := c.SetDeadline(end); err != nil {
			return err
		}
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	err := l.exchange(c)
	if !stop() && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	return c.SetDeadline(time.Time{})
}

func (l *login) exchange(c net.Conn) error {
	if _, err := c.Write(l.bytes); err != nil {
		return err
	}
	var r reader
	in, have, answered := make([]byte, loginBytes), 0, 0
	for answered < len(l.commands) {
		n, err := c.Read(in[have:])
		have += n
		from, more := 0, false
		for from < have && answered < len(l.commands) && !more {
			used, end := r.read(in[from:have])
			from += used
			g := l.commands[answered]
			switch {
			case end.broken:
				return fail.New(fail.BadInput, "%s: the server does not answer in RESP", g.what).
					WithHint("check the port and the scheme of the target")
			case end.failed:
				return fail.New(fail.BadInput, "%s: the server said %q", g.what, r.text).WithHint("%s", g.hint)
			case end.done && !end.push:
				answered++
			}
			more = !end.done
		}
		have = copy(in, in[from:have])
		switch {
		case answered == len(l.commands):
		case errors.Is(err, io.EOF):
			return fail.New(fail.Subject, "%s: the server closed the connection", l.commands[answered].what).
				WithHint("see what the server says about it")
		case err != nil:
			return err
		case have == len(in):
			return fail.New(fail.BadInput, "%s: the answer is longer than %d bytes", l.commands[answered].what,
				loginBytes).
				WithHint("check the port and the scheme of the target")
		}
	}
	if have > 0 {
		return fail.New(fail.Subject,
			"log in: the server sent more than the answers").WithHint("check the scheme of the target")
	}
	return nil
}
