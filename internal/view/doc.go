// Package view is a room: what the user and his programs see: text, Markdown, pages, the JSON of the API, the tools
// of coding agents.
//
// It reads what was measured and stored, and changes nothing of it.
//
//   - lsp: findings and costs in editors: a language server
//   - mcpserver: hone for coding agents: commands with checked arguments, short answers, one measurement at a time
//   - model: what is shown of a measurement: rows and statements, made once for all writers
//   - model/bench: what is shown of benchmarks
//   - model/commits: what is shown of the search for a commit
//   - model/lists: a line for each run and comparison, and how a measure moved
//   - model/loadtest: what is shown of a load test
//   - page: what the pages show, as data: the JSON of the API
//   - receipt: small files by which another machine measures a comparison again
//   - report: text for terminals
//   - sarif: findings as SARIF, for code scanners
//   - stored: what the ledger keeps of a measurement, decoded once for all readers: runs, comparisons, their
//     profiles and findings
//   - viewtest: comparisons that were measured and recorded, for the tests of the other packages
//   - web: pages in a browser: a report in one file, a server on this machine
package view
