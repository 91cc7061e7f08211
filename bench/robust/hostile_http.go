package robust

import "strings"

// rightAnswer is one of HTTP/1.1 that every client takes for right.
const rightAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// answering gives every request the same wrong bytes.
func answering(answer string) []step { return []step{forever(request, says(answer))} }

// beginning gives the first request some bytes, and then others without end.
func beginning(head, more string) []step { return []step{request, says(head), forever(says(more))} }

var (
	longHeader = "X-More: " + strings.Repeat("a", 8000) + "\r\n"
	bigText    = strings.Repeat("a", 64<<10)
)

// httpServers break HTTP/1.1.
var httpServers = []server{
	{Name: "answer, a byte a second", Schemes: http1Scheme,
		Serve: []step{request, drips(func(*guest) []byte { return []byte(rightAnswer) })}},
	{Name: "headers without end", Schemes: http1Scheme, Serve: beginning("HTTP/1.1 200 OK\r\n", longHeader)},
	{Name: "one header without end", Schemes: http1Scheme, Serve: beginning("HTTP/1.1 200 OK\r\nX: ", bigText)},
	{Name: "status line without end", Schemes: http1Scheme, Serve: beginning("HTTP/1.1 200 ", bigText)},
	{Name: "body without end", Schemes: http1Scheme, Serve: beginning("HTTP/1.1 200 OK\r\n\r\n", bigText)},
	{Name: "chunks without end", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "10000\r\n"+bigText+"\r\n")},
	{Name: "trailers without end", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", longHeader)},
	{Name: "1xx without end", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")},
	{Name: "length too long, then silence", Schemes: http1Scheme,
		Serve: []step{request, says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"), hold}},
	{Name: "length too long, then the end", Schemes: http1Scheme,
		Serve: []step{request, says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")}},
	{Name: "length too short", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello")},
	{Name: "length negative", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")},
	{Name: "length beyond 64 bits", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello")},
	{Name: "length of 8 EB", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", bigText)},
	{Name: "two lengths", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello")},
	{Name: "length and chunks", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello")},
	{Name: "chunk of 16 EB", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", bigText)},
	{Name: "chunk size of a megabyte of digits", Schemes: http1Scheme,
		Serve: beginning("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", strings.Repeat("0", 64<<10))},
	{Name: "chunk that does not end", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX")},
	{Name: "resets in mid-answer", Schemes: http1Scheme,
		Serve: []step{request, says(rightAnswer[:len(rightAnswer)-3]), reset}},
	{Name: "closes in mid-head", Schemes: http1Scheme, Serve: []step{request, says(rightAnswer[:20])}},
	// A client that has asked by the time they arrive cannot tell: they carry no id.
	{Name: "answers before the request", Schemes: http1Scheme, Serve: []step{
		right, says(rightAnswer), right, says(rightAnswer), right, says(rightAnswer), hold,
	}},
	{Name: "two answers for a request", Schemes: http1Scheme,
		Serve: []step{forever(request, right, says(rightAnswer+rightAnswer))}},
	{Name: "redirects to itself", Schemes: http1Scheme,
		Serve: []step{forever(request, right, says("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"))}},
	{Name: "status 000", Schemes: http1Scheme,
		Serve: answering("HTTP/1.1 000 Nothing\r\nContent-Length: 5\r\n\r\nhello")},
	{Name: "switches protocols", Schemes: http1Scheme,
		Serve: []step{request, says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n"), hold}},
	{Name: "HTTP/9.9", Schemes: http1Scheme, Serve: answering(strings.Replace(rightAnswer, "1.1", "9.9", 1))},
	{Name: "right, and resets after it", Schemes: http1Scheme, Serve: []step{request, right, says(rightAnswer), reset}},
}
