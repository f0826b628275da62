package dev.cairn.egress;

import java.net.InetAddress;
import java.util.List;

/**
 * A target that may be called now, at these addresses and no others; only {@link EgressPolicy}
 * creates one.
 *
 * @param addresses at least one, in the resolver's order
 */
record VettedTarget(TargetUrl url, List<InetAddress> addresses) {}
