// Package spec is what a user asks for: the program, the load, the test, and what to observe. Each option is one row of
// a table (Rows), from which come the flags of the commands, the keys of --set and of the plans in hone.yaml, the help,
// the reference, and what of a command line is printed again. The parts that the rows fill (Parts) are what conductors
// take, what the ledger stores (Stored) and what a stored run is measured again by: nothing is copied out of them. A
// new option is a field, its row, and its use.
//
// The packages in this room read what a user says elsewhere:
//
//   - cli: what hone and its extensions share on a command line: signals, errors and exit codes, JSON, version
//   - codeowners: CODEOWNERS: who owns a directory of the repository
//   - config: hone.yaml: strict reading, drafting, what it would execute
//   - extension: hone NAME runs hone-NAME: the known ones, where they are, one version for all
//   - read: what the words of a spec mean: rates, gates, files of requests, manifests
//   - trust: which hone.yaml and runs of others the user trusts, by path and content; the key of the user's own runs
//   - workflows: drafts of what GitHub and GitLab run: a gate for pull requests, a nightly series
package spec
