// Package track adds a commit to the series of its branch: base -> comparison -> point. The commit is held against the
// last tracked commit that it contains, and every tenth time against the anchor, too, an old commit of the chain.
// Whether benchmarks or a service are compared, the caller says (Task.Compare).
package track
