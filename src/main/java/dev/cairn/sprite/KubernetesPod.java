package dev.cairn.sprite;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The state of a pod.
 *
 * @param json the pod as the API returns it
 */
record KubernetesPod(JsonNode json) {
  /** Reasons for which a container waits that will never start. */
  private static final Set<String> HOPELESS =
      Set.of(
          "CreateContainerError",
          "ErrImageNeverPull",
          "ImageInspectError",
          "ImagePullBackOff",
          "InvalidImageName",
          "RunContainerError");

  String name() {
    return json.path("metadata").path("name").asText();
  }

  /** The status of the command, once it has ended. */
  OptionalInt exitCode() {
    return command()
        .map(container -> container.path("state").path("terminated").path("exitCode"))
        .filter(JsonNode::isInt)
        .map(code -> OptionalInt.of(code.asInt()))
        .orElse(OptionalInt.empty());
  }

  /** Whether the command has begun. */
  boolean hasStarted() {
    return command().filter(container -> container.path("state").has("running")).isPresent();
  }

  private Optional<JsonNode> command() {
    return statuses("containerStatuses")
        .filter(container -> container.path("name").asText().equals(KubernetesJob.COMMAND))
        .findFirst();
  }

  private Stream<JsonNode> statuses(String kind) {
    return StreamSupport.stream(json.path("status").path(kind).spliterator(), false);
  }

  /** Refuses a pod in which the command can no longer begin, or that was ended. */
  void refuseFailed(KubernetesCalls calls) throws SpriteException, InterruptedException {
    refuseCheckOut(calls);
    refuseHopeless();
    if (json.path("status").path("phase").asText().equals("Failed") && exitCode().isEmpty()) {
      throw SpriteException.retryable(
              SpriteError.SPRITE_EXECUTION_FAILED,
              ("Kubernetes has ended the pod: " + json.path("status").path("reason").asText())
                  .strip())
          .with(json.path("status").path("message").asText());
    }
  }

  private void refuseCheckOut(KubernetesCalls calls) throws SpriteException, InterruptedException {
    var failed =
        statuses("initContainerStatuses")
            .filter(
                container ->
                    container.path("state").path("terminated").path("exitCode").asInt() != 0)
            .findFirst();
    if (failed.isPresent()) {
      throw SpriteException.retryable(
              SpriteError.SPRITE_CREATE_FAILED, "The repository cannot be checked out.")
          .with(calls.log(name(), failed.get().path("name").asText()));
    }
  }

  private void refuseHopeless() throws SpriteException {
    var hopeless =
        Stream.concat(statuses("initContainerStatuses"), statuses("containerStatuses"))
            .map(container -> container.path("state").path("waiting"))
            .filter(waiting -> HOPELESS.contains(waiting.path("reason").asText()))
            .findFirst();
    if (hopeless.isPresent()) {
      throw SpriteException.retryable(
              SpriteError.SPRITE_CREATE_FAILED,
              "The container does not start: " + hopeless.get().path("reason").asText())
          .with(hopeless.get().path("message").asText());
    }
  }
}
