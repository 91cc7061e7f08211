//go:build !linux

package listeners

import (
	"errors"
	"fmt"
	"net/netip"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// Of lists the TCP listeners, or the UDP sockets without a peer if network is "udp". It asks lsof, as there is no table
// to read here. It shows the caller's own processes; those of other users only to root.
func Of(network string, _ int, owners func() ([]int, error)) ([]Listener, error) {
	which := []string{"-nP", "-iTCP", "-sTCP:LISTEN", "-Fpun"}
	if network == "udp" {
		which = []string{"-nP", "-iUDP", "-Fpun"}
	}
	out, err := exec.Command("lsof", which...).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) { // lsof fails when it finds nothing
		return nil, fmt.Errorf("run lsof: %w", err)
	}
	all := parseLsof(string(out))
	pids, err := owners()
	if err != nil {
		return nil, err
	}
	for i := range all {
		if !slices.Contains(pids, all[i].PID) {
			all[i].PID = 0
		}
	}
	return all, nil
}

// parseLsof reads lsof's output for programs: a line for each field, the first
// character naming it.
func parseLsof(text string) []Listener {
	var all []Listener
	now := Listener{UID: -1}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		switch value := line[1:]; line[0] {
		case 'p':
			now.PID, _ = strconv.Atoi(value)
		case 'u':
			now.UID, _ = strconv.Atoi(value)
		case 'n':
			at, err := netip.ParseAddrPort(strings.Replace(value, "*:", "[::]:", 1))
			if err != nil {
				continue
			}
			now.Address, now.Port = at.Addr(), int(at.Port())
			all = append(all, now)
		}
	}
	return all
}
