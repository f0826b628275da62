package dev.cairn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests of commands that work with the repository {@code garden/greenhouse}. */
public abstract class CommandTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** The home directory of the user. */
  @TempDir protected Path home;

  /** What the commands call. */
  protected final FakeServer server = FakeServer.start();

  /** Only for subclasses. */
  protected CommandTest() {}

  @AfterEach
  final void stop() {
    server.close();
  }

  /** A run of a command with the server and the repository. */
  protected CliRun cairn() {
    return CliRun.in(home)
        .with("CAIRN_SERVER", server.url())
        .with("CAIRN_REPO", "garden/greenhouse");
  }

  /** A value that is written with single quotes. */
  protected static JsonNode json(String text) throws IOException {
    return JSON.readTree(text.replace('\'', '"'));
  }

  /** Asserts that the body of a request is this one, written with single quotes. */
  protected final void assertBody(int request, String body) throws IOException {
    assertEquals(json(body), JSON.readTree(server.requests().get(request).body()));
  }
}
