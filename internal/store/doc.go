// Package store is a room: what is kept: runs and comparisons in the ledger, raw results of load tests, archives and
// object stores for other machines.
//
// Nothing here measures or prints. A document has what was asked for (internal/spec) and what was found
// (internal/insight). A format has its version in its first bytes or lines, and a reader that refuses
// others.
//
//   - archive: runs on their way to another machine: an archive is accepted whole or not at all
//   - benchmarks: the documents of comparisons of benchmarks
//   - bucket: the objects of a place in an object store, by hone-share as a child process
//   - commitsearch: the document of a search for the commit that changed a measure
//   - history: series of runs, change points, two stored runs side by side
//   - ledger: a record and a file of slices for each run, an index of them, content-addressed files
//   - live: what a measurement that goes on tells those who look
//   - loadtests: the document of a load test, and of a search for the highest rate
//   - packed: the stored form of a slice of load, for the ledger, recordings and agents
//   - record: the documents of runs, executions and comparisons, and the parts that they share
//   - recording: raw results of load tests: file format, merge, summary, exports
//   - series: the points of a series, and where they are kept: a directory, a branch, an object store
//   - series/chains: points of a series as chains: values against the beginning, steps with who made them
//   - series/seriestest: series for tests
//   - series/imported: results that other tools measured, as points of a series
//   - tries: how often the same programs were compared
//   - tuning: the documents of settings, rewritten source, toolchains and features that were tried
package store
