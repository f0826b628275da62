package dev.cairn.live;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** An offer with it limits the window to less than {@link Deflater} uses. */
  private static final String SERVER_WINDOW = "server_max_window_bits";

  /** What a compressed message would end with, and does not (RFC 7692, 7.2.1). */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private static final int PIECE = 16 * 1024;

  private MessageCompression() {}

  /**
   * The value of {@code Sec-WebSocket-Extensions} that accepts an offer; empty if none is accepted.
   *
   * @param offers the values of that header in the request
   */
  static Optional<String> accept(List<String> offers) {
    return offers.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(offer -> offer.strip().toLowerCase(Locale.ROOT))
        .filter(offer -> offer.equals(NAME) || offer.startsWith(NAME + ";"))
        .filter(offer -> !offer.contains(SERVER_WINDOW))
        .findFirst()
        .map(_ -> ACCEPTED);
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
