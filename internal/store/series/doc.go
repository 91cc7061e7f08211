// Package series keeps the performance of a repository along the commits of its branches: a series is a chain of
// comparisons. Each tracked commit was measured together with an earlier one, on whatever machine the job got, so a
// point holds ratios and no machine is compared with another one. Every tenth point is also measured against an
// anchor, which bounds how far the errors of the chain may add up.
//
// A store is append only: a line of JSON for each point. It is a directory (Dir), a branch of the repository (Branch) or
// an object store (Objects), which Open finds by name. The first two have the same files, the third has its own names
// for objects with the same lines:
//
//	BRANCH.SUBJECT-HASH.YYYY-MM.jsonl   the points of one branch, subject and month; then .2.jsonl, .3.jsonl, ... when
//	                                    that gets long
//	reports/NAME                        the reports of points
//
// Whoever can write to the store can have edited it. So a reader takes each line for a stranger's: what is broken or
// doubtful is a Fault, and the rest is shown. Texts of points go to terminals and pages through
// internal/text/printable, as all others do.
package series
