package objectstore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/minio/minio-go/v7"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// fault is an answer of a store that says no: what it means for the user.
type fault struct {
	codes []string // of the store ("Error responses" in the Amazon S3 API Reference)
	kind  fail.Kind
	hint  string
}

// faults are asked in this order.
var faults = []fault{
	{[]string{"NoSuchBucket", "InvalidBucketName"}, fail.BadInput,
		"check the name of the bucket and AWS_ENDPOINT_URL_S3 or --endpoint; hone makes no bucket"},
	{[]string{"NoSuchKey"}, fail.BadInput, "another program may have removed the object: repeat the command"},
	{[]string{"InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "ExpiredTokenException",
		"AuthFailure", "UnrecognizedClientException", "XAdminUserNotFound"},
		fail.BadInput,
		"the store does not accept these credentials: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and " +
			"AWS_SESSION_TOKEN, or the profile in ~/.aws"},
	{[]string{"AccessDenied", "AllAccessDisabled", "AccountProblem", "Forbidden"}, fail.BadInput,
		"the store does not accept these credentials, or they may not do that: check AWS_ACCESS_KEY_ID and its secret, and " +
			"ask for the rights to list the bucket and to get and put its objects"},
	{[]string{"RequestTimeTooSkewed"}, fail.Environment, "the clock of this machine is wrong: set it"},
	{[]string{"AuthorizationHeaderMalformed", "PermanentRedirect", "InvalidRegion",
		"IllegalLocationConstraintException", "TemporaryRedirect", "301 Moved Permanently", "307 Temporary Redirect"},
		fail.BadInput, "the bucket is in another region or at another endpoint: name it with AWS_REGION and AWS_ENDPOINT_URL_S3, or --region and --endpoint"},
	{[]string{"EntityTooLarge"}, fail.BadInput,
		"the store takes no object of this size: export it to a file with hone export"},
	{[]string{"QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage",
		"507 Insufficient Storage"},
		fail.Storage, "the store is full, or a quota of it: make room there"},
}

// fault makes an error of a request one with a kind and a hint; nil stays nil.
func (s *Store) fault(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "%s: stopped: %w", doing, context.Cause(ctx))
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode == 0 {
		return s.unreachable(doing, err)
	}
	text := s.hide(redact.Text(fmt.Sprintf("%s at %s: the store says %.80s: %.300s", doing, s.from, answer.Code,
		strings.TrimSpace(answer.Error()))))
	for _, f := range faults {
		if slices.Contains(f.codes, answer.Code) {
			return fail.New(f.kind, "%s", text).WithHint("%s", f.hint)
		}
	}
	if answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests {
		return fail.New(fail.Environment, "%s",
			text).WithHint("the store is broken or overloaded: repeat the command later; what is done stays done")
	}
	if answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden {
		return fail.New(fail.BadInput, "%s", text).WithHint("the store does not let these credentials do that: %s",
			credentialsHint)
	}
	return fail.New(fail.BadInput, "%s", text).WithHint("is that endpoint (AWS_ENDPOINT_URL_S3, --endpoint) an S3-compatible store? %s", credentialsHint)
}

// unreachable is an error without an answer.
func (s *Store) unreachable(doing string, err error) error {
	hint := "is the store up, and is this its address? AWS_ENDPOINT_URL_S3 or --endpoint names another"
	var (
		certificate *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		name        *net.DNSError
	)
	switch {
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		hint = "the store speaks plain http: name it as http://HOST:PORT, with --insecure if it is another machine"
	case errors.As(err, &certificate), errors.As(err, &unknown):
		hint = "this machine does not trust the store's certificate: SSL_CERT_FILE names a file of authorities to trust"
	case errors.As(err, &name):
		hint = "no such host: check AWS_ENDPOINT_URL_S3 or --endpoint"
	case errors.Is(err, os.ErrDeadlineExceeded):
		hint = "the store did not answer for a minute: repeat the command later; what is done stays done"
	case errors.Is(err, syscall.ECONNRESET), strings.Contains(err.Error(), "unexpected EOF"):
		hint = "the connection broke: repeat the command; what is done stays done"
	}
	return fail.New(fail.Environment, "%s at %s: %s", doing, s.from, s.hide(redact.Text(bare(err)))).WithHint("%s",
		hint)
}

// bare is the text of an error without the URL of the request, which is long and has a signature.
func bare(err error) string {
	for wrapped := errors.Unwrap(err); wrapped != nil &&
		strings.Contains(err.Error(), "://"); wrapped = errors.Unwrap(err) {
		err = wrapped
	}
	return err.Error()
}

// ErrDamaged is in the errors about an object that is not what hone put there.
var ErrDamaged = errors.New("it is damaged, or hone did not put it there")

// damaged refuses an object.
func (s *Store) damaged(o Object, format string, args ...any) error {
	return fail.New(fail.BadInput, "refuse %s: %w: %w", s.Of(o.Name), ErrDamaged, fmt.Errorf(format, args...)).
		WithHint("nothing of it was imported; push it again with --replace from a ledger that has it, or remove it from " +
			"the store")
}
