package subject

import (
	"context"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/text/fail"
)

// blameProbe finds out whether the probe is why a subject ended before it was ready, as in a
// program that closes all descriptors at its start, the probe's and those of the runtime's
// poller among them. The proof is a second start without the probe. Any other error, and that
// of a subject that ends without the probe as well, is returned as it is.
func (p *running) blameProbe(ctx context.Context, err error) error {
	end, over := p.ended.known()
	if !over {
		return err // it goes on
	}
	if rest, _ := p.gone.known(); !rest.probed || end.expected || p.saysTaken() || ctx.Err() != nil {
		return err
	}
	without := p.opts
	without.ProbeDir, without.Output.Stdout, without.Output.Stderr = "", nil, nil
	again, failed := Start(ctx, p.binary, without)
	if failed != nil {
		return err
	}
	if _, failed := again.Stop(ctx); failed != nil {
		return err
	}
	return fail.New(fail.Subject, "%w; without hone's probe the same program starts", err).
		WithHint("measure it with --set no-inject: a program that closes descriptors that it did not open closes those " +
			"of the probe; " +
			"what the probe reports (allocations, collector, profiles) is then missing")
}

// Probes are those of the subject, nil if none were asked for. The subject must be started.
func (p *running) Probes() *probeclient.Probes {
	if p.probe == "" {
		return nil
	}
	return probeclient.NewProbes(p.probe, p.PID(), p.processes)
}
