package promises

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// readmes have a table of a few promises, each in a row that names its case: (CASE=noop, 2026-11-30).
var readmes = []string{"../README.md", "../README.zh-CN.md"}

// headlines are the promises of the READMEs, in the order of their rows.
var headlines = []string{"alarms on public commits that change nothing", "changes that only look faster, and pass",
	"gRPC, CPU over ghz's; 16, 100, 1,000 streams"}

// Write writes the pages with figures of the published results.
func Write(ctx context.Context, cases []bed.Case) error {
	stale, err := staleNow(ctx, bed.ResultsDir, cases)
	if err != nil {
		return err
	}
	page, err := Page(bed.ResultsDir, stale)
	if err != nil {
		return err
	}
	if err := bed.WriteFile(PageFile, page); err != nil {
		return err
	}
	for _, file := range readmes {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		with, err := Readme(bed.ResultsDir, string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := bed.WriteFile(file, with); err != nil {
			return err
		}
	}
	return nil
}

// Readme is a README with the figures of the headlines in its table. A row keeps its own words.
func Readme(dir, text string) (string, error) {
	found, _, err := answered(dir)
	if err != nil {
		return "", err
	}
	for _, headline := range headlines {
		for _, a := range found {
			if a.text != headline {
				continue
			}
			row := regexp.MustCompile("(?m)^(\\| .*CASE=" + a.about + "`[,，] ?)[0-9-]+([)）]) \\|.*$")
			if !row.MatchString(text) {
				return "", fmt.Errorf("no row of the table has (`CASE=%s`, DATE)", a.about)
			}
			text = row.ReplaceAllString(text, "${1}"+escape(a.day())+"${2} | "+escape(brief(a.Figure))+" | "+
				escape(brief(a.Peer))+" |")
		}
	}
	return text, nil
}

// escape has a text stand for itself in a replacement.
func escape(text string) string { return strings.ReplaceAll(text, "$", "$$") }
