package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** What the tests of commits say again and again; JSON stands with ' for ". */
final class Commits {
  private Commits() {}

  static String shape(String name, String fields) {
    return "{'operation':'add','kind':'shape','name':'%s','data':{'fields':%s}}"
        .formatted(name, fields);
  }

  /** A shape that takes any data with a warning at most. */
  static String shape(String name) {
    return shape(name, "{'n?':'number','to?':'wref'}");
  }

  static String add(String name, String data) {
    return "{'operation':'add','name':'%s','data':%s}".formatted(name, data);
  }

  /** An assertion; {@code about} is JSON. */
  static String assertion(String name, String about, String data) {
    return "{'operation':'add','name':'%s','about':%s,'data':%s}".formatted(name, about, data);
  }

  static String collection(String type, String... members) {
    return "{'operation':'add','type':'%s','members':%s}".formatted(type, array(members));
  }

  static String named(String name, String type, String... members) {
    return "{'operation':'add','name':'%s','type':'%s','members':%s}"
        .formatted(name, type, array(members));
  }

  static String array(String... texts) {
    return Arrays.stream(texts).map(t -> "'" + t + "'").collect(Collectors.joining(",", "[", "]"));
  }

  static String revise(String name, String data) {
    return "{'operation':'revise','name':'%s','data':%s}".formatted(name, data);
  }

  static String active(String name, boolean active) {
    return "{'operation':'revise','name':'%s','active':%s}".formatted(name, active);
  }

  static String retract(String name) {
    return "{'operation':'retract','name':'%s'}".formatted(name);
  }

  static String rename(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  /** An operation with more members, such as {@code 'skipExisting':true}. */
  static String with(String operation, String members) {
    return operation.substring(0, operation.length() - 1) + "," + members + "}";
  }

  static String ops(String... operations) {
    return String.join(",", operations);
  }

  /** A new public repository that holds what the operations make. */
  static String repositoryWith(String... operations) {
    var repository = Api.newRepository();
    Prepared.commit(repository, ops(operations));
    return repository;
  }

  /** Commits what must succeed. */
  static ValidatableResponse applied(String repository, String... operations) {
    return Api.commit(repository, ops(operations)).statusCode(201);
  }

  /** Commits what must be refused, with these pointers in this order, leaving no trace. */
  static ValidatableResponse refused(
      String repository, String operations, ErrorCode code, String... pointers) {
    return refusedBody(repository, "{'operations':[" + operations + "]}", code, pointers);
  }

  /** Sends a whole body that must be refused. */
  static ValidatableResponse refusedBody(
      String repository, String body, ErrorCode code, String... pointers) {
    var before = state(repository);
    var answer = Api.submit(repository, body);
    assertProblem(answer, code, pointers);
    assertEquals(before, state(repository), "nothing may change");
    return answer;
  }

  static void assertProblem(ValidatableResponse answer, ErrorCode code, String... pointers) {
    var response = answer.extract();
    var text = response.asString();
    assertEquals(code.status(), response.statusCode(), text);
    assertEquals(code.name(), response.path("code"), text);
    assertTrue(response.contentType().startsWith("application/problem+json"), text);
    if (pointers.length > 0) {
      assertEquals(List.of(pointers), response.path("errors.pointer"), text);
    }
  }

  /** Everything that a write could change. */
  static String state(String repository) {
    return all(repository + "/commits?limit=500")
        + all(repository + "/head?includeInactive=true&limit=500");
  }

  /** The items of all pages: where a long one ends depends on the memory of the moment. */
  private static String all(String path) {
    var items = new StringBuilder();
    var cursor = "";
    while (cursor != null) {
      var page =
          IJson.read(
              Prepared.read(path + cursor).getBytes(StandardCharsets.UTF_8),
              -IJson.MAX_DEPTH,
              new Allowance(Long.MAX_VALUE));
      page.get("items").forEach(item -> items.append(item).append('\n'));
      cursor = page.has("nextCursor") ? "&cursor=" + page.get("nextCursor").textValue() : null;
    }
    return items.toString();
  }

  static ValidatableResponse thing(String repository, String wref) {
    return admin().get(repository + "/things/" + wref).then().statusCode(200);
  }

  static void missing(String repository, String wref) {
    admin().get(repository + "/things/" + wref).then().statusCode(404);
  }

  static ValidatableResponse history(String repository, String wref) {
    return admin().get(repository + "/history?wref=" + wref).then().statusCode(200);
  }

  static int count(String repository) {
    return admin().get(repository + "/count?includeInactive=true").then().extract().path("count");
  }

  static void assertVerified(String repository) {
    var answer = admin().get(repository + "/verification").then().statusCode(200).extract();
    assertEquals(true, answer.path("verified"), answer.asString());
    Stored.assertCounted(repository);
  }

  /** {@code cairn:org/repo/} of a repository's path. */
  static String canonical(String repository) {
    return "cairn:" + repository.substring("/api/repos/".length()) + "/";
  }

  /** The organization of a repository's path. */
  static String org(String repository) {
    return repository.substring("/api/repos/".length(), repository.lastIndexOf('/'));
  }

  /** What a test does while a repository is locked. */
  @FunctionalInterface
  interface Locked {
    void run(Connection holder) throws Exception;
  }

  /** Locks the row that commits lock first, until the connection's transaction ends. */
  static void lockHead(Connection connection, String repository) throws SQLException {
    OwnConnections.execute(
        connection,
        """
        select from repository_head where repo_id = (
          select r.id from repository r join organization o on o.id = r.org_id
          where o.name = ?) for update
        """,
        org(repository));
  }

  /** Runs {@code body} while another session holds the row that commits lock first. */
  static void whileLocked(DataSource dataSource, String repository, Locked body) throws Exception {
    try (var connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        lockHead(connection, repository);
        body.run(connection);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String sha256(String text) {
    return sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
