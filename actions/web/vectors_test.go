package web_test

import "strings"

// privateHosts are spellings of addresses that no page is read from. {n} makes a name fresh.
var privateHosts = []string{
	// this machine
	"127.0.0.1", "127.0.0.2", "127.127.127.127", "localhost", "LOCALHOST", "localhost.",
	"sub.localhost", "0.0.0.0",
	"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]",
	// numbers as the C library reads them
	"127.1", "127.0.1", "0", "2130706433", "0x7f000001", "0X7F000001", "0x7f.1", "0x7f.0x0.0x0.0x1",
	"0177.0.0.1", "017700000001",
	"127.000.000.001", "4294967295", "127.0.0.1.", "2852039166", "0xA9FEA9FE", "0251.0376.0251.0376",
	"169.254.43518",
	// an IPv4 address within an IPv6 one
	"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[::ffff:a9fe:a9fe]",
	"[::ffff:10.0.0.1]",
	"[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[64:ff9b::a9fe:a9fe]",
	"[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
	"[2001:0:7f00:1::]", "[2001::1]", "[fe80::5efe:127.0.0.1]",
	// zones
	"[fe80::1%25lo]", "[::1%25lo]", "[fe80::1%25eth0]", "[fe80::1%lo]",
	// services of a cloud, where keys are handed out
	"169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]", "[fd20:ce::254]",
	"metadata.google.internal",
	// networks that are not the internet
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.1.1", "100.64.0.1",
	"100.127.255.254", "198.18.0.1",
	"192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
	"255.255.255.255",
	"[fc00::1]", "[fd12:3456:789a::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]",
	"[3fff::1]", "[5f00::1]",
	// what the rules of international names make of other letters
	"①②⑦.⓪.⓪.①", "127。0。0。1", "127．0．0．1", "１２７.0.0.1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "loc\u00adalhost",
	"ｌｏｃａｌｈｏｓｔ", "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
	"⑯⑨.②⑤④.⑯⑨.②⑤④", "127.0.0.1\u3002", "[::①]",
	// escapes
	"%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%6cocalhost", "127.0.0.1%00.example.org", "127.0.0.1%0d%0a",
	"127.0.0.1%09",
	// names
	"loop-{n}.test", "six-{n}.test", "mapped-{n}.test", "mixed-{n}.test", "mixed2-{n}.test",
	"translated-{n}.test", "metadata-{n}.test",
	"many-{n}.test", "cnames-{n}.test", "LOOP-{n}.TEST.",
}

// privateAddresses are whole addresses that mean to be read one way by a check and another way by a
// connection.
var privateAddresses = []string{
	"http://rebind-{n}.test{public}/latest", // see names
	"http://public-{n}.test@127.0.0.1{port}/", "http://user:pw@127.0.0.1{port}/",
	"http://127.0.0.1{port}@public-{n}.test{public}/",
	"http://public-{n}.test#@127.0.0.1{port}/", "http://127.0.0.1{port}#@public-{n}.test/",
	`http://127.0.0.1{port}\@public-{n}.test/`,
	`http://public-{n}.test\@127.0.0.1{port}/`, `http:\\127.0.0.1{port}\`, `http:/\127.0.0.1{port}/`,
	"//127.0.0.1{port}/", "///127.0.0.1{port}/",
	"http:127.0.0.1{port}/", "http:/127.0.0.1{port}/", "http:///127.0.0.1{port}/",
	" http://127.0.0.1{port}/ ", "http://127.0.0.1{port}\t/",
	"http://127.0.0.1{port}\r\n/", "http://127.0.0.1\t{port}/", "http://127.0.0\t.1{port}/",
	"ht\ttp://127.0.0.1{port}/", "\x00http://127.0.0.1{port}/",
	"http://public-{n}.test/\r\nHost: 127.0.0.1{port}\r\n",
	"http://public-{n}.test\r\nLocation: http://127.0.0.1{port}/",
	"HTTP://127.0.0.1{port}/", "http://[::1", "http://[::1]x{port}/", "http://[127.0.0.1]{port}/",
	"http://::1{port}/", "http://127.0.0.1:/",
	"http://127.0.0.1:22/", "http://127.0.0.1:25/", "http://127.0.0.1:6379/", "http://127.0.0.1:11211/",
	"http://127.0.0.1:11434/api/tags",
	"http://localhost:8080/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/",
	"http://127.0.0.1:080/",
	"file:///etc/passwd", "file://127.0.0.1{port}/etc/passwd", "gopher://127.0.0.1{port}/_GET",
	"ftp://127.0.0.1{port}/", "dict://127.0.0.1{port}/d",
	"ldap://127.0.0.1{port}/", "ws://127.0.0.1{port}/", "data:text/html,http://127.0.0.1{port}/",
	"javascript:fetch('http://127.0.0.1{port}/')",
	"unix:///run/docker.sock", "http+unix://%2Frun%2Fdocker.sock/info", "view-source:http://127.0.0.1{port}/",
	"blob:http://127.0.0.1{port}/x",
	"jar:http://127.0.0.1{port}!/", "http://127.0.0.1{port}/" + strings.Repeat("x", 100_000),
	"http://127.0.0.1{port}/?" + strings.Repeat("a=b&", 10_000),
	"http://" + strings.Repeat("a", 300) + ".127.0.0.1{port}/", "http://" + strings.Repeat("1.", 2000) +
		"127.0.0.1{port}/",
}

func (w *world) vectors() []string {
	var all []string
	for _, host := range privateHosts {
		all = append(all, "http://"+host+"{port}/latest?key=canary")
	}
	return append(all, privateAddresses...)
}
