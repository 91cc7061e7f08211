// Package conduct is a room: measurements from start to end: they start programs, load them, ask the judge, and hand
// a record to the store.
//
// A new kind of measurement is a package here. What only one protocol needs belongs to internal/wire, what only one
// option needs to internal/spec.
//
//   - agents: load from other machines, by the program hone-agent as a child process; what the two say to each other
//   - bisect: the commit of a history that changed a measure: ends -> search -> the commit against the one before
//   - callgrind: instructions by function, from files of valgrind's tool of that name
//   - capture: takes the profiles and traces of a started program under load
//   - conclusion: what a comparison means beyond its verdicts: caveats, gains that are not plain, gates that are open
//   - conductor: takes blocks of samples until they answer what was asked; one loop for all measurements
//   - finder: how a program is loaded that was just started: its port or socket, the protocol and the path
//   - gobench: benchmarks of go test on two sides of a change: build -> try -> rounds -> judge
//   - gobench/benchtext: what test binaries print of benchmarks: results, names, the measures of units
//   - gobench/changes: what differs between the sides besides the code that is measured: tests, inputs, files
//   - gobench/instructions: instructions of benchmarks, counted under valgrind
//   - gobench/otherinput: a copy of a benchmark function with another input, in its source
//   - gobench/process: a test binary or the go command, run to its end
//   - gobench/resultfiles: files of benchmark results, compared as benchstat does
//   - gobench/sources: the two sides as directories that go builds, their packages and overlays
//   - gobench/syncs: how often a program waits for a disk, by its system calls
//   - gobench/turns: processes of test binaries that stay alive and take turns
//   - lab: what all measurements of programs have in common: what to measure, builds, rows of the ledger, comparison
//   - loadcmd: a load generator of the user's own: executed for each slice, its operations counted
//   - loadtest: conducts a load test of what already runs: preflight -> connect -> load -> judge
//   - once: measures programs that end by themselves: locate -> execute in rounds, profiles of one more -> judge, store
//   - precheck: what a patch has to pass before it is measured
//   - pull: profiles of a service that hone did not start, or that others took, as a run
//   - testreach: which of the functions that differ tests and benchmarks execute: builds with counters -> runs -> table
//   - service: measures services under load: start -> warm up -> slices, profiles -> judge, store
//   - timed: what a variant showed under timed load: samples, what it used up, readings of the runtime, figures
//   - track: adds a commit to the series of its branch: base -> comparison -> point
//   - tune: tries what needs no change of source: settings, features switched off
//   - watch: live readings of a running service: sources, loop, saving
//   - watch/ptytest: a pseudo terminal and a small emulator, for tests that look at a screen
package conduct
