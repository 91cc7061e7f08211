package profiles

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"strings"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/web"
	"github.com/gohone/hone/prof"
)

// shownProfile is one profile of a page.
type shownProfile struct {
	*app.Profiled
	capture prof.Capture
	from    prof.Sources // may be nil
	cohort  string
	note    string // what a filter left; may be empty
}

// writeFlame writes a page with the flame graph of one profile, or with the difference of two.
func writeFlame(w io.Writer, title string, all ...shownProfile) error {
	r := web.Report{Title: title, Answers: map[string]any{}}
	var names []string
	for i, one := range all {
		name := strings.TrimPrefix(one.Name, "run ")
		if i > 0 && name == names[0] { // two files of one name, in different directories
			name += " (B)"
		}
		names = append(names, name)
		p, err := page.ProfileOf(one.capture, prof.PackOptions{Code: one.Code()})
		if err != nil {
			return fail.New(fail.BadInput, "%s: %w", one.Name, err)
		}
		p.Run, p.Title, p.Cohort = name, fmt.Sprintf("%s, %s", title, one.capture.Kind), one.cohort
		if one.note != "" {
			p.Notes = append(p.Notes, one.note)
		}
		if len(all) > 1 {
			p.Title = one.Title(one.capture.Kind + " profile")
		}
		kind := one.capture.Kind
		r.Answers[page.ProfilePath(name, kind, one.cohort)] = p
		maps.Copy(r.Answers, page.SourcesOf(one.from, one.capture, name))
		r.First = "profiles/" + url.PathEscape(name) + "/" + kind
	}
	if len(all) > 1 {
		r.First = "diff/" + url.PathEscape(names[0]) + "/" + url.PathEscape(names[1]) + "/" + all[0].capture.Kind
	}
	if c := all[0].cohort; c != "" {
		r.First += "?cohort=" + url.PathEscape(c)
	}
	return web.WriteReport(w, r)
}

// draw writes a picture and a page into the files that have a name.
func (a *commands) draw(svg, html string, picture, page func(io.Writer) error) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{svg, picture}, {html, page}} {
		if f.name == "" {
			continue
		}
		if err := app.WriteFile(f.name, f.write); err != nil {
			return err
		}
		if _, err := io.WriteString(a.Stderr, "written: "+f.name+"\n"); err != nil {
			return err
		}
	}
	return nil
}
