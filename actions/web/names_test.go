package web_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// names is a name server of an attacker's. What it answers goes by what stands before the first hyphen or dot
// of a name, so that every test can have fresh names.
type names struct {
	public  netip.Addr // where an attacker may well lead
	address string

	mu    sync.Mutex
	asked map[string]int
}

// serveNames listens at a port of its own, or at 53 if port is given as such.
func serveNames(t *testing.T, public netip.Addr, port ...string) *names {
	t.Helper()
	where := "127.0.0.1:" + strings.Join(append(port, "0")[:1], "")
	packets, err := net.ListenPacket("udp", where)
	require.NoError(t, err)
	streams, err := net.Listen("tcp", packets.LocalAddr().String())
	// another program has that port for TCP
	for tries := 0; err != nil && len(port) == 0 && tries < 100; tries++ {
		require.NoError(t, packets.Close())
		packets, err = net.ListenPacket("udp", where)
		require.NoError(t, err)
		streams, err = net.Listen("tcp", packets.LocalAddr().String())
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(packets.Close(), streams.Close())) })
	n := &names{public: public, address: packets.LocalAddr().String(), asked: map[string]int{}}
	go n.servePackets(packets)
	go n.serveStreams(streams)
	return n
}

// resolver asks this server whatever GODEBUG says.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, n.address)
		}}
}

func (n *names) servePackets(conn net.PacketConn) {
	b := make([]byte, 1500)
	for {
		size, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		if answer := n.answer(b[:size], 512); answer != nil {
			if _, err := conn.WriteTo(answer, from); errors.Is(err, net.ErrClosed) {
				return // any other error is about one who no longer listens
			}
		}
	}
}

func (n *names) serveStreams(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			for {
				var size uint16
				if binary.Read(conn, binary.BigEndian, &size) != nil {
					return
				}
				question := make([]byte, size)
				if _, err := io.ReadFull(conn, question); err != nil {
					return
				}
				answer := n.answer(question, 1<<16)
				if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))),
					answer...)); err != nil {
					return
				}
			}
		}()
	}
}

// answer is nil for silence, and cut off beyond limit.
func (n *names) answer(question []byte, limit int) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	kind, _, _ := strings.Cut(strings.NewReplacer(".", "-").Replace(name), "-")
	var found []netip.Addr
	switch kind {
	case "silent":
		return nil
	case "servfail":
		m.RCode = dnsmessage.RCodeServerFailure
	case "cnames":
		next := dnsmessage.MustNewName("cnames-a.test.")
		if name == "cnames-a.test" {
			next = dnsmessage.MustNewName("cnames-b.test.")
		}
		m.Answers = append(m.Answers,
			dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class},
				Body: &dnsmessage.CNAMEResource{CNAME: next}})
	default:
		var exists bool
		if found, exists = n.addresses(kind, name, q.Type); !exists {
			m.RCode = dnsmessage.RCodeNameError
		}
	}
	for _, ip := range found {
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class} // of TTL 0
		switch {
		case ip.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header,
				Body: &dnsmessage.AResource{A: ip.As4()}})
		case ip.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header,
				Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	packed, err := m.Pack()
	if err == nil && len(packed) > limit {
		m.Answers, m.Truncated = nil, true
		packed, err = m.Pack()
	}
	if err != nil {
		return nil
	}
	return packed
}

func (n *names) addresses(kind, name string, question dnsmessage.Type) (found []netip.Addr, exists bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.asked[name+question.String()]
	n.asked[name+question.String()]++
	ips := func(texts ...string) []netip.Addr {
		for _, text := range texts {
			found = append(found, netip.MustParseAddr(text))
		}
		return found
	}
	switch kind {
	case "public":
		return []netip.Addr{n.public}, true
	case "rebind": // what a check before the connection saw is not what is connected to
		if before == 0 {
			return []netip.Addr{n.public}, true
		}
		return ips("127.0.0.2", "::1"), true
	case "loop":
		return ips("127.0.0.1"), true
	case "six":
		return ips("::1"), true
	case "mapped":
		return []netip.Addr{netip.AddrFrom16(netip.MustParseAddr("127.0.0.1").As16())}, true
	case "mixed":
		return append(ips("127.0.0.1", "::1", "10.0.0.1"), n.public), true
	case "mixed2":
		return append([]netip.Addr{n.public}, ips("127.0.0.1", "::1")...), true
	case "translated":
		return ips("64:ff9b::7f00:1"), true
	case "metadata":
		return ips("169.254.169.254"), true
	case "many":
		for i := range 500 {
			found = append(found, netip.AddrFrom4([4]byte{127, 0, byte(i / 250), byte(1 + i%250)}))
		}
		return found, true
	}
	return nil, false
}
