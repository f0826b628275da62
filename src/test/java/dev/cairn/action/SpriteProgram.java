package dev.cairn.action;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a sprite of the tests runs: it commits a new {@code Note} with the token that it got. With
 * an argument, it reports by its callback that it has failed, and tells its secrets.
 */
final class SpriteProgram {
  private SpriteProgram() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 0) {
      report();
      return;
    }
    var name = "Note/of-" + System.getenv("CAIRN_RUN_ID");
    var body = "{\"operations\":[{\"operation\":\"add\",\"name\":\"" + name + "\",\"data\":{}}]}";
    var url =
        System.getenv("CAIRN_API_URL") + "/api/repos/" + System.getenv("CAIRN_REPO") + "/commits";
    post(url, body, Map.of("Authorization", "Bearer " + System.getenv("CAIRN_TOKEN")), 201);
  }

  private static void report() throws IOException {
    var input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    var key = "\"callbackUrl\":\"";
    int from = input.indexOf(key) + key.length();
    var told = "log: " + System.getenv("DEPLOY_KEY") + " " + System.getenv("CAIRN_TOKEN");
    post(
        input.substring(from, input.indexOf('"', from)),
        "{\"status\":\"failed\",\"errorMessage\":\"" + told + "\"}",
        Map.of(),
        200);
  }

  private static void post(String url, String body, Map<String, String> headers, int expected)
      throws IOException {
    var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    headers.forEach(connection::setRequestProperty);
    connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    if (connection.getResponseCode() != expected) {
      throw new IOException("the answer was " + connection.getResponseCode());
    }
  }
}
