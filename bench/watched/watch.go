package main

import (
	"context"
	"errors"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/ui/chrome"
)

// watch starts hone serve and a browser with the live screen and the history. end ends both, and joins its errors to err.
func watch(ctx context.Context, hone honecli.Hone) (end func(err error) error, err error) {
	server, err := hone.Serve(ctx)
	if err != nil {
		return nil, err
	}
	browser, err := chrome.Start(ctx)
	if err != nil {
		return nil, errors.Join(err, server.End())
	}
	end = func(err error) error {
		browser.Close()
		return errors.Join(err, server.End())
	}
	base, _, _ := strings.Cut(server.Address, "?")
	for _, address := range []string{server.Address + "#/live", base + "#/"} {
		tab, err := browser.Open(address, 1400, 1000)
		if err != nil {
			return nil, end(err)
		}
		if err := tab.Wait("document.querySelector('main')"); err != nil {
			return nil, end(err)
		}
	}
	return end, nil
}
