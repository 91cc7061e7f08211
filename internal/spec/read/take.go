package read

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

// Take reads the requests that a command which starts programs is given in other tools' words, and returns what there
// is to say of them. They go to the program under load. inFile are the steps of hone.yaml. set is what was given, where
// a log may say how much load there is; nil in a stored run.
func (s *Requests) Take(ctx context.Context, f *spec.Spec, set *spec.Set, inFile []wire.Request) (said []string,
	err error) {
	s.Requests = &f.Requests
	if s.Traffic == spec.TrafficReplay {
		return nil, fail.New(fail.BadInput,
			"traffic replay is for hone load: a measurement of a program has slices, which no recorded moments fit").
			WithHint("traffic mix or order, and --rate for an open loop")
	}
	if said, err = s.read(ctx); err != nil {
		return nil, err
	}
	if err := s.readSteps(inFile, f.Plan.Depth); err != nil {
		return nil, err
	}
	switch {
	case s.curl != nil:
		said = append(said, fmt.Sprintf("curl command: the request goes to the program that is measured, instead of %s",
			s.curl.Host))
		if s.curl.Insecure || s.curl.CA != "" || s.curl.Socket != "" {
			said = append(said,
				"curl command: its options for TLS and sockets are left out; hone finds how the program is spoken to")
		}
		if f.Path == "" {
			f.Path = s.curl.Path
		}
	case (s.list != nil || s.sequence != nil) && f.Path != "":
		return nil, fail.New(fail.BadInput, "--path does not go with %s, whose requests have their own",
			cmp.Or(strings.Join(s.given(), ""), "the steps of hone.yaml")).WithHint("leave it out")
	case s.list != nil || s.sequence != nil:
		f.Path = "/" // instead of the path of a target in hone.yaml
	}
	if s.Fit != nil && set != nil {
		said = append(said, s.like(set, f)...)
	}
	return said, nil
}

// TakeForLoad reads the requests that hone load is given in other tools' words, completes the targets, and returns them
// with what there is to say.
func (s *Requests) TakeForLoad(
	ctx context.Context, f *spec.Spec, set *spec.Set, words []string,
) (targets, said []string, err error) {
	s.Requests = &f.Requests
	targets = words
	said, err = s.read(ctx)
	if err == nil {
		err = s.readSteps(nil, f.Plan.Depth)
	}
	if err != nil {
		return nil, nil, err
	}
	switch {
	case s.curl != nil && len(targets) > 1:
		return nil, nil, fail.New(fail.BadInput, "--curl goes with one target or none, got %d",
			len(targets)).WithHint("the URL of the curl command is the target")
	case s.curl != nil:
		target := s.curl.Target()
		if len(targets) == 1 {
			said = append(said, fmt.Sprintf("curl command: the request goes to %s instead of %s", targets[0],
				s.curl.Host))
			target = schemes.WithPath(targets[0], s.curl.Path)
		}
		targets = []string{target}
		tls := &f.Protocol.TLS
		if https := strings.HasPrefix(target, "https:"); https {
			tls.Insecure = tls.Insecure || s.curl.Insecure
			if tls.CAs == "" {
				tls.CAs = s.curl.CA
			}
		} else if s.curl.Insecure || s.curl.CA != "" {
			said = append(said, "curl command: its options for TLS are left out: the target is not https://")
		}
	case s.list != nil && len(targets) == 0:
		return nil, nil, fail.New(fail.BadInput, "no target to load: the requests of %s need one",
			strings.Join(s.given(), "")).
			WithHint("name the host and port that they go to: hone load http://127.0.0.1:8080 %s FILE",
				strings.Join(s.given(), ""))
	case s.list != nil && s.Traffic == spec.TrafficReplay && !set.Given("warmup"):
		f.WarmUp = 0 // the first requests are those of the recording
	}
	if s.Fit != nil {
		said = append(said, s.like(set, f)...)
	}
	return targets, said, nil
}
