package chat

// Result is what an ack says of its request.
type Result byte

// The results. All but Accepted leave things as they were before the request, and the
// connection open: it is framed well, and its next request may be a better one.
const (
	Accepted    Result = iota
	NotLoggedIn        // before a login only a login is taken
	LoggedIn           // a second login on the connection
	BadName            // not 1 to MaxName bytes of printable UTF-8 without spaces
	NameTaken          // another user is logged in under the name
	NotInRoom          // a message before a join
	RoomFull           // the room has as many members as the server allows
	BadText            // no zlib stream, one that is damaged, or bytes after it
	TextTooLong        // over MaxText bytes of text
	NumResults
)

// String says the result in words.
func (r Result) String() string {
	if int(r) < len(resultNames) {
		return resultNames[r]
	}
	return "unknown result"
}

var resultNames = [NumResults]string{
	Accepted:    "accepted",
	NotLoggedIn: "not logged in",
	LoggedIn:    "logged in already",
	BadName:     "bad name",
	NameTaken:   "name taken",
	NotInRoom:   "not in a room",
	RoomFull:    "room full",
	BadText:     "bad text",
	TextTooLong: "text too long",
}
