package cases

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// memory watches hone over a run of a service with many series.
func (c recordingCost) memory(ctx context.Context) error {
	p, err := proc.Start(ctx, -1, proc.Command{Program: c.Hone.Program, Dir: c.Hone.Dir, Interrupt: true,
		Args: []string{
			"run", "./bench/subjects/series", "--ledger", filepath.Join(c.Dir, "ledger"),
			"--target", "http://127.0.0.1:{port}/", "-R", "2000", "-d", c.length.String(), "--no-profile", "--quiet",
			"--", "-addr", "127.0.0.1:{port}", "-series", strconv.Itoa(c.series)}})
	if err != nil {
		return err
	}
	var peak, last int64
	t := c.Table(fmt.Sprintf("hone's resident memory in a run of %v with %d series at 2,000 requests/s", c.length,
		c.series), "minute", "MB")
	for tick := time.Tick(time.Second); ; {
		select {
		case <-p.Ended():
			_, err := p.Wait()
			c.Claim(fmt.Sprintf("hone's largest resident memory in a run of %v with %d series", c.length, c.series),
				"%.1f MB", float64(peak)/(1<<20))
			if err == nil && peak > goalMemory {
				err = errors.New("hone took too much memory")
			}
			return err
		case now := <-tick:
			resident, high, err := proc.Memory(p.Pid())
			if err != nil {
				continue // it is ending
			}
			peak = max(peak, high)
			if minute := now.Unix() / 60; minute != last {
				last = minute
				t.Row(fmt.Sprint(len(t.Rows)), fmt.Sprintf("%.0f", float64(resident)/(1<<20)))
			}
		}
	}
}
