package cases

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/ui/chrome"
)

// alone starts nothing.
func alone(context.Context, honecli.Hone) (end func(error) error, err error) {
	return func(err error) error { return err }, nil
}

// stream starts hone serve and reads its live stream. end ends both, and joins its errors to err.
func stream(ctx context.Context, hone honecli.Hone) (end func(err error) error, err error) {
	server, err := hone.Serve(ctx)
	if err != nil {
		return nil, err
	}
	reading, cancel := context.WithCancel(ctx)
	answer, err := liveStream(reading, server.Address)
	if err != nil {
		cancel()
		return nil, errors.Join(err, server.End())
	}
	read := make(chan struct{})
	go func() { // ends with reading
		_, _ = io.Copy(io.Discard, answer.Body)
		close(read)
	}()
	return func(err error) error {
		cancel()
		<-read
		return errors.Join(err, answer.Body.Close(), server.End())
	}, nil
}

// liveStream enters with the token of the address, and asks for the stream.
func liveStream(ctx context.Context, address string) (*http.Response, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Jar: jar}
	base, _, _ := strings.Cut(address, "?")
	var answer *http.Response
	for _, url := range []string{address, base + "api/v1/live"} {
		if answer != nil {
			_ = answer.Body.Close() // of the page, which is not read
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		if answer, err = client.Do(request); err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusOK {
			return nil, errors.Join(fmt.Errorf("%s: %s", url, answer.Status), answer.Body.Close())
		}
	}
	return answer, nil
}

// browse starts hone serve and a browser with the live screen and the history. end ends both, and joins its errors to
// err.
func browse(ctx context.Context, hone honecli.Hone) (end func(err error) error, err error) {
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
