// Package insight is a room: why: rules that find causes, where the time of requests goes, and mechanical changes of
// source that prove a finding.
//
// Rules know kinds of programs, not names. Test programs of a rule are written by a person who did not write the
// rule.
//
//   - advice: rules over what is known of a run: findings
//   - code: questions about the user's source
//   - facts: what is known of a run: its profiles, waits and counters, with the source of its program
//   - rewrite: mechanical changes of the user's source: overlay and patch, or a refusal; built and tested
//   - spans: where the time of requests goes, from spans of OpenTelemetry
//   - walltime: where the wall time of requests goes, from execution traces
package insight
