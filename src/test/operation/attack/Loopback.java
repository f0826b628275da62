import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses of callers. Each stranger has an address of their own, as on the internet, so that no
 * limit for an address protects or hurts anybody else. Linux answers on all of 127.0.0.0/8.
 */
final class Loopback {
  static final boolean HAS_MANY_ADDRESSES = canBind(address(1));
  private static final AtomicInteger LAST = new AtomicInteger(1000);

  private Loopback() {}

  /** An address that nobody else has, or that of everybody where there is only one. */
  static InetAddress next() {
    return number(LAST.incrementAndGet());
  }

  /** The address with this number. */
  static InetAddress number(int number) {
    return HAS_MANY_ADDRESSES ? address(number) : InetAddress.getLoopbackAddress();
  }

  private static InetAddress address(int number) {
    try {
      return InetAddress.getByAddress(
          new byte[] {127, 1, (byte) (number / 250), (byte) (number % 250 + 1)});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean canBind(InetAddress address) {
    try (var _ = new ServerSocket(0, 1, address)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
