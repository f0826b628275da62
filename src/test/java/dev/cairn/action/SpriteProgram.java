package dev.cairn.action;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** What a sprite of the tests runs: it commits a new {@code Note} with the token that it got. */
final class SpriteProgram {
  private SpriteProgram() {}

  public static void main(String[] arguments) throws IOException {
    var name = "Note/of-" + System.getenv("CAIRN_RUN_ID");
    var body = "{\"operations\":[{\"operation\":\"add\",\"name\":\"" + name + "\",\"data\":{}}]}";
    var url =
        System.getenv("CAIRN_API_URL") + "/api/repos/" + System.getenv("CAIRN_REPO") + "/commits";
    var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("Authorization", "Bearer " + System.getenv("CAIRN_TOKEN"));
    connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    if (connection.getResponseCode() != 201) {
      throw new IOException("the commit was answered with " + connection.getResponseCode());
    }
  }
}
