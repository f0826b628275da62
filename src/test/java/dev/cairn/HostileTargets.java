package dev.cairn;

import java.util.List;

/**
 * URLs that nobody may have the service call, wherever they come from. The tests' operator lets
 * 127.0.0.1 be called, and nothing else of its kind.
 */
public final class HostileTargets {
  private static final List<String> URLS =
      List.of(
          // loopback in other spellings and embeddings
          "https://127.0.0.2/",
          "https://127.255.255.254:8443/",
          "https://127.1/",
          "https://127.0.1/",
          "https://2130706433/",
          "https://017700000001/",
          "https://0177.0.0.1/",
          "https://0x7f000001/",
          "https://0x7f.0.0.1/",
          "https://127.0.0.2./",
          "https://127%2e0.0.2/",
          "https://１２７．０．０．２/",
          "https://127。0。0。2/",
          "https://①②⑦.0.0.2/",
          "https://[::1]/",
          "https://[0:0:0:0:0:0:0:1]/",
          "https://[::ffff:127.0.0.2]/",
          "https://[::ffff:7f00:2]/",
          "https://[::127.0.0.2]/",
          "https://[64:ff9b::127.0.0.2]/",
          "https://[64:ff9b:1::7f00:2]/",
          "https://[2002:7f00:2::1]/",
          "https://[2001:0:7f00:2::1]/",
          "https://[::1%25lo]/",
          "https://0.0.0.0/",
          "https://0/",
          "https://[::]/",
          // private, shared, link-local and metadata
          "https://10.0.0.1/",
          "https://10.255.255.255/",
          "https://172.16.0.1/",
          "https://172.31.255.255/",
          "https://192.168.0.1/",
          "https://100.64.0.1/",
          "https://169.254.0.1/",
          "https://169.254.169.254/latest/meta-data/",
          "https://2852039166/",
          "https://[::ffff:169.254.169.254]/",
          "https://[64:ff9b::a9fe:a9fe]/",
          "https://[fd00:ec2::254]/",
          "https://[fc00::1]/",
          "https://[fe80::1]/",
          "https://[fe80::1%25eth0]/",
          "https://[fec0::1]/",
          // multicast, reserved, for documentation, benchmarks
          "https://224.0.0.1/",
          "https://239.255.255.255/",
          "https://[ff02::1]/",
          "https://240.0.0.1/",
          "https://255.255.255.255/",
          "https://192.0.2.1/",
          "https://198.18.0.1/",
          "https://[2001:db8::1]/",
          "https://[100::1]/",
          // other schemes and ports
          "http://hooks.example.org/",
          "https://hooks.example.org:80/",
          "https://hooks.example.org:22/",
          "https://hooks.example.org:8444/",
          "https://hooks.example.org:0/",
          "https://hooks.example.org:65979/",
          "ftp://hooks.example.org/",
          "file:///etc/passwd",
          "gopher://hooks.example.org/",
          "javascript:alert(1)",
          // tricks of the URL itself
          "https://user@hooks.example.org/",
          "https://hooks.example.org@127.0.0.2/",
          "https://hooks.example.org\\\\@127.0.0.2/",
          "https://hooks.example.org/#@127.0.0.2",
          "https://hooks.example.org/\\r\\nX-Injected: 1",
          "https://hooks.example.org/a b",
          " https://hooks.example.org/",
          "//hooks.example.org/",
          "hooks.example.org",
          "https://",
          "https:hooks.example.org",
          "");

  private HostileTargets() {}

  /** All of them. */
  public static List<String> urls() {
    return URLS;
  }
}
