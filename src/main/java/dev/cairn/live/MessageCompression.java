package dev.cairn.live;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The WebSocket extension {@code permessage-deflate} (RFC 7692), without context takeover: nothing
 * is kept in memory between two messages, which would take 300 KiB for each client, and a message
 * is decompressed no further than its maximum length.
 */
final class MessageCompression {
  private static final String NAME = "permessage-deflate";
  private static final String ACCEPTED =
      NAME + "; server_no_context_takeover; client_no_context_takeover";
  private static final String SERVER_WINDOW = "server_max_window_bits";

  /** The window that {@link Deflater} uses, and no other. */
  private static final String WINDOW_BITS = "15";

  private static final Set<String> ALL_WINDOW_BITS =
      Set.of("8", "9", "10", "11", "12", "13", "14", WINDOW_BITS);

  /** What a compressed message would end with, and does not (RFC 7692, 7.2.1). */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private static final int PIECE = 16 * 1024;

  private MessageCompression() {}

  /**
   * The value of {@code Sec-WebSocket-Extensions} that accepts the first offer that can be
   * accepted; empty if there is none. As RFC 7692, 7.1 demands, an offer is declined as a whole if
   * any of its parameters is unknown, comes twice, or has a value that it may not have or that is
   * not supported.
   *
   * @param offers the values of that header in the request
   * @throws dev.cairn.model.Problem {@code VALIDATION_ERROR} if they break the grammar
   */
  static Optional<String> accept(List<String> offers) {
    return ExtensionOffer.all(offers).stream()
        .filter(offer -> offer.name().equals(NAME))
        .flatMap(offer -> accepted(offer).stream())
        .findFirst();
  }

  private static Optional<String> accepted(ExtensionOffer offer) {
    var names = new HashSet<String>();
    for (var parameter : offer.parameters()) {
      if (!names.add(parameter.name()) || !isSupported(parameter)) {
        return Optional.empty();
      }
    }
    // A parameter of the offer that limits the service's window must be in the answer too.
    return Optional.of(
        names.contains(SERVER_WINDOW)
            ? ACCEPTED + "; " + SERVER_WINDOW + "=" + WINDOW_BITS
            : ACCEPTED);
  }

  private static boolean isSupported(ExtensionOffer.Parameter parameter) {
    var value = parameter.value();
    return switch (parameter.name()) {
      case "server_no_context_takeover", "client_no_context_takeover" -> value.isEmpty();
      case SERVER_WINDOW -> value.filter(WINDOW_BITS::equals).isPresent();
      // Any window of the client can be decompressed.
      case "client_max_window_bits" -> value.map(ALL_WINDOW_BITS::contains).orElse(true);
      default -> false;
    };
  }

  /** The payload of a compressed message. */
  static byte[] compress(byte[] message) {
    try (var deflater = new Deflater(Deflater.BEST_SPEED, true)) {
      deflater.setInput(message);
      var out = new ByteArrayOutputStream(message.length / 4 + PIECE);
      var piece = new byte[PIECE];
      int length;
      do {
        length = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
        out.write(piece, 0, length);
      } while (length == piece.length);
      return Arrays.copyOf(out.toByteArray(), out.size() - TAIL.length);
    }
  }

  /**
   * The message with a compressed payload.
   *
   * @return empty if it is longer than {@code max} bytes
   * @throws DataFormatException if it is not compressed data
   */
  static Optional<byte[]> decompress(byte[] payload, int max) throws DataFormatException {
    try (var inflater = new Inflater(true)) {
      var input = Arrays.copyOf(payload, payload.length + TAIL.length);
      System.arraycopy(TAIL, 0, input, payload.length, TAIL.length);
      inflater.setInput(input);
      var message = new byte[max + 1];
      int length = 0;
      int more;
      do {
        more = inflater.inflate(message, length, message.length - length);
        length += more;
      } while (more > 0 && length <= max);
      return length > max ? Optional.empty() : Optional.of(Arrays.copyOf(message, length));
    }
  }
}
