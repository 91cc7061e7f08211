package cover

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/proc"
)

// packageDir has the package of the services, from the directory bench.
const packageDir = "cover"

// served is a service at work.
type served struct {
	*proc.Server
	services.Service
	profiles string // address of net/http/pprof
}

// serve starts a service of the program. Its log is at the path.
func serve(ctx context.Context, program string, s services.Service, log string) (*served, error) {
	profiles, err := proc.FreeAddress()
	if err != nil {
		return nil, err
	}
	p, err := proc.Serve(ctx, -1, proc.Command{Program: program, Args: []string{"-service", s.Name, "-log", log, "-pprof", profiles, "-hz", strconv.Itoa(profileHz)}})
	if err != nil {
		return nil, err
	}
	return &served{p, s, profiles}, nil
}

// drive is a driver of the service.
func (s *served) drive(d demand, seed string) driver { return driver{d, s.Service, s.Addr, seed} }

// profile takes a CPU profile of so many seconds into a file.
func (s *served) profile(ctx context.Context, path string, length time.Duration) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.profiles, int(length.Seconds())), nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("take a profile: %w", err)
	}
	defer answer.Body.Close()
	taken, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("take a profile: %s, %w", answer.Status, err)
	}
	return os.WriteFile(path, taken, 0o644)
}

// profileHz is the rate of CPU profiles: the kernel's timers have no more on usual machines.
const profileHz = 250
