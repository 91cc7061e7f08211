// Package signtest is a Sigstore in the process of a test.
package signtest

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-openapi/runtime"
	"github.com/sigstore/rekor/pkg/generated/models"
	"github.com/sigstore/rekor/pkg/types"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/testing/ca"
	"github.com/sigstore/sigstore-go/pkg/tlog"

	"github.com/gohone/hone/cmd/hone-sign/internal/signature"
)

// Workflow is the identity of whoever signs, and Issuer who vouches for it.
const (
	Workflow = "https://github.com/owner/name/.github/workflows/ci.yml@refs/heads/main"
	Issuer   = "https://token.actions.githubusercontent.com"
)

// world is a Sigstore in this process: an authority that gives certificates for what a token says (no token is
// checked), and a log.
type world struct {
	t     *testing.T
	log   *ca.VirtualSigstore
	chain *root.FulcioCertificateAuthority
	key   crypto.Signer // of the authority
}

// Start starts one, and writes the files that name it.
func Start(t *testing.T) signature.Services {
	t.Helper()
	log, err := ca.NewVirtualSigstore()
	must(t, err)
	first, firstKey, err := ca.GenerateRootCa()
	must(t, err)
	authority, key, err := ca.GenerateFulcioIntermediate(first, firstKey)
	must(t, err)
	w := &world{t: t, log: log, key: key, chain: &root.FulcioCertificateAuthority{Root: first,
		Intermediates: []*x509.Certificate{authority}, ValidityPeriodStart: time.Now().Add(-time.Hour),
		ValidityPeriodEnd: time.Now().Add(time.Hour), URI: "test"}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v2/signingCert", w.certify)
	mux.HandleFunc("POST /api/v1/log/entries", w.enter)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	dir := t.TempDir()
	s := signature.Services{TrustedRoot: filepath.Join(dir, "trusted_root.json"),
		SigningConfig: filepath.Join(dir, "signing_config.json")}
	logs := map[string]*root.TransparencyLog{}
	for id, one := range log.RekorLogs() { // its own ID is in hexadecimal digits, and that of a file is not
		raw, err := hex.DecodeString(id)
		must(t, err)
		one.ID, logs[id] = raw, one
	}
	trusted, err := root.NewTrustedRoot(root.TrustedRootMediaType01, []root.CertificateAuthority{w.chain}, nil, nil, logs)
	must(t, err)
	text, err := trusted.MarshalJSON()
	must(t, err)
	must(t, os.WriteFile(s.TrustedRoot, text, 0o600))
	service := fmt.Sprintf(`[{"url": %q, "majorApiVersion": 1, "operator": "test", "validFor": {"start": %q}}]`, server.URL,
		time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
	must(t, os.WriteFile(s.SigningConfig, fmt.Appendf(nil, `{"mediaType": %q, "caUrls": %s, "rekorTlogUrls": %s,
		"rekorTlogConfig": {"selector": "ANY"}}`, root.SigningConfigMediaType02, service, service), 0o600))
	return s
}

// certify gives a certificate for the identity, as Fulcio does.
func (w *world) certify(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		PublicKeyRequest struct {
			PublicKey struct{ Content string }
		}
	}
	must(w.t, json.NewDecoder(r.Body).Decode(&asked))
	block, _ := pem.Decode([]byte(asked.PublicKeyRequest.PublicKey.Content))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	must(w.t, err)
	identity, err := url.Parse(Workflow)
	must(w.t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(7), URIs: []*url.URL{identity},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(10 * time.Minute),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, 1}, Value: []byte(Issuer)}},
	}, w.chain.Intermediates[0], public.(*ecdsa.PublicKey), w.key)
	must(w.t, err)
	certificate := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	must(w.t, json.NewEncoder(rw).Encode(map[string]any{"signedCertificateEmbeddedSct": map[string]any{
		"chain": map[string]any{"certificates": []string{certificate}}}}))
}

// enter takes an entry into the log, as Rekor does.
func (w *world) enter(rw http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	must(w.t, err)
	proposed, err := models.UnmarshalProposedEntry(bytes.NewReader(text), runtime.JSONConsumer())
	must(w.t, err)
	entry, err := types.UnmarshalEntry(proposed)
	must(w.t, err)
	body, err := types.CanonicalizeEntry(r.Context(), entry)
	must(w.t, err)
	id, err := w.log.RekorLogID()
	must(w.t, err)
	at, index := time.Now().Unix(), int64(1000)
	encoded := base64.StdEncoding.EncodeToString(body)
	promise, err := w.log.RekorSignPayload(tlog.RekorPayload{Body: encoded, IntegratedTime: at, LogIndex: index, LogID: id})
	must(w.t, err)
	proof, err := w.log.GetInclusionProof(body)
	must(w.t, err)
	rw.Header().Set("ETag", "entry")
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(http.StatusCreated)
	must(w.t, json.NewEncoder(rw).Encode(map[string]models.LogEntryAnon{"entry": {Body: encoded, IntegratedTime: &at,
		LogIndex: &index, LogID: &id,
		Verification: &models.LogEntryAnonVerification{InclusionProof: proof, SignedEntryTimestamp: promise}}}))
}

// Token is an identity token as far as a client reads it.
func Token() string {
	claims := base64.RawURLEncoding.EncodeToString([]byte(`{"sub": "repo:owner/name", "iss": "` + Issuer + `"}`))
	return "x." + claims + ".x"
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
