package dev.cairn.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Turns a host name into addresses. */
@FunctionalInterface
interface NameResolver {
  /** The system's own: its hosts file, then DNS. */
  NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /** All addresses of {@code host}; may block for long. */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
