package page

import (
	"slices"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
)

// commands lead on from a run: measure it again where that is possible, then look closer, and keep it.
func (s *storedRun) commands(kind Kind) []model.Command {
	id, asked := s.row.ID, s.record.Command
	all := []model.Command{}
	say := func(line, what string) { all = append(all, model.Command{Line: line, What: what}) }
	if line, what, ok := s.again(kind); ok {
		say(line, what)
	}
	say(asked.Stored("show", id), "this page in the terminal")
	profiles := s.profiles()
	has := func(kind string) bool {
		return slices.ContainsFunc(profiles, func(p ProfileRef) bool { return p.Kind == kind })
	}
	if has("cpu") {
		say(asked.Stored("profile", "top", id), "the most expensive functions")
		say(asked.Stored("profile", "blame", id), "whose garbage the collector collects")
	}
	if s.waits != nil || has("mutex") || has("block") {
		say(asked.Stored("tail", id), "what requests wait for")
	}
	if len(profiles) > 0 {
		say(asked.Stored("advise", id), "what to change, with evidence")
	}
	if s.row.Comparison != "" {
		say(asked.Stored("show", s.row.Comparison), "the comparison that it is part of")
	} else if line := record.CompareAgain(s.record); line != "" {
		say(line, "the program as it is now against that of HEAD"+spec.Unset(line))
	}
	say(asked.Stored("export", id), "take it to another machine")
	return all
}

// again is the command that measures a run under load once more, and where.
func (s *storedRun) again(kind Kind) (line, what string, ok bool) {
	if kind != KindRun {
		return "", "", false
	}
	if s.record.Asked != nil {
		what = "measure it again, in " + s.record.Asked.WorkDir
	}
	line = s.record.Command.Again().String()
	return line, what + spec.Unset(line), line != ""
}
