package schemes

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/gohone/hone/internal/sys/tlsmem"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
)

// The names of protocols in ALPN (RFC 7301 section 6, RFC 9113 section 3.2).
const (
	alpnHTTP1 = "http/1.1"
	alpnHTTP2 = "h2"
)

// tlsClient is the client's side of TLS for all connections of one target.
type tlsClient struct {
	config *tls.Config
	http2  bool
}

// newTLSClient prepares TLS towards a host. Errors are *fail.Error of kind BadInput.
func newTLSClient(host string, o wire.TLS) (*tlsClient, error) {
	config := &tls.Config{
		ServerName:         cmp.Or(o.ServerName, host),
		InsecureSkipVerify: o.Insecure, // the user's -k
		NextProtos:         []string{alpnHTTP1},
		// Records of full size at once: a load waits for no first byte of a long request.
		DynamicRecordSizingDisabled: true,
	}
	if !o.NoResumption {
		// All connections go to one server name, which is the key of the cache: they share
		// its newest session.
		config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	pem, err := pemOf(o)
	if err != nil {
		return nil, err
	}
	if pem != nil {
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(pem)
	}
	if config.Certificates, err = ownCertificates(o); err != nil {
		return nil, err
	}
	return &tlsClient{config: config}, nil
}

// offerHTTP2 wants HTTP/2. A server that has to refuse both says so in an alert that cannot be told from others: it
// gets HTTP/1.1 to choose.
func (c *tlsClient) offerHTTP2() {
	c.http2, c.config.NextProtos = true, []string{alpnHTTP2, alpnHTTP1}
}

// ownCertificates are what the client shows to a server that asks for a certificate; nil without any.
func ownCertificates(t wire.TLS) ([]tls.Certificate, error) {
	if t.Cert == "" {
		if t.Key != "" {
			return nil, fail.New(fail.BadInput,
				"tls.key is set, but tls.cert is not").WithHint("name the certificate of that key: --set tls.cert=FILE")
		}
		return nil, nil
	}
	cert, err := inputs.Certificates.ReadFile(t.Cert)
	key := cert
	if err == nil && t.Key != "" {
		key, err = inputs.Certificates.ReadFile(t.Key)
	}
	if err != nil {
		return nil, fail.New(fail.BadInput, "read the client's certificate: %w",
			err).WithHint("--set tls.cert and --set tls.key take files in PEM")
	}
	own, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read the client's certificate %s: %w", t.Cert, err).
			WithHint("--set tls.cert takes the certificate in PEM, --set tls.key its private key, without a passphrase: openssl pkey -in FILE -out FILE")
	}
	return []tls.Certificate{own}, nil
}

// pemOf are the certificates to trust, of which at least one can be read; nil for the system's.
func pemOf(t wire.TLS) ([]byte, error) {
	text, from := t.PEM, "the target's options"
	if t.CAs != "" {
		var err error
		if text, err = inputs.Certificates.ReadFile(t.CAs); err != nil {
			return nil, fail.New(fail.BadInput, "read certificates: %w", err).
				WithHint("--set tls.ca takes a file of certificates to trust, in PEM")
		}
		from = t.CAs
	} else if text == nil {
		return nil, nil
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return nil, fail.New(fail.BadInput, "read certificates: %s holds none that can be read", from).
			WithHint("--set tls.ca takes PEM: blocks of -----BEGIN CERTIFICATE-----; convert DER by: openssl x509 -inform der -in FILE")
	}
	return text, nil
}

// wrap shakes hands over c, which it closes if that goes wrong.
func (t *tlsClient) wrap(ctx context.Context, c net.Conn) (net.Conn, error) {
	s, err := tlsmem.Client(ctx, c, t.config)
	if err != nil {
		err = t.explain(err)
	} else if chosen := s.ConnectionState().NegotiatedProtocol; t.http2 && chosen != alpnHTTP2 {
		err = fail.New(fail.BadInput, "negotiate HTTP/2: the server offers no %s in ALPN, it chose %q", alpnHTTP2,
			chosen).
			WithHint("leave out --http2, or switch HTTP/2 on in the server")
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return s, nil
}

// explain puts a failed handshake into words, with the way out where there is one.
func (t *tlsClient) explain(err error) error {
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var roots x509.SystemRootsError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &name):
		return fail.New(fail.Environment, "check certificate: it is not made out to %q but to %s", t.config.ServerName,
			holders(name.Certificate)).
			WithHint("give a name that the certificate has: --set tls.server-name=NAME; or accept any certificate: -k")
	case errors.As(err, &unknown), errors.As(err, &roots):
		return fail.New(fail.Environment, "check certificate: no trusted authority has signed it: %w", err).
			WithHint("name the file of its authority: --set tls.ca=FILE; or accept any certificate: -k")
	case errors.As(err, &invalid):
		return fail.New(fail.Environment, "check certificate: %w", err).
			WithHint("renew it, or accept any certificate: -k")
	case errors.As(err, &plain):
		return fail.New(fail.BadInput, "shake hands: the server does not speak TLS on this port").
			WithHint("use an http:// target, or the port that speaks TLS")
	}
	return fmt.Errorf("shake hands: %w", err)
}

// holders lists the names that a certificate is made out to, a few of them if many.
func holders(c *x509.Certificate) string {
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	const few = 5
	switch {
	case len(names) == 0:
		return "no host at all"
	case len(names) > few:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}
