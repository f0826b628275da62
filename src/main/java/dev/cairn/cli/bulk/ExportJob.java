package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The background export that a file is written from, in {@code <file>.part.job}, which only its
 * owner can read: whoever has the token can follow the export.
 *
 * @param server the server
 * @param repository the repository
 * @param at what was asked for; null for HEAD
 * @param token the secret {@code exportToken}
 */
record ExportJob(String server, String repository, String at, String token) {

  /** Without the token. */
  @Override
  public String toString() {
    return "ExportJob[" + repository + "]";
  }

  /** Whether it is the export of the same. */
  boolean isOf(ExportJob other) {
    return server.equals(other.server)
        && repository.equals(other.repository)
        && String.valueOf(at).equals(String.valueOf(other.at));
  }

  /** Where it is kept. */
  static Path path(ExportTarget target) {
    return target.part().resolveSibling(target.part().getFileName() + ".job");
  }

  /** The one that an interrupted run has left. */
  static Optional<ExportJob> read(ExportTarget target) throws IOException {
    var path = path(target);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    JsonNode json = Json.MAPPER.readTree(Files.readString(path));
    return Optional.of(
        new ExportJob(
            json.path("server").asText(),
            json.path("repository").asText(),
            json.path("at").textValue(),
            json.path("token").asText()));
  }

  /** Keeps it. */
  void write(ExportTarget target) throws IOException {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("server", server).put("repository", repository).put("at", at).put("token", token);
    var path = path(target);
    Files.deleteIfExists(path);
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(path, Json.text(json));
  }

  /** Forgets it. */
  static void delete(ExportTarget target) throws IOException {
    Files.deleteIfExists(path(target));
  }
}
