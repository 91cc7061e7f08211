package tlsmem_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
)

// rekeyer seals records as a server does that takes new keys after each request for them (RFC 8446 sections 5.2, 7.2,
// 7.3).
type rekeyer struct {
	t      *testing.T
	secret []byte
	aead   cipher.AEAD
	iv     []byte
	count  uint64 // of records under this key
}

// expand is HKDF-Expand-Label of section 7.1.
func (r *rekeyer) expand(label string, length int) []byte {
	label = "tls13 " + label
	info := append(binary.BigEndian.AppendUint16(nil, uint16(length)), byte(len(label)))
	out, err := hkdf.Expand(sha256.New, r.secret, string(append(append(info, label...), 0)), length)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *rekeyer) use(secret []byte) {
	r.secret, r.count = secret, 0
	block, err := aes.NewCipher(r.expand("key", 16))
	if err == nil {
		r.aead, err = cipher.NewGCM(block)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.iv = r.expand("iv", 12)
}

// record appends a record of a type to dst.
func (r *rekeyer) record(dst []byte, kind byte, content ...byte) []byte {
	nonce := bytes.Clone(r.iv)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^r.count)
	r.count++
	header := binary.BigEndian.AppendUint16([]byte{23, 3, 3}, uint16(len(content)+1+r.aead.Overhead()))
	return r.aead.Seal(append(dst, header...), nonce, append(content, kind), header)
}

// asking appends a byte of data, and a request for new keys, after which the server has new ones itself. The data lies
// between them since crypto/tls ends a connection at the seventeenth record without any.
func (r *rekeyer) asking(dst []byte) []byte {
	dst = r.record(dst, 23, 'x')
	dst = r.record(dst, 22, 24, 0, 0, 1, 1)
	r.use(r.expand("traffic upd", sha256.Size))
	return dst
}

// A server that asks for new keys for ever, while nothing can be sent to it, takes bounded memory; one whose answers
// are sent may.
func TestRequestsForKeysAreBounded(t *testing.T) {
	for name, sends := range map[string]bool{"nothing can be sent": false, "answers are sent": true} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			client, _, server := connectTo(t, &tls.Config{MinVersion: tls.VersionTLS13, KeyLogWriter: &log,
				SessionTicketsDisabled: true})
			if server.ConnectionState().CipherSuite != tls.TLS_AES_128_GCM_SHA256 {
				t.Skip("this machine has no AES: another cipher was chosen")
			}
			r := &rekeyer{t: t}
			_, line, _ := strings.Cut(log.String(), "SERVER_TRAFFIC_SECRET_0 ")
			fields := strings.Fields(line)
			secret, err := hex.DecodeString(fields[1]) // after the client's random number
			if err != nil {
				t.Fatal(err)
			}
			r.use(secret)
			const most = 64 << 10
			asked, pending := 0, 0
			for ; asked < 10_000 && err == nil; asked++ {
				var used int
				in := r.asking(nil)
				if _, used, err = client.Open(nil, in); err == nil && used != len(in) {
					t.Fatalf("%d of %d bytes were used", used, len(in))
				}
				if sends && client.Pending() {
					sealed, sealing := client.Seal(nil, nil, nil)
					if sealing != nil || len(sealed) == 0 {
						t.Fatalf("sealed %d bytes, %v", len(sealed), sealing)
					}
				}
			}
			pending = len(client.Goodbye(nil))
			if pending > most+1<<10 {
				t.Errorf("%d bytes wait to be sent, want at most %d", pending, most)
			}
			if sends && err != nil || !sends && (err == nil ||
				!strings.Contains(err.Error(), "asks for new TLS keys and does not read")) {
				t.Errorf("after %d requests: %v", asked, err)
			}
		})
	}
}
