package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.commit.CommitAnswer;
import dev.cairn.commit.CommitService;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.component.InstallPlan.Item;
import dev.cairn.component.InstallPlan.Refusal;
import dev.cairn.content.Source;
import dev.cairn.content.read.EntitiesByName;
import dev.cairn.content.read.EntityDetails;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The content of an installed component: its shapes, its seeds and its record, the thing {@code
 * ComponentInstall/<id>}, which names the shapes that belong to it. They are written in one atomic
 * commit. See {@code docs/components.md}, Installing.
 */
@ApplicationScoped
class InstallContent {
  /** How often a commit is planned again because another one has changed what it was planned on. */
  private static final int MAX_ATTEMPTS = 3;

  private static final String OPERATION = "operation";
  private static final String ADD = "add";
  private static final String REVISE = "revise";
  private static final String NAME = "name";
  private static final String DATA = "data";
  private static final String ACTIVE = "active";

  private final Database database;
  private final CommitService commits;
  private final EntitiesByName entities;
  private final ReadBounds bounds;

  /**
   * A commit.
   *
   * @param items what each of the operations is about; their actions are not known yet
   */
  private record Batch(List<Item> items, List<ObjectNode> operations, List<Refusal> refusals) {}

  InstallContent(
      Database database, CommitService commits, EntitiesByName entities, ReadBounds bounds) {
    this.database = database;
    this.commits = commits;
    this.entities = entities;
    this.bounds = bounds;
  }

  /** The name of the record of an install. */
  static Wref record(UUID installId) {
    return Wref.local(BuiltinShape.COMPONENT_INSTALL.shapeName(), installId.toString());
  }

  /** The entities with these names, active or not; those that do not exist are left out. */
  Map<Wref, EntityDetails> find(RepositoryAccess access, List<Wref> names) {
    var found = new HashMap<Wref, EntityDetails>();
    entities.each(
        access.repoId(),
        names,
        new int[names.size()],
        (entity, position) -> found.put(names.get(position), entity));
    return found;
  }

  /** The names of a manifest's shapes, in its order. */
  static List<Wref> shapes(Manifest manifest) {
    return manifest.shapes().stream().map(shape -> shape(shape.name())).toList();
  }

  static Wref shape(String name) {
    return Wref.local(BuiltinShape.SHAPE.shapeName(), name);
  }

  /**
   * The record of an install.
   *
   * @param shapes those that belong to the install, as {@code Shape/name}
   * @param version the version that it names; null if the component was private when it was written
   */
  record InstallRecord(boolean isActive, Set<String> shapes, String version) {}

  /** The record of an install; empty if it has none. */
  Optional<InstallRecord> findRecord(RepositoryAccess access, UUID installId) {
    return entities
        .find(Source.HEAD, access.repoId(), record(installId))
        .map(InstallContent::installRecord);
  }

  private static InstallRecord installRecord(EntityDetails stored) {
    var text = new String(stored.entity().data(), StandardCharsets.UTF_8);
    var data = IJson.read(StoredJson.unversioned(text).getBytes(StandardCharsets.UTF_8));
    var names = new LinkedHashSet<String>();
    data.path("shapes").forEach(name -> names.add(name.textValue()));
    return new InstallRecord(stored.entity().active(), names, data.path("version").textValue());
  }

  /**
   * What the commit of an installation would do, by a dry run of it.
   *
   * @param access granted for {@code repo:write}
   */
  InstallPlan plan(RepositoryAccess access, Registered component, UUID installId) {
    for (int attempt = 1; ; attempt++) {
      var batch = read(access, component, installId);
      var results =
          IJson.read(
                  submit(access, body(batch.operations()).put("dryRun", true).put("atomic", false))
                      .json()
                      .getBytes(StandardCharsets.UTF_8))
              .get("operations");
      // A name that was free when the batch was made may be of the component itself by now.
      if (attempt == MAX_ATTEMPTS || !isAnyTaken(results)) {
        return plan(batch, results);
      }
    }
  }

  private static boolean isAnyTaken(JsonNode results) {
    return results
        .valueStream()
        .anyMatch(
            result ->
                result.path("error").path("code").asText().equals(ErrorCode.ALREADY_EXISTS.name()));
  }

  private static InstallPlan plan(Batch batch, JsonNode results) {
    var items = new ArrayList<Item>();
    var refusals = new ArrayList<>(batch.refusals());
    for (var result : results) {
      var item = batch.items().get(result.get("opIndex").intValue());
      if (result.get("status").textValue().equals("error")) {
        var detail = result.get("error").get("detail").textValue();
        refusals.add(
            new Refusal(
                item.kind(),
                item.name(),
                "refused",
                "%s `%s`: %s".formatted(item.kind(), item.name(), detail)));
      } else {
        items.add(new Item(item.kind(), item.name(), action(result.get(OPERATION).textValue())));
      }
    }
    return new InstallPlan(items, refusals);
  }

  private static String action(String effect) {
    return switch (effect) {
      case ADD -> InstallPlan.CREATE;
      case REVISE -> InstallPlan.CHANGE;
      default -> InstallPlan.LEAVE;
    };
  }

