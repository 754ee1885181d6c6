package agenttest

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// Site is an HTTP server on its own port of this machine.
type Site struct {
	// URL is its address, without a slash at the end.
	URL string

	server *http.Server
	ended  chan error
}

// Listen serves a handler until Close.
func Listen(handler http.Handler) (*Site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	s := &Site{
		URL: "http://" + listener.Addr().String(),
		server: &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second,
			ErrorLog: log.New(io.Discard, "", 0)},
		ended: make(chan error, 1),
	}
	go func() { s.ended <- s.server.Serve(listener) }()
	return s, nil
}

// Close stops serving and breaks all connections.
func (s *Site) Close() error {
	err := s.server.Close()
	if ended := <-s.ended; !errors.Is(ended, http.ErrServerClosed) {
		return errors.Join(err, ended)
	}
	return err
}
