package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/load"
)

// hintFor says what to try about the doubt that made the measurement invalid.
func (m *services) hintFor(invalid *invalidError) string {
	v := m.sides[0]
	for _, other := range m.sides {
		if other.letter == invalid.letter {
			v = other
		}
	}
	return HintFor(m.task, invalid.doubt, m.targetOf(v), v.draft.ID())
}

// HintFor says what to try about a doubt that made a measurement invalid. target is the URL
// as it was loaded, run the id of the run. Commands in it are whole, and stand at the end of
// a part, behind a colon; parts end with a semicolon.
func HintFor(r Task, d load.Doubt, target, run string) string {
	scheme, _, _ := strings.Cut(target, "://")
	web := scheme == "http" || scheme == "https"
	longer := r.again("--set=timeout=" + (10 * r.Plan.Timeout).String())
	switch d.Name {
	case load.DoubtWithheld, load.DoubtNoAnswer:
		return "look for a writer that is not flushed before the server waits for more input; if the service is only slow: " + longer
	case load.DoubtUnmatched:
		if strings.Contains(d.Text, "--set ws.skip") {
			return hintForPushes(r)
		}
		return "the service answers, but with other ids than the requests had: check the scheme of the target, then the service"
	case load.DoubtEndless:
		if !web {
			return "hone times whole answers; if these do end, allow them more time: " + longer
		}
		return "an answer without end is never whole; end each request after some messages: " +
			r.again("--set=stream.messages=100") +
			"; or name a path whose answers end: " + r.again("--path=/PATH") +
			"; if these do end, allow them more time: " + longer
	case load.DoubtWrong:
		if (scheme == "ws" || scheme == "wss") && strings.Contains(d.Text, load.Unsolicited.String()) {
			return hintForPushes(r)
		}
		if !web {
			return fmt.Sprintf("look at the causes above, and check that the program speaks %s on this port",
				cmp.Or(scheme, "the target's protocol"))
		}
		hint := "look at the causes above; to load another path: " + r.again("--path=/PATH") +
			"; --set expect-status says which statuses are right"
		if strings.Contains(d.Text, "503") {
			hint += "; if it answers 503 only until it is ready, wait for that: " +
				r.again("--ready=http:"+cmp.Or(r.Path, "/"))
		}
		return hint
	case DoubtNeed:
		return "run its command by hand and look at what it writes; it has to stay up, and in the foreground, until hone ends it"
	case DoubtAnswers:
		return hintForAnswers(r)
	case load.DoubtLive:
		return "the service closed connections, -c uses fewer; to see what it wrote: hone show " + run
	}
	return "run it again; if it stays, look at the machine: hone doctor"
}

// hintForPushes is what to try where a server of WebSocket sends messages that answer no request.
func hintForPushes(r Task) string {
	return "the server sends messages that answer no request, as a server does that broadcasts; if its answers have the id of a request, name its place: " +
		r.again(`--body={"id": {n}}`, "--set=ws.id=id") + "; to leave out those that have a key, such as event: " +
		r.again("--set=ws.skip=event") +
		"; to time what it sends by itself: " + r.again("--set=stream.messages=100")
}

