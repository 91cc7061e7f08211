package cover

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/honecli"
)

// fit is what a load does that hone makes of production's log.
type fit struct {
	// Stated is nil where hone makes no load of the log, for the reason of Failed.
	Stated *stated `json:"stated,omitempty"`
	Failed string  `json:"failed,omitempty"`
	// Doubt is why hone calls the measurement invalid. Its profile counts: it is of the requests that were sent.
	Doubt string `json:"doubt,omitempty"`
}

// reaches says whether the load is enough like production.
func (f fit) reaches() bool { return f.Stated != nil && f.Stated.Overlap >= enough }

// enough is the overlap that a fitted load has to reach, in percent.
const enough = 85

// String is a fit as a report has it.
func (f fit) String() string {
	if f.Stated == nil {
		return "none: " + f.Failed
	}
	if f.Doubt != "" {
		return f.Stated.String() + "; " + f.Doubt
	}
	return f.Stated.String()
}

// tries is how often hone may try: on a busy machine it may refuse the first measurement before it has a profile.
const tries = 3

// fit has hone load a service as production's log says, and state how much of production that is.
func (c config) fit(ctx context.Context, s services.Service, production observed) (f *fit, err error) {
	for range tries {
		if f, err = c.fitOnce(ctx, s, production); err == nil || ctx.Err() != nil {
			return f, err
		}
	}
	return &fit{Failed: said(err.Error())}, nil
}

// fitOnce runs hone with the log alone, and the leave to send requests that change data.
func (c config) fitOnce(ctx context.Context, s services.Service, production observed) (*fit, error) {
	var d struct{ ID string }
	ran, err := c.Hone.Ask(ctx, &d, []int{honecli.Invalid}, "run --quiet --no-report",
		"./svc", "--access-log", production.log, "--set", "methods=GET,POST,DELETE", "--profile-time", c.length.String(), "--set", "profile.rate="+strconv.Itoa(profileHz),
		"--", "-addr", "127.0.0.1:{port}", "-service", s.Name, "-log", "{dir}/access.log")
	if err != nil {
		return nil, err
	}
	stated, err := c.state(ctx, production.profile, d.ID)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, ran.Stderr)
	}
	f := &fit{Stated: &stated}
	if ran.Code == honecli.Invalid {
		f.Doubt = said(string(ran.Stderr))
	}
	return f, nil
}

// said is hone's last sentence in a text.
func said(text string) (line string) {
	for l := range strings.Lines(text) {
		if sentence, ok := strings.CutPrefix(l, "hone: "); ok {
			line = strings.TrimSpace(sentence)
		}
	}
	return line
}
