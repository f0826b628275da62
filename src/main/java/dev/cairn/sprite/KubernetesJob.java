package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.platform.CairnConfig;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Kubernetes objects of a run: a Job, and a Secret that the Job owns, so that deleting the Job
 * also deletes the Secret. See {@code docs/sprites.md}, The kubernetes backend.
 */
record KubernetesJob(SpriteRun run, CairnConfig.Kubernetes config) {
  /** The name of the container that runs the command. */
  static final String COMMAND = "command";

  /** The label of a pod that identifies the run. */
  static final String LABEL = "cairn.dev/attempt";

  /** The user id of {@code nobody}, regardless of the user of the image. */
  private static final int USER = 65_534;

  private static final int KEPT_SECONDS = 300;
  private static final String WORK = "/data";
  private static final String INPUT_DIRECTORY = "/cairn";

  /** The key of the input: with a dot, which no variable has in its name. */
  private static final String INPUT_KEY = "cairn.input";

  private static final String GIT_KEY = "cairn.git";

  private static final String FROM_FILE = "exec /bin/sh -c \"$0\" < " + INPUT_DIRECTORY + "/input";
  private static final String WITH_FILE =
      "mkdir -p -- \"$(dirname -- \"$1\")\" && cp -- "
          + INPUT_DIRECTORY
          + "/input \"$1\" && exec /bin/sh -c \"$0\"";

  /** The name of the Job and of the Secret. */
  String name() {
    return "cairn-" + run.id();
  }

  /** The Job. */
  Map<String, Object> job() {
    return Map.of(
        "apiVersion",
        "batch/v1",
        "kind",
        "Job",
        "metadata",
        Map.of("name", name(), "labels", labels()),
        "spec",
        Map.of(
            "backoffLimit",
            0,
            "activeDeadlineSeconds",
            Math.max(1, run.timeout().toSeconds()),
            "ttlSecondsAfterFinished",
            KEPT_SECONDS,
            "template",
            Map.of("metadata", Map.of("labels", labels()), "spec", pod())));
  }

  private Map<String, Object> labels() {
    var labels =
        new TreeMap<String, Object>(
            Map.of(
                "app.kubernetes.io/managed-by",
                "cairn",
                LABEL,
                run.id(),
                "cairn.dev/container",
                run.container()));
    if (run.pool() != null) {
      labels.put("cairn.dev/pool", label(run.pool()));
    }
    return labels;
  }

  /** The text as a label, which has at most 63 characters and no slash. */
  private static String label(String text) {
    var fit = text.replaceAll("[^A-Za-z0-9]+", "-");
    return fit.substring(0, Math.min(fit.length(), 63)).replaceAll("^-+|-+$", "");
  }

  private Map<String, Object> pod() {
    return Map.of(
        "restartPolicy",
        "Never",
        "automountServiceAccountToken",
        false,
        "enableServiceLinks",
        false,
        "securityContext",
        Map.of(
            "runAsNonRoot",
            true,
            "runAsUser",
            USER,
            "runAsGroup",
            USER,
            "fsGroup",
            USER,
            "seccompProfile",
            Map.of("type", "RuntimeDefault")),
        "initContainers",
        run.git() == null ? List.of() : checkOut(),
        "containers",
        List.of(command()),
        "volumes",
        List.of(
            Map.of("name", "work", "emptyDir", Map.of("sizeLimit", config.storage())),
            Map.of("name", "tmp", "emptyDir", Map.of("sizeLimit", config.storage())),
            Map.of(
                "name",
                "input",
                "secret",
                Map.of(
                    "secretName",
                    name(),
                    "defaultMode",
                    0440,
                    "items",
                    List.of(Map.of("key", INPUT_KEY, "path", "input"))))));
  }

  /**
   * One container for each git command. They get neither the input nor any secret other than the
   * user and the password of the operator's base URL.
   */
  private List<Map<String, Object>> checkOut() {
    var containers = new ArrayList<Map<String, Object>>();
    var variables = new ArrayList<>(plain(GitCommands.environment(run.git())));
    if (run.git().authorization().isPresent()) {
      variables.add(fromSecret(GitCommands.AUTHORIZATION, GIT_KEY));
    }
    for (var line : GitCommands.checkOut(run.git())) {
      containers.add(
          container(
              "checkout-" + containers.size(),
              line,
              variables,
              List.of(mount("work", WORK, false), mount("tmp", "/tmp", false))));
    }
    return containers;
  }

