package objectstore

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/gohone/hone/internal/text/fail"
)

const (
	credentialsHint = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials; " +
		"AWS_PROFILE names a profile there"
	// credentialsWait bounds the request for credentials of a single sign-on.
	credentialsWait = time.Minute
)

// readCredentials returns those of the environment, else those of the files that Amazon's tools share. A machine's
// own (of a cloud's metadata service) are not asked for.
func readCredentials() (credentials.Value, error) {
	if v, err := (&credentials.EnvAWS{}).RetrieveWithCredContext(nil); err == nil && v.AccessKeyID != "" &&
		v.SecretAccessKey != "" {
		return v, nil
	}
	files := &credentials.FileAWSCredentials{}
	v, err := files.RetrieveWithCredContext(&credentials.CredContext{Client: &http.Client{Timeout: credentialsWait}})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return v, noCredentials("neither the environment nor ~/.aws has any")
	case err != nil:
		return v, noCredentials(tellable(err))
	case v.AccessKeyID == "" || v.SecretAccessKey == "":
		return v, noCredentials("the profile in ~/.aws has no access key with a secret")
	}
	return v, nil
}

func noCredentials(why string) error {
	return fail.New(fail.BadInput, "no credentials for the store: %s", why).WithHint(credentialsHint)
}

// tellable is an error about the files as far as it may be shown. That of a line that cannot be read quotes the
// line, which may be the secret.
func tellable(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Error()
	}
	text := err.Error()
	for _, known := range []string{"profile has ", "profile defines ", "section ", "cached SSO token is expired",
		"unable to determine AWS SSO"} {
		if strings.HasPrefix(text, known) {
			return text
		}
	}
	return "the files in ~/.aws cannot be used: aws configure list shows how Amazon's tools read them"
}

// hidden returns a function that replaces the credentials in a text by marks: a store may quote them.
func hidden(v credentials.Value, mark string) func(string) string {
	var pairs []string
	for _, secret := range []string{v.SecretAccessKey, v.SessionToken, v.AccessKeyID} {
		if secret != "" {
			pairs = append(pairs, secret, mark)
		}
	}
	return strings.NewReplacer(pairs...).Replace
}
