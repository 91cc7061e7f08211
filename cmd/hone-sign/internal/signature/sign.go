package signature

import (
	"context"
	"fmt"
	"time"

	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/sign"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/gohone/hone/internal/text/fail"
)

// Services are the files of another Sigstore than the public one; empty for that.
type Services struct {
	TrustedRoot, SigningConfig string
}

func (s Services) root() (*root.TrustedRoot, error) {
	if s.TrustedRoot != "" {
		trusted, err := root.NewTrustedRootFromPath(s.TrustedRoot)
		if err != nil {
			return nil, fail.New(fail.BadInput, "read the trusted root %s: %w", s.TrustedRoot, err).
				WithHint("name a file as Sigstore's TUF repository has it: trusted_root.json")
		}
		return trusted, nil
	}
	trusted, err := root.FetchTrustedRoot()
	if err != nil {
		return nil, fail.New(fail.Environment, "fetch Sigstore's trusted root: %w", err).
			WithHint("it is at https://tuf-repo-cdn.sigstore.dev; --trusted-root FILE takes one that is here")
	}
	return trusted, nil
}

func (s Services) signing() (*root.SigningConfig, error) {
	if s.SigningConfig != "" {
		services, err := root.NewSigningConfigFromPath(s.SigningConfig)
		if err != nil {
			return nil, fail.New(fail.BadInput, "read the signing configuration %s: %w", s.SigningConfig, err).
				WithHint("name a file as Sigstore's TUF repository has it: signing_config.v0.2.json")
		}
		return services, nil
	}
	services, err := root.FetchSigningConfig()
	if err != nil {
		return nil, fail.New(fail.Environment, "fetch the addresses of Sigstore's services: %w", err).
			WithHint("they are at https://tuf-repo-cdn.sigstore.dev; --signing-config FILE takes those that are here")
	}
	return services, nil
}

// How long Sigstore's services are waited for: the log answers when its tree has the entry.
const (
	patience    = 30 * time.Second
	patienceLog = 90 * time.Second
)

// Sign signs a text with an identity token, and checks the signature. It is a bundle of Sigstore, as JSON.
//
// Errors are fail.Environment of the services, and fail.BadInput of files.
func Sign(ctx context.Context, text []byte, token string, s Services) ([]byte, error) {
	trusted, err := s.root()
	if err != nil {
		return nil, err
	}
	services, err := s.signing()
	if err != nil {
		return nil, err
	}
	options, err := optionsOf(services, time.Now())
	if err != nil {
		return nil, fail.New(fail.Environment, "choose Sigstore's services: %w", err).
			WithHint("a newer hone-sign may know them")
	}
	options.Context, options.TrustedRoot = ctx, trusted
	options.CertificateProviderOptions = &sign.CertificateProviderOptions{IDToken: token}
	key, err := sign.NewEphemeralKeypair(nil)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	bundle, err := sign.Bundle(&sign.PlainData{Data: text}, key, options)
	if err != nil {
		return nil, fail.New(fail.Environment, "sign by Sigstore: %w", err).
			WithHint("the receipt is as it was, and can be verified without a signature; try again later")
	}
	return protojson.MarshalOptions{Multiline: true}.Marshal(bundle)
}

// optionsOf are the services that are in force at a time.
func optionsOf(s *root.SigningConfig, now time.Time) (options sign.BundleOptions, err error) {
	certificates, err := root.SelectService(s.FulcioCertificateAuthorityURLs(), sign.FulcioAPIVersions, now)
	if err != nil {
		return options, err
	}
	options.CertificateProvider = sign.NewFulcio(&sign.FulcioOptions{BaseURL: certificates.URL, Timeout: patience, Retries: 1})
	logs, err := root.SelectServices(s.RekorLogURLs(), s.RekorLogURLsConfig(), sign.RekorAPIVersions, now)
	if err != nil {
		return options, err
	}
	for _, log := range logs {
		options.TransparencyLogs = append(options.TransparencyLogs, sign.NewRekor(&sign.RekorOptions{BaseURL: log.URL,
			Timeout: patienceLog, Retries: 1, Version: log.MajorAPIVersion}))
	}
	if len(s.TimestampAuthorityURLs()) == 0 {
		return options, nil // the log has the time
	}
	stamps, err := root.SelectServices(s.TimestampAuthorityURLs(), s.TimestampAuthorityURLsConfig(),
		sign.TimestampAuthorityAPIVersions, now)
	for _, one := range stamps {
		options.TimestampAuthorities = append(options.TimestampAuthorities, sign.NewTimestampAuthority(
			&sign.TimestampAuthorityOptions{URL: one.URL, Timeout: patience, Retries: 1}))
	}
	return options, err
}
