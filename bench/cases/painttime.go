package cases

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/ui/chrome"
)

// paintGoal is how soon a page should be painted after its data is there.
const paintGoal = time.Second

// paint opens a page in Chromium some times, and says what the page says of itself: its performance marks hone-data,
// when the first answer is there, and hone-painted, when what it shows was painted. Without Chromium it says so.
func paint(ctx context.Context, t *bed.Table, rounds int, address, hash string) error {
	if _, err := chrome.Find(); err != nil {
		t.Say("not opened in a browser: %v", err)
		return nil
	}
	browser, err := chrome.Start(ctx)
	if err != nil {
		return err
	}
	defer browser.Close()
	var data, paint []float64
	for range rounds {
		at, painted, err := openPage(browser, address+hash)
		if err != nil {
			return err
		}
		data, paint = append(data, at), append(paint, painted-at)
		address, _, _ = strings.Cut(address, "?") // the token was for the first time
	}
	t.Say("in the browser: data there after %s ms, painted %s ms later (wanted: under %d)",
		figures.Spread("%.0f", data), figures.Spread("%.0f", paint), paintGoal.Milliseconds())
	return nil
}

func openPage(browser *chrome.Browser, address string) (data, painted float64, err error) {
	tab, err := browser.Open(address, 1400, 1000)
	if err != nil {
		return 0, 0, err
	}
	defer tab.Close()
	const mark = "performance.getEntriesByName('%s')[0]?.startTime ?? 0"
	if err := tab.Wait(fmt.Sprintf(mark, "hone-painted")); err != nil {
		return 0, 0, err
	}
	if data, err = chrome.Value[float64](tab, fmt.Sprintf(mark, "hone-data")); err != nil {
		return 0, 0, err
	}
	painted, err = chrome.Value[float64](tab, fmt.Sprintf(mark, "hone-painted"))
	return data, painted, err
}
