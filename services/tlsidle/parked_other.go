//go:build !linux

package tlsidle

// newParked serves as pooled does: there is no epoll here.
func newParked(s *Server) engine { return newPooled(s) }
