package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
)

// message is a request, a notification (without ID) or a response (without Method) of JSON-RPC 2.0.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
}

// answer is a response that succeeded; a null result is a result.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// refusal is a response with an error.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *rpcError       `json:"error"`
}

// rpcError is an error as JSON-RPC sends it.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// Codes of JSON-RPC 2.0 (section 5.1) and of LSP 3.17 ("ErrorCodes").
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603
	notInitialized = -32002
)

func refuse(code int, format string, args ...any) *rpcError {
	return &rpcError{code, fmt.Sprintf(format, args...)}
}

// call is a message of the client.
type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// parse reads a message of the client. With an error the call is empty.
func parse(content []byte) (c call, err error) {
	if !json.Valid(content) {
		return c, refuse(parseError, "the message is not JSON")
	}
	if err := json.Unmarshal(content, &c); err != nil {
		return call{}, refuse(invalidRequest, "the message is not a request: %v", err)
	}
	switch first := append(c.ID, ' ')[0]; {
	case first == ' ', first == '"', first == '-', '0' <= first && first <= '9':
		return c, nil
	}
	return call{}, refuse(invalidRequest, "the id of the request is neither a number nor a text")
}

// into decodes parameters.
func (c call) into(params any) error {
	if err := json.Unmarshal(c.Params, params); err != nil {
		return refuse(invalidParams, "%s: %v", c.Method, err)
	}
	return nil
}

// asRPC is an error as it is sent.
func asRPC(err error) *rpcError {
	var e *rpcError
	if errors.As(err, &e) {
		return e
	}
	return refuse(internalError, "%v", err)
}
