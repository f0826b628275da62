package dev.cairn.sprite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import java.util.Optional;

/** Calls of the API for one run, each with the account's token of that moment. */
record KubernetesCalls(KubernetesApi api, KubernetesCluster cluster, String namespace) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int LINES = 1_000;

  /** Makes a Job; what comes back has its {@code uid}. */
  JsonNode makeJob(Map<String, Object> job) throws SpriteException, InterruptedException {
    var authorization = cluster.authorization();
    return json(Calls.once("a new Job", () -> api.makeJob(authorization, namespace, job)));
  }

  void makeSecret(Map<String, Object> secret) throws SpriteException, InterruptedException {
    var authorization = cluster.authorization();
    Calls.once("a new Secret", () -> api.makeSecret(authorization, namespace, secret));
  }

  /** The pod with a label, once there is one. */
  Optional<JsonNode> pod(String label) throws SpriteException, InterruptedException {
    var authorization = cluster.authorization();
    var pods = Calls.once("the poll of the pod", () -> api.pods(authorization, namespace, label));
    return Optional.ofNullable(json(pods).path("items").get(0));
  }

  /** The end of what a container wrote. */
  String log(String pod, String container) throws SpriteException, InterruptedException {
    var authorization = cluster.authorization();
    return Calls.once(
        "the request for the log",
        () -> api.log(authorization, namespace, pod, container, LINES, OutputTail.KEPT));
  }

  /** Deletes a Job with all that belongs to it; if that fails, its own time limits do it. */
  void deleteJob(String name) {
    Calls.attempt(
        "the end of a Job",
        () -> api.deleteJob(cluster.authorization(), namespace, name, "Background"));
  }

  private static JsonNode json(String answer) throws SpriteException {
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw SpriteException.noJson();
    }
  }
}
