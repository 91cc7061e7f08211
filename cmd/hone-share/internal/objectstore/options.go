package objectstore

import (
	"net/url"
	"os"
	"strings"

	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// Options say where the store is. Zero values are taken from the environment as Amazon's own tools
// do: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION.
type Options struct {
	// Endpoint is the URL of the store, https://HOST[:PORT]; "" without a variable means Amazon S3.
	Endpoint string
	// Region is the store's; "" without a variable is found out from Amazon, and us-east-1 for
	// all other stores, which mostly ignore it.
	Region string
	// Insecure allows plain http to other machines: everyone on the way can read the runs.
	Insecure bool
}

const (
	amazon        = "https://s3.amazonaws.com"
	defaultRegion = "us-east-1"
)

// filled takes from the environment what is not given.
func (o Options) filled() Options {
	o.Endpoint = first(o.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon)
	o.Region = first(o.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if o.Region == "" && o.Endpoint != amazon {
		o.Region = defaultRegion
	}
	return o
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// endpoint reads the URL of the store.
func (o Options) endpoint() (*url.URL, error) {
	text := o.Endpoint
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, badEndpoint(o.Endpoint, "it is not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, badEndpoint(o.Endpoint, "its scheme is neither https nor http")
	case u.User != nil:
		return nil, fail.New(fail.BadInput, "endpoint %s: it holds a user or password", redact.URL(text)).
			WithHint("leave them out: credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	case u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, badEndpoint(o.Endpoint, "it is not a scheme, a host and a port alone")
	case u.Scheme == "http" && !o.Insecure && !sameorigin.LoopbackHost(u.Hostname()):
		return nil, fail.New(fail.BadInput,
			"endpoint %s: it is plain http to another machine, so anyone on the way can read the runs",
			redact.URL(text)).
			WithHint("use https://; or allow it with --insecure")
	}
	u.Path = ""
	return u, nil
}

func badEndpoint(text, why string) error {
	return fail.New(fail.BadInput, "endpoint %.200q: %s", redact.URL(text), why).
		WithHint("write it as https://HOST or https://HOST:PORT, with --endpoint or in AWS_ENDPOINT_URL_S3")
}
