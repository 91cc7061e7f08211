// Package series keeps the performance of a repository along the commits of its branches: a series is a chain of
// comparisons. Each tracked commit was measured together with an earlier one, on whatever machine the job got, so a point
// holds ratios and no machine is compared with another one. Every tenth point is also measured against an anchor, which
// bounds how far the errors of the chain may add up.
//
// A store is append only: a line of JSON for each point. See Store for where it is kept.
package series
