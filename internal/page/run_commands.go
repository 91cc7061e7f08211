package page

import "slices"

// commands lead on from a run: measure it again where that is possible, then look closer, and keep it.
func (s *storedRun) commands(kind Kind) []Command {
	id := s.row.ID
	all := []Command{}
	say := func(line, what string) { all = append(all, Command{Line: line, What: what}) }
	say("hone show "+id, "this page in the terminal")
	profiles := s.profiles()
	has := func(kind string) bool {
		return slices.ContainsFunc(profiles, func(p ProfileRef) bool { return p.Kind == kind })
	}
	if has("cpu") {
		say("hone profile top "+id, "the most expensive functions")
		say("hone profile blame "+id, "whose garbage the collector collects")
	}
	if s.waits != nil || has("mutex") || has("block") {
		say("hone tail "+id, "what requests wait for")
	}
	if len(profiles) > 0 {
		say("hone advise "+id, "what to change, with evidence")
	}
	if s.row.Comparison != "" {
		say("hone show "+s.row.Comparison, "the comparison that it is part of")
	} else if kind != KindLoad {
		say("hone compare "+id+" OTHER-RUN", "this run against another stored run")
	}
	say("hone export "+id+"", "take it to another machine")
	return all
}
