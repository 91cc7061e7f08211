package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/recognise"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
)

// foreign is the error for a subject none of whose ports speaks HTTP: what each speaks, and
// the command that comes next.
func (f *finder) foreign(best candidate) error {
	var ports []string
	for _, c := range f.ranked() {
		ports = append(ports, c.address()+" "+c.seen.String())
	}
	err := fail.New(fail.BadInput, "no port of the program answers HTTP, and --target is not given: %s", strings.Join(ports, "; "))
	// A port that was recognised says more than one that was silent.
	for _, c := range f.ranked() {
		if c.seen.Protocol != recognise.Silent && c.seen.Protocol != recognise.Closed && c.seen.Protocol != recognise.Absent {
			best = c
			break
		}
	}
	return err.WithHint("%s", f.nextFor(best))
}

// nextFor is the next step for a port that speaks another protocol than was assumed.
func (f *finder) nextFor(c candidate) string {
	port := subject.PortTemplate
	if ports, err := f.ports(); err != nil || len(ports) > 1 {
		port = fmt.Sprint(c.at.Port)
	}
	if p := f.process.TemplatePort(); p != 0 && p == c.at.Port {
		port = subject.PortTemplate
	}
	target := func(scheme, path string) string { return scheme + "://127.0.0.1:" + port + path }
	scheme := "http"
	if c.seen.Encrypted {
		scheme = "https"
	}
	switch c.seen.Protocol {
	case recognise.HTTP:
		return f.request.again("--target", target(scheme, cmp.Or(f.request.Path, "/")))
	case recognise.HTTP2:
		return f.request.again("--target", target(scheme, cmp.Or(f.request.Path, "/")), "--http2")
	case recognise.GRPC:
		method, note := "/PACKAGE.SERVICE/METHOD", "put the name of a method and its message (in hex, behind five bytes: 0 and the length) in"
		if known := f.routes().Methods; len(known) > 0 {
			method, note = known[0], "this calls it with an empty message"
		}
		return note + ": " + f.request.again("--target", target(scheme, method), "--http2", "--method", "POST",
			"--header", "content-type: application/grpc", "--body", "hex:0000000000")
	case recognise.Redis:
		return f.unloadable("RESP", fmt.Sprintf("redis-benchmark -p %d", c.at.Port))
	case recognise.NATS:
		return f.unloadable("the protocol of NATS", fmt.Sprintf("nats bench --server nats://%s", c.address()))
	case recognise.TLS:
		return f.unloadable("what is inside of this TLS", "a client of its own")
	case recognise.Other:
		return f.unloadable("this protocol", "a client of its own") + "; if its frames carry their length: " +
			f.request.again("--target", target("tcp", ""), "--body", "hex:0000000161")
	}
	return "name the protocol. One whose frames carry their length: " + f.request.again("--target", target("tcp", ""), "--body", "hex:0000000161") +
		"; those of the reference services are framed://, rpc:// and chat://"
}

// unloadable says what can be had of a program whose protocol hone does not speak.
func (f *finder) unloadable(protocol, client string) string {
	v := f.binary.Variant
	words := []string{"hone", "watch", v.Source}
	if args := slices.Concat(v.Args, f.request.Args); len(args) > 0 {
		words = append(append(words, "--"), redact.Args(args)...)
	}
	return fmt.Sprintf("hone cannot load %s yet. To see its CPU, heap and collector while %s loads it: %s", protocol, client, subject.JoinCommand(words))
}

// again is the command line of the request with other flags for the target; only these, with
// dots for the rest, where the command line is not known.
func (r Request) again(flags ...string) string {
	if len(r.Command) == 0 {
		return subject.JoinCommand(flags)
	}
	words := append([]string{"hone"}, r.Command...)
	dash := slices.Index(words, "--")
	if dash < 0 {
		dash = len(words)
	}
	var kept []string
	for i := 0; i < dash; i++ {
		name, _, joined := strings.Cut(words[i], "=")
		if name == "--target" || name == "--path" {
			if !joined {
				i++ // its value
			}
			continue
		}
		kept = append(kept, words[i])
	}
	return subject.JoinCommand(redact.Args(slices.Concat(kept, flags, words[dash:])))
}
