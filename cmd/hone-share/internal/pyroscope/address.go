package pyroscope

import (
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// parse reads the address of a server and appends the path of the call.
func parse(address string, o Options) (*url.URL, error) {
	u, why := sameorigin.ParseServer(address)
	if why != "" {
		return nil, fail.New(fail.BadInput, "--pyroscope %.200q: %s", redact.URL(address), why).
			WithHint("write it as http://127.0.0.1:4040 or https://HOST")
	}
	if u.Scheme == "http" && !o.Insecure && !sameorigin.LoopbackHost(u.Hostname()) {
		return nil, fail.New(fail.BadInput,
			"--pyroscope %s: it is plain http to another machine, so anyone on the way can read the profiles",
			redact.URL(address)).
			WithHint("use https://; or allow it with --insecure")
	}
	u.Path = strings.TrimRight(u.Path, "/") + path
	return u, nil
}
