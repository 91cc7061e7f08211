// Package text is a room: what goes in and comes out as text: errors with an exit code and a hint, numbers with
// their units, one bound for each kind of input, the only writer to a terminal, what is left out because it may be
// secret.
//
// It imports the standard library alone, and everything may import it. Wording, units and bounds are changed here,
// and nowhere else.
//
//   - codes: the names of codes of answers that are not numbers on the wire
//   - fail: kinds of errors (exit codes) and hints
//   - fail/failtest: a check of errors for tests
//   - inputs: one bound for each kind of outside input, and the readers that hold it; byte order marks, UTF-16
//   - panels: the picture of a live view: readings in, text out
//   - printable: the only writer to the terminal: it shows control characters instead of sending them; documents
//     whose texts are single lines
//   - progress: how a measurement reports its progress
//   - redact: what is left out of documents, reports and messages: secrets, by their names and by their look
//   - shellwords: words of a command line, as a POSIX shell reads them
//   - statement: statements of SQL without their values
//   - units: numbers as people read them
//   - vitals: readings of a program and their history
//   - words: the words of hone's output: the table above, and hone help words
package text