  private Map<String, Object> command() {
    var line =
        switch (run.inputMode()) {
          case STDIN -> List.of("/bin/sh", "-c", FROM_FILE, run.command());
          case JSON_FILE -> List.of("/bin/sh", "-c", WITH_FILE, run.command(), inputPath());
          case ENV -> List.of("/bin/sh", "-c", run.command());
        };
    return container(
        COMMAND,
        line,
        environment(),
        List.of(
            mount("work", WORK, false),
            mount("tmp", "/tmp", false),
            mount("input", INPUT_DIRECTORY, true)));
  }

  private Map<String, Object> container(
      String name,
      List<String> line,
      List<Map<String, Object>> environment,
      List<Map<String, Object>> mounts) {
    var resources =
        Map.of(
            "cpu", config.cpu(),
            "memory", config.memory(),
            "ephemeral-storage", config.storage());
    return Map.of(
        "name",
        name,
        "image",
        config.image().orElseThrow(),
        "command",
        line.stream().map(KubernetesJob::literal).toList(),
        "workingDir",
        WORK,
        "env",
        environment,
        "volumeMounts",
        mounts,
        "resources",
        Map.of("limits", resources, "requests", resources),
        "securityContext",
        Map.of(
            "allowPrivilegeEscalation",
            false,
            "readOnlyRootFilesystem",
            true,
            "capabilities",
            Map.of("drop", List.of("ALL"))));
  }

  private static Map<String, Object> mount(String volume, String path, boolean readOnly) {
    return Map.of("name", volume, "mountPath", path, "readOnly", readOnly);
  }

  private String inputPath() {
    return WORK + "/" + run.inputPath();
  }

  private List<Map<String, Object>> environment() {
    var open = new TreeMap<>(run.environment());
    open.put("HOME", "/tmp");
    open.put("LANG", "C.UTF-8");
    if (run.inputMode() == InputMode.JSON_FILE) {
      open.put(SpriteRun.INPUT_PATH, inputPath());
    }
    var variables = new ArrayList<>(plain(open));
    run.secrets().keySet().forEach(name -> variables.add(fromSecret(name, name)));
    if (run.inputMode() == InputMode.ENV) {
      variables.add(fromSecret(SpriteRun.INPUT, INPUT_KEY));
    }
    return variables;
  }

  private static List<Map<String, Object>> plain(Map<String, String> variables) {
    return variables.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            variable ->
                Map.<String, Object>of(
                    "name", variable.getKey(), "value", literal(variable.getValue())))
        .toList();
  }

  /** Escapes a text: Kubernetes replaces {@code $(NAME)}, and {@code $$} with one {@code $}. */
  private static String literal(String text) {
    return text.replace("$", "$$");
  }

  private Map<String, Object> fromSecret(String name, String key) {
    return Map.of(
        "name", name, "valueFrom", Map.of("secretKeyRef", Map.of("name", name(), "key", key)));
  }

  /**
   * The Secret with the input and the secret part of the environment.
   *
   * @param jobUid the uid of the Job that owns it
   */
  Map<String, Object> secret(String jobUid) throws InterruptedException {
    var data = new TreeMap<String, Object>();
    run.secrets().forEach((name, value) -> data.put(name, base64(value.getBytes(UTF_8))));
    data.put(INPUT_KEY, base64(run.input().bytes()));
    Optional.ofNullable(run.git())
        .flatMap(GitSource::authorization)
        .ifPresent(header -> data.put(GIT_KEY, base64(header.getBytes(UTF_8))));
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Secret",
        "type",
        "Opaque",
        "immutable",
        true,
        "metadata",
        Map.of(
            "name",
            name(),
            "labels",
            labels(),
            "ownerReferences",
            List.of(
                Map.of("apiVersion", "batch/v1", "kind", "Job", "name", name(), "uid", jobUid))),
        "data",
        data);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
