package schemes

import (
	"fmt"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/http2"
)

// NamedFiles says which files options still name that SelfContained would have read, and how to send what is in them
// instead; empty if there are none.
func NamedFiles(o wire.Options) (what, instead string) {
	switch {
	case o.TLS.CAs != "":
		return "a file of certificates does not work", "send the certificates themselves"
	case len(o.GRPC.Protos) > 0 || len(o.GRPC.ProtoPaths) > 0 || o.GRPC.ProtoSet != "":
		return "files of types do not work", "send the descriptors themselves"
	}
	return "", ""
}

// SelfContained returns the options with the contents of the files that they name instead of their paths, so that
// another machine can carry them out. Errors are *fail.Error of kind BadInput.
func SelfContained(o wire.Options) (wire.Options, error) {
	if o.TLS.Cert != "" {
		return o, fail.New(fail.BadInput,
			"tls.cert cannot be used with agents: hone sends no private key to another machine").WithHint("load from this machine: leave out --agents")
	}
	pem, err := pemOf(o.TLS)
	if err != nil {
		return o, err
	}
	types, err := http2.TypesOf(o.GRPC)
	if err != nil {
		return o, err
	}
	o.TLS.CAs, o.TLS.PEM = "", pem
	if types != nil {
		raw, err := types.Descriptors()
		if err != nil {
			return o, fmt.Errorf("encode descriptors: %w", err)
		}
		o.GRPC.Protos, o.GRPC.ProtoPaths, o.GRPC.ProtoSet, o.GRPC.Descriptors = nil, nil, "", raw
	}
	return o, nil
}
