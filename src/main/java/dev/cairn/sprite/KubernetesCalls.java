package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.platform.Deadline;
import java.util.Map;
import java.util.Optional;

/**
 * API calls for one run, each with the present token of the service account.
 *
 * @param end the end of the attempt, after which no call waits for an answer
 */
record KubernetesCalls(
    KubernetesApi api, KubernetesCluster cluster, String namespace, Deadline end) {
  private static final int MAX_LOG_LINES = 1_000;

  /** Creates a Job; the answer has its {@code uid}. */
  JsonNode makeJob(Map<String, Object> job) throws SpriteException, InterruptedException {
    var what = "a new Job";
    var made = Calls.once(what, end, () -> api.makeJob(cluster.authorization(), namespace, job));
    return Calls.read(what, made, JsonNode.class);
  }

  /** Creates a Secret; the answer repeats it, and may be longer than what is read. */
  void makeSecret(Map<String, Object> secret) throws SpriteException, InterruptedException {
    Calls.succeeded(
        "a new Secret", end, () -> api.makeSecret(cluster.authorization(), namespace, secret));
  }

  /** The pod with a label, once there is one. */
  Optional<JsonNode> pod(String label) throws SpriteException, InterruptedException {
    var what = "the poll of the pod";
    var pods = Calls.once(what, end, () -> api.pods(cluster.authorization(), namespace, label));
    return Optional.ofNullable(Calls.read(what, pods, JsonNode.class).path("items").get(0));
  }

  /** The end of the log of a container, up to the number of bytes that are kept. */
  String log(String pod, String container) throws SpriteException, InterruptedException {
    var log =
        Calls.once(
            "the request for the log",
            end,
            () ->
                api.log(
                    cluster.authorization(),
                    namespace,
                    pod,
                    container,
                    MAX_LOG_LINES,
                    OutputTail.MAX_BYTES));
    return new String(log, UTF_8);
  }

  /** Deletes a Job and all its objects; if that fails, the time limits of the Job delete them. */
  void deleteJob(String name) {
    Calls.attempt(
        "the end of a Job",
        () -> api.deleteJob(cluster.authorization(), namespace, name, "Background"));
  }
}