// NextFor is the next step for a variant whose port shows another protocol than was assumed.
// port is what stands for it in a target, or the path of a Unix socket, methods those of gRPC that the source names.
// Commands are as in HintFor.
func NextFor(r Task, v build.Variant, seen recognise.Seen, port string, methods []string) string {
	scheme := "http"
	if seen.Encrypted {
		scheme = "https"
	}
	target := func(scheme, path string) []string {
		if strings.ContainsAny(port[:1], "/@") || port == templates.Socket {
			return []string{"--target=" + strings.TrimPrefix(scheme+"+unix:", "http+") + port +
				strings.TrimSuffix(":"+path, ":")}
		}
		return []string{"--target=" + scheme + "://127.0.0.1:" + port + path}
	}
	frames := r.again(append(target("tcp", ""), "--body=hex:0000000161")...)
	switch seen.Protocol {
	case recognise.HTTP:
		return "load it so: " + r.again(target(scheme, cmp.Or(r.Path, "/"))...)
	case recognise.HTTP2:
		return "load it so: " + r.again(append(target(scheme, cmp.Or(r.Path, "/")), "--http2")...)
	case recognise.GRPC:
		method := "/PACKAGE.SERVICE/METHOD"
		if len(methods) > 0 {
			method = methods[0]
		}
		return "name a method: " + r.again(target(strings.Replace(scheme, "http", "grpc", 1), method)...)
	case recognise.Redis:
		return "load it so: " + r.again(append(target("redis", ""), "--body=PING")...)
	case recognise.NATS:
		return unloadable(r, v, "the protocol of NATS", "nats bench")
	case recognise.TLS:
		if seen.WantsCertificate {
			return certificateHint(r, target(scheme, cmp.Or(r.Path, "/")))
		}
		return unloadable(r, v, "what is inside of this TLS", "a client of its own")
	case recognise.Other:
		return unloadable(r, v, "this protocol", "a client of its own") + "; if its frames carry their length: " +
			frames
	}
	if seen.Protocol.Named() {
		return unloadable(r, v, string(seen.Protocol), "a client of its own")
	}
	return "name the protocol. For the reference services that is framed://, rpc:// or chat://; for any whose frames carry their length: " + frames
}

// certificateHint is the next step for a port that asks its clients for a certificate.
func certificateHint(r Task, target []string) string {
	if r.Protocol.TLS.Cert == "" {
		target = append(target, "--set=tls.cert=CLIENT.pem", "--set=tls.key=KEY.pem")
	}
	return "it asks for a client's certificate: name one, and what it speaks (for gRPC grpcs://): " + r.again(target...)
}

// unloadable says what hone shows of a program whose protocol it does not speak.
func unloadable(r Task, v build.Variant, protocol, client string) string {
	words := []string{"hone", "watch", v.Source}
	if args := slices.Concat(v.Args, r.Args); len(args) > 0 {
		words = append(append(words, "--"), redact.Args(args)...)
	}
	return fmt.Sprintf("hone cannot load %s yet, but a load generator of your own can (--load-cmd, with --set load-cmd.ops for how it counts); to see its CPU, heap and collector while %s loads it: %s",
		protocol, client, shellwords.Join(words))
}

// again is the command line of the request with other flags, --name=value; the flags alone where the command line is
// not known. Another target takes the place of a path, too, and of flags that its protocol does not have.
func (r Task) again(flags ...string) string {
	if len(r.Command) == 0 {
		return spec.Join(flags)
	}
	line := r.Command.Redacted()
	if target, ok := spec.Line(flags).Flag("target"); ok {
		line = line.Without("path").Without(r.foreignTo(line, target)...)
	}
	if _, ok := spec.Line(flags).Flag("load-cmd"); ok { // which names its target itself
		line = line.Without("path", "target")
	}
	return line.With(flags...).String()
}

// foreignTo are the flags of a command line that do not belong to the protocol of another target.
func (r Task) foreignTo(line spec.Line, target string) (names []string) {
	scheme, _, _ := strings.Cut(target, "://")
	was, _, _ := strings.Cut(cmp.Or(r.Target, "http://"), "://")
	for _, word := range line {
		name, _, _ := spec.Split(word)
		foreign := !spec.ForScheme(name, scheme)
		switch name {
		case "body", "expect-length":
			foreign = (was == "tcp") != (scheme == "tcp")
		case "expect-status": // a status of HTTP is not a code of gRPC
			foreign = strings.TrimSuffix(was, "s") != strings.TrimSuffix(scheme, "s")
		}
		if foreign {
			names = append(names, name)
		}
	}
	return names
}