  /**
   * Commits what differs.
   *
   * @param access granted for {@code repo:write}
   * @param requireCurrent throws if another installation or a teardown has begun since; it runs
   *     under the lock of the commit
   * @throws Problem {@code CONFLICT} if somebody has made it impossible since it was planned; and
   *     as {@link CommitService#submit} for reasons outside of the content, such as {@code
   *     ARCHIVED}
   */
  CommitAnswer commit(
      RepositoryAccess access, Registered component, UUID installId, Runnable requireCurrent) {
    for (int attempt = 1; ; attempt++) {
      var batch = read(access, component, installId);
      new InstallPlan(batch.items(), batch.refusals()).requireInstallable(false);
      var body = body(batch.operations());
      body.put("message", message("Install", component, " " + component.version().version()));
      try {
        return submit(access, body, requireCurrent);
      } catch (Problem e) {
        if (!e.details().containsKey("opIndex")) {
          throw e;
        }
        if (attempt == MAX_ATTEMPTS) {
          throw Problem.of(
                  ErrorCode.CONFLICT,
                  "The repository was changed since the installation was planned: " + e.detail())
              .with("reason", "content_changed")
              .hint("Install it again.");
        }
      }
    }
  }

  /**
   * Retracts the record of an install, if it has an active one.
   *
   * @param access granted for {@code repo:write}
   * @param install that was torn down
   * @param requireCurrent as of {@link #commit}
   */
  void retract(
      RepositoryAccess access, Install install, Registered component, Runnable requireCurrent) {
    if (!isActive(access, install.id())) {
      return;
    }
    var operation = operation("retract", record(install.id()).local());
    submit(
        access,
        body(List.of(operation)).put("message", message("Tear down", component, "")),
        requireCurrent);
  }

  /** Whether an install has an active record. */
  boolean isActive(RepositoryAccess access, UUID installId) {
    return bounds.within(
        access, () -> findRecord(access, installId).filter(InstallRecord::isActive).isPresent());
  }

  /** In one snapshot: a shape belongs to the component if the record of the same moment says so. */
  private Batch read(RepositoryAccess access, Registered component, UUID installId) {
    return bounds.within(
        access, () -> database.snapshot(() -> batch(access, component, installId)));
  }

  private Batch batch(RepositoryAccess access, Registered component, UUID installId) {
    var manifest = component.version().manifest();
    var stored = findRecord(access, installId);
    var own = stored.map(InstallRecord::shapes).orElse(Set.of());
    var present = find(access, shapes(manifest));
    var batch = new Batch(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (var shape : manifest.shapes()) {
      add(batch, shape, present.containsKey(shape(shape.name())), own);
    }
    for (var seed : manifest.seeds()) {
      var operation = operation(ADD, seed.name()).put("skipExisting", true);
      if (seed.about() != null) {
        operation.put("about", seed.about());
      }
      operation.set(DATA, seed.data());
      batch.items().add(new Item(InstallPlan.SEED, seed.name(), null));
      batch.operations().add(operation);
    }
    var name = record(installId).local();
    var operation =
        stored.isPresent() ? operation(REVISE, name).put(ACTIVE, true) : operation(ADD, name);
    operation.set(DATA, data(component, own));
    batch.items().add(new Item(InstallPlan.RECORD, name, null));
    batch.operations().add(operation);
    return batch;
  }

  private static void add(Batch batch, Manifest.Shape shape, boolean isPresent, Set<String> own) {
    var wref = shape(shape.name()).local();
    if (isPresent && !own.contains(wref)) {
      batch
          .refusals()
          .add(
              new Refusal(
                  InstallPlan.SHAPE,
                  shape.name(),
                  "name_taken",
                  "There is a shape `%s` already, which does not belong to the component."
                      .formatted(shape.name())));
      return;
    }
    var operation = isPresent ? operation(REVISE, wref).put(ACTIVE, true) : operation(ADD, wref);
    operation.set(DATA, shape.data());
    batch.items().add(new Item(InstallPlan.SHAPE, shape.name(), null));
    batch.operations().add(operation);
  }

  /**
   * The data of the record. Shapes that an earlier version has brought along still belong to it.
   * Whoever may read the repository may read it, so it does not name a private component.
   */
  private static ObjectNode data(Registered component, Set<String> own) {
    var shapes = new LinkedHashSet<>(own);
    shapes(component.version().manifest()).forEach(shape -> shapes.add(shape.local()));
    var data = JsonNodeFactory.instance.objectNode();
    if (component.isPublic()) {
      data.put("component", component.fullName());
      data.put("version", component.version().version());
      data.put("manifestHash", component.version().hash());
    }
    shapes.forEach(data.putArray("shapes")::add);
    return data;
  }

  /** The message of a commit, which whoever may read the repository may read too. */
  private static String message(String action, Registered component, String suffix) {
    return action + " " + (component.isPublic() ? component.fullName() + suffix : "a component");
  }

  private static ObjectNode operation(String operation, String name) {
    return JsonNodeFactory.instance.objectNode().put(OPERATION, operation).put(NAME, name);
  }

  private static ObjectNode body(List<ObjectNode> operations) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putArray("operations").addAll(operations);
    return body;
  }

  private CommitAnswer submit(RepositoryAccess access, ObjectNode body) {
    return submit(access, body, () -> {});
  }

  private CommitAnswer submit(RepositoryAccess access, ObjectNode body, Runnable requireCurrent) {
    return commits.submitInstall(
        access,
        body.toString().getBytes(StandardCharsets.UTF_8),
        CommitAnswer.Wanted.of(CommitAnswer.Form.FULL),
        _ -> {
          requireCurrent.run();
          return true;
        });
  }
}
