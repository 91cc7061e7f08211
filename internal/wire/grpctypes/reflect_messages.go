package grpctypes

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields of reflection's messages that are used here (grpc.reflection.v1,
// github.com/grpc/grpc/blob/master/src/proto/grpc/reflection/v1/reflection.proto).
const (
	askFile     protowire.Number = 3 // ServerReflectionRequest.file_by_filename
	askSymbol   protowire.Number = 4 // file_containing_symbol
	askServices protowire.Number = 7 // list_services

	answerFiles    protowire.Number = 4 // ServerReflectionResponse.file_descriptor_response
	answerServices protowire.Number = 6 // list_services_response
	answerError    protowire.Number = 7 // error_response
)

// question is a ServerReflectionRequest.
func question(field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), value)
}

// reflected is a ServerReflectionResponse: the serialised files, or the names of services, or why there is none.
type reflected struct {
	files    [][]byte
	services []string
	failed   *CallError
}

func parseReflected(raw []byte) (r reflected, err error) {
	err = eachField(raw, func(field protowire.Number, value []byte, _ uint64) error {
		switch field {
		case answerFiles:
			return eachField(value, func(field protowire.Number, value []byte, _ uint64) error {
				if field == 1 && value != nil {
					r.files = append(r.files, value)
				}
				return nil
			})
		case answerServices:
			return eachField(value, func(field protowire.Number, value []byte, _ uint64) error {
				if field != 1 {
					return nil
				}
				name := ""
				err := eachField(value, func(field protowire.Number, value []byte, _ uint64) error {
					if field == 1 {
						name = string(value)
					}
					return nil
				})
				r.services = append(r.services, name)
				return err
			})
		case answerError:
			r.failed = &CallError{}
			return eachField(value, func(field protowire.Number, value []byte, number uint64) error {
				switch field {
				case 1:
					r.failed.Status = int(int32(number))
				case 2:
					r.failed.Message = string(value)
				}
				return nil
			})
		}
		return nil
	})
	return r, err
}

// eachField calls f for each field of a message: with its bytes, nil for a number, or with its number.
func eachField(raw []byte, f func(field protowire.Number, value []byte, number uint64) error) error {
	for len(raw) > 0 {
		field, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return badMessage(n)
		}
		raw = raw[n:]
		var value []byte
		var number uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(raw)
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(raw)
		default:
			n = protowire.ConsumeFieldValue(field, kind, raw)
		}
		if n < 0 {
			return badMessage(n)
		}
		raw = raw[n:]
		if err := f(field, value, number); err != nil {
			return err
		}
	}
	return nil
}

func badMessage(n int) error {
	return fmt.Errorf("an answer of reflection is not a message: %w", protowire.ParseError(n))
}
