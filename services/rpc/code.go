package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Code is the ret_code of an answer. The codes of this package are below 1000; those
// above are the services' own.
type Code uint32

// The codes.
const (
	CodeOK            Code = 0
	CodeBadRequest    Code = 1 // envelope, metadata or argument cannot be decoded
	CodeNotFound      Code = 2 // nothing is registered for the service path
	CodeDeadline      Code = 3 // the call's time ran out in the handler
	CodeCanceled      Code = 4 // the handler gave up because the caller was gone
	CodeTooLarge      Code = 5 // the answer is over the body limit
	CodeUnimplemented Code = 6 // streams, compression
	CodeInternal      Code = 7 // the handler panicked, or its reply cannot be encoded
	CodeUnknown       Code = 8 // the handler failed with an error that has no code
)

// String names the code.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("code %d", uint32(c))
}

var codeNames = [...]string{
	CodeOK:            "ok",
	CodeBadRequest:    "bad request",
	CodeNotFound:      "not found",
	CodeDeadline:      "deadline exceeded",
	CodeCanceled:      "canceled",
	CodeTooLarge:      "too large",
	CodeUnimplemented: "unimplemented",
	CodeInternal:      "internal",
	CodeUnknown:       "unknown",
}

// Error is an answer that is not CodeOK. A handler that returns one decides code and
// message; a client's call returns one for every such answer.
type Error struct {
	Code    Code
	Message string
}

// Error names the code, and the message if there is one.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code.String()
	}
	return e.Code.String() + ": " + e.Message
}

// response is the answer that says so.
func (e *Error) response() *Response { return &Response{Code: e.Code, Message: e.Message} }

// Errorf makes an Error.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CodeOf is the code of the Error in err's chain: CodeOK if err is nil, CodeUnknown if
// there is none, as with a lost connection.
func CodeOf(err error) Code {
	if err == nil {
		return CodeOK
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeUnknown
}

// maxMessage bounds the message of an answer, so that an error fits into any body.
const maxMessage = 1 << 10

// asError makes of a handler's error what goes over the wire: a code that is not
// CodeOK, and a message that is UTF-8 and short.
func asError(err error) *Error {
	var e Error
	switch wire, ok := errors.AsType[*Error](err); {
	case ok && wire.Code != CodeOK:
		e = *wire
	case errors.Is(err, context.DeadlineExceeded):
		e = Error{CodeDeadline, err.Error()}
	case errors.Is(err, context.Canceled):
		e = Error{CodeCanceled, err.Error()}
	default:
		e = Error{CodeUnknown, err.Error()}
	}
	if len(e.Message) > maxMessage {
		e.Message = e.Message[:maxMessage]
	}
	e.Message = strings.ToValidUTF8(e.Message, "?")
	return &e
}
