package signature

import (
	"bytes"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/gohone/hone/internal/text/fail"
)

// By says who signed, and when.
type By struct {
	Identity, Issuer string
	At               time.Time
}

// Check checks that a bundle signs a text, for an identity that matches a regular expression as a whole.
//
// Errors are fail.BadInput for what is no bundle and no expression, and fail.Untrusted for a signature that is of
// another text or by somebody else.
func Check(text, signed []byte, identity, issuer string, s Services) (by By, err error) {
	var b bundle.Bundle
	if err := b.UnmarshalJSON(signed); err != nil {
		return by, fail.New(fail.BadInput, "read the signature: %w", err).
			WithHint("it is a bundle of Sigstore, as hone sign writes it")
	}
	who, err := verify.NewShortCertificateIdentity(issuer, "", "", "^(?:"+identity+")$")
	if err != nil {
		return by, fail.New(fail.BadInput, "--identity %q: %w", identity, err).
			WithHint("it is a regular expression, in which a dot that is one has a \\ in front of it")
	}
	trusted, err := s.root()
	if err != nil {
		return by, err
	}
	verifier, err := verify.NewVerifier(trusted, wanted(trusted)...)
	if err != nil {
		return by, fail.New(fail.BadInput, "use the trusted root: %w", err)
	}
	result, err := verifier.Verify(&b, verify.NewPolicy(verify.WithArtifact(bytes.NewReader(text)),
		verify.WithCertificateIdentity(who)))
	if err != nil {
		return by, fail.New(fail.Untrusted, "the signature is not one of this receipt by that identity: %w", err).
			WithHint("a receipt that was changed, or signed by somebody else, may hold all the same: hone verify measures it")
	}
	certificate := result.Signature.Certificate
	by.Identity, by.Issuer = certificate.SubjectAlternativeName, certificate.Issuer
	for _, one := range result.VerifiedTimestamps {
		if by.At.IsZero() || one.Timestamp.Before(by.At) {
			by.At = one.Timestamp
		}
	}
	return by, nil
}

// wanted is what a signature has to have: an entry in the log, a time, and, where the trusted root has logs of
// certificates, as the public one has, a proof that the certificate is in one.
func wanted(trusted root.TrustedMaterial) []verify.VerifierOption {
	all := []verify.VerifierOption{verify.WithTransparencyLog(1), verify.WithObserverTimestamps(1)}
	if len(trusted.CTLogs()) > 0 {
		all = append(all, verify.WithSignedCertificateTimestamps(1))
	}
	return all
}
