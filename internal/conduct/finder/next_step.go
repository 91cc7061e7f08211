package finder

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/wire/recognise"
)

// NextStep is the next step for a program whose port shows another protocol than was assumed.
// port is what stands for it in a target, or the path of a Unix socket, methods those of gRPC that the source names.
// Commands in it are whole, and stand at the end of
// a part, after a colon; parts end with a semicolon.
func (p *Program) NextStep(seen recognise.Seen, port string, methods []string) string {
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
	frames := p.repeated(append(target("tcp", ""), "--body=hex:0000000161")...)
	switch seen.Protocol {
	case recognise.HTTP:
		return "load it so: " + p.repeated(target(scheme, cmp.Or(p.Spec.Path, "/"))...)
	case recognise.HTTP2:
		return "load it so: " + p.repeated(append(target(scheme, cmp.Or(p.Spec.Path, "/")), "--http2")...)
	case recognise.GRPC:
		method := "/PACKAGE.SERVICE/METHOD"
		if len(methods) > 0 {
			method = methods[0]
		}
		return "name a method: " + p.repeated(target(strings.Replace(scheme, "http", "grpc", 1), method)...)
	case recognise.Redis:
		return "load it so: " + p.repeated(append(target("redis", ""), "--body=PING")...)
	case recognise.NATS:
		return p.unloadable("the protocol of NATS", "nats bench")
	case recognise.TLS:
		if seen.WantsCertificate {
			return p.certificateHint(target(scheme, cmp.Or(p.Spec.Path, "/")))
		}
		return p.unloadable("what is inside of this TLS", "a client of its own")
	case recognise.Other:
		return p.unloadable("this protocol", "a client of its own") + "; if its frames carry their length: " +
			frames
	}
	if seen.Protocol.Named() {
		return p.unloadable(string(seen.Protocol), "a client of its own")
	}
	return "name the protocol. For the reference services that is framed://, rpc:// or chat://; for any whose frames " +
		"carry their length: " + frames
}

// certificateHint is the next step for a port that asks its clients for a certificate.
func (p *Program) certificateHint(target []string) string {
	if p.Spec.Protocol.TLS.Cert == "" {
		target = append(target, "--set=tls.cert=CLIENT.pem", "--set=tls.key=KEY.pem")
	}
	return "it asks for a client's certificate: name one, and what it speaks (for gRPC grpcs://): " +
		p.repeated(target...)
}

// unloadable says what hone shows of a program whose protocol it does not speak.
func (p *Program) unloadable(protocol, client string) string {
	words := []string{"hone", "watch", p.Binary.Variant.Source}
	if args := slices.Concat(p.Binary.Variant.Args, p.Spec.Args); len(args) > 0 {
		words = append(append(words, "--"), redact.Args(args)...)
	}
	return fmt.Sprintf("hone cannot load %s yet, but a load generator of your own can (--load-cmd, with --set "+
		"load-cmd.ops for how it counts); to see its CPU, heap and collector while %s loads it: %s",
		protocol, client, shellwords.Join(words))
}
