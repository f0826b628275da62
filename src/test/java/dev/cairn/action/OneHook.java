package dev.cairn.action;

import static dev.cairn.Api.admin;

import dev.cairn.Api;
import dev.cairn.Prepared;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A private repository whose one subscription, {@code hook}, calls a receiver for each sensor. */
abstract class OneHook {
  final Database database = OwnConnections.database();
  final Receiver receiver = new Receiver();
  Deliveries deliveries;
  String repository;
  UUID subscription;

  @BeforeEach
  void subscribe() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Prepared.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    subscription = deliveries.webhook(repository, "hook", "Sensor", receiver.url("/hook?a=b"));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  /** Makes a run. */
  final void commit() {
    Prepared.commit(
        repository, "{'operation':'add','name':'Sensor/%s','data':{}}".formatted(Api.unique("s")));
  }

  /** Makes a run and carries it out. */
  final void deliver() {
    commit();
    deliveries.run(repository);
  }

  /** Makes a run that the receiver answers with a status. */
  final void deliver(int status) {
    receiver.answering(status);
    deliver();
  }

  /** The newest run. */
  final ValidatableResponse run() {
    return runs().rootPath("[0]");
  }

  final ValidatableResponse runs() {
    return admin().get(repository + "/actions/runs").then().statusCode(200);
  }

  /** The attempts at the only run. */
  final ValidatableResponse attempts() {
    var id = deliveries.onlyRun(repository);
    return admin().get(repository + "/actions/runs/" + id + "/attempts").then().statusCode(200);
  }

  final ValidatableResponse notifications() {
    return admin().get(repository + "/actions/notifications").then().statusCode(200);
  }

  /** Changes the settings of the repository. */
  final ValidatableResponse settings(String settings) {
    return admin()
        .body("{'settings':%s}".formatted(settings).replace('\'', '"'))
        .patch(repository)
        .then();
  }
}
