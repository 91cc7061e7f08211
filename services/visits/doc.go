// Package visits is a reference service: a visitor counter over HTTP, built eight times
// over. GET /hello?name=&color= counts the visits of each name, answers with a page of
// HTML and logs one line of JSON. Each stage gives the same pages to the same requests and
// differs from the one before it in one thing:
//
//	start       start.go       string concatenation, logrus with fields, one mutex held throughout
//	fprintf     fprintf.go     fmt.Fprintf for the page, which makes it slower
//	pooled      pooled.go      a pooled buffer for the page
//	pooled-log  pooled_log.go  the log line as one message, made in a pooled buffer
//	zerolog     zerolog.go     zerolog instead of logrus
//	bytes       bytes.go       bytes appended instead of fmt.Sprint
//	final       final.go       a mutex held for the count only
//	sharded     sharded.go     nothing allocated: sharded counters, the query read in place
//
// All but the last are a published ladder; README.md has its figures. What the stages do
// not differ in is shared: which visits are refused (visit.go), how many names are counted
// (names.go), the limits of the server (server.go).
package visits
