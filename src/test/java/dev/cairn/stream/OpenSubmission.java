package dev.cairn.stream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A submission whose lines are sent one after another, on a connection of its own. */
final class OpenSubmission implements AutoCloseable {
  private static final int OK = 200;
  private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;

  private final Socket socket;
  private final OutputStream out;
  private final BufferedReader in;
  private boolean isHeadRead;

  /** Begins a submission to the stream {@code s} as the administrator. */
  static OpenSubmission to(String repository, String query, String... headers) throws IOException {
    return as(Api.adminToken(), Streams.path(repository, query), headers);
  }

  static OpenSubmission as(String token, String path, String... headers) throws IOException {
    return new OpenSubmission(token, path, headers);
  }

  private OpenSubmission(String token, String path, String... headers) throws IOException {
    socket = new Socket();
    // Results that are not read soon stop the service.
    socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
    socket.connect(new InetSocketAddress("localhost", RestAssured.port));
    socket.setSoTimeout(30_000);
    out = socket.getOutputStream();
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    out.write(
        """
        POST %s HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Content-Type: application/x-ndjson
        Transfer-Encoding: chunked
        """
            .formatted(path, token)
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    for (var header : headers) {
      out.write((header + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends operations, each with its line feed. */
  OpenSubmission send(String... operations) throws IOException {
    return sendText(Streams.lines(operations));
  }

  OpenSubmission sendText(String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return this;
  }

  /** Ends the body. */
  OpenSubmission end() throws IOException {
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return this;
  }

  /** The status of the answer. */
  int status() throws IOException {
    isHeadRead = true;
    var status = in.readLine();
    while (!in.readLine().isEmpty()) {
      // The headers.
    }
    return Integer.parseInt(status.split(" ", -1)[1]);
  }

  /** The next line of the answer; null at its end. */
  JsonNode line() throws IOException {
    if (!isHeadRead && status() != OK) {
      throw new AssertionError("refused: " + in.readLine());
    }
    // Lines of lengths and of the ends of chunks are passed over.
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("{")) {
        return Streams.read(line);
      }
      if (line.equals("0")) {
        return null;
      }
    }
    return null;
  }

  /** The rest of the answer. */
  List<JsonNode> rest() throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (var line = line(); line != null; line = line()) {
      lines.add(line);
    }
    return lines;
  }

  /** Closes the connection, whatever has come. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
