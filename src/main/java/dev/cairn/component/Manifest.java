package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Permission;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a component consists of, as its author describes it. A member that was left out is an empty
 * list here, or its default. The rules are in {@code docs/components.md}, Manifest, and in its JSON
 * Schema, {@code docs/component.schema.json}.
 *
 * @param shapes in the order in which they are added
 * @param subscriptions bodies that create subscriptions, as {@code POST …/subs} takes them
 * @param seeds things and assertions that it begins with
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record Manifest(
    Description component,
    List<Shape> shapes,
    List<Credential> credentials,
    List<ObjectNode> subscriptions,
    List<Seed> seeds,
    Health health,
    Teardown teardown,
    RuntimeAccess runtimeAccess,
    Cli cli) {
  /** Members that a later version of the service knows are left out. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Gives members that were left out their defaults. */
  Manifest {
    shapes = listed(shapes);
    credentials = listed(credentials);
    subscriptions = listed(subscriptions);
    seeds = listed(seeds);
    health = Objects.requireNonNullElseGet(health, () -> new Health(null));
    teardown = Objects.requireNonNullElseGet(teardown, () -> new Teardown(null));
    runtimeAccess =
        Objects.requireNonNullElseGet(runtimeAccess, () -> new RuntimeAccess(null, null));
    cli = Objects.requireNonNullElseGet(cli, () -> new Cli(null));
  }

  /**
   * Reads a manifest that was {@linkplain ManifestRules checked} when it was registered.
   *
   * @param stored its JSON text
   */
  static Manifest of(String stored) {
    try {
      return JSON.readValue(stored, Manifest.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What an account needs to install it, for the whole repository: beside reading, writing and
   * configuring, what the tokens of its subscriptions may do.
   */
  Set<Permission> permissionsToInstall() {
    var needed = EnumSet.of(Permission.REPO_READ, Permission.REPO_WRITE, Permission.REPO_CONFIGURE);
    for (var subscription : subscriptions) {
      for (var entry : subscription.path("tokenScopes")) {
        for (var name : entry.path("permissions")) {
          Permission.of(name.textValue()).ifPresent(needed::add);
        }
      }
    }
    return needed;
  }

  /** The names of its shapes. */
  Set<String> shapeNames() {
    return shapes.stream().map(Shape::name).collect(Collectors.toSet());
  }

  /** Whether it has a credential set of a name. */
  boolean hasCredential(String name) {
    return credentials.stream().anyMatch(set -> set.name().equals(name));
  }

  /** Whether it has a subscription of a name. */
  boolean hasSubscription(String name) {
    return subscriptions.stream().anyMatch(body -> body.path("name").textValue().equals(name));
  }

  private static <T> List<T> listed(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /**
   * Which component it is.
   *
   * @param id the name that it is registered under, such as {@code cycle-finder}
   * @param version of the manifest, as in semantic versioning
   * @param description null for none
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Description(String id, String name, String version, String description) {}

  /**
   * A shape that the component defines.
   *
   * @param data its definition, as an operation that adds a shape has it
   */
  @RegisterForReflection
  record Shape(String name, ObjectNode data) {}

  /**
   * A credential set that it needs. The values are for people to set.
   *
   * @param keys the names of the keys that must have values
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Credential(String name, String description, List<String> keys) {}

  /**
   * A thing or an assertion that is added if there is none of its name.
   *
   * @param name a local wref, such as {@code Setting/default}
   * @param about the local wref of what it is about; null for a thing
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Seed(String name, String about, ObjectNode data) {}

  /** What must hold for the component to be well. */
  @RegisterForReflection
  record Health(List<Requirement> requires) {
    /** Requires nothing by default. */
    Health {
      requires = listed(requires);
    }
  }

  /**
   * One thing that must hold: either an active entity exists, or the component's server answers.
   *
   * @param wref a local wref; null if {@code path} is set
   * @param path below the {@code cliBaseUrl} of the component, to be answered with a status of 2xx;
   *     null if {@code wref} is set
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Requirement(String wref, String path) {}

  /**
   * What its teardown does.
   *
   * @param subscriptions {@code pause}, the default, or {@code delete}
   */
  @RegisterForReflection
  record Teardown(String subscriptions) {
    static final String PAUSE = "pause";
    static final String DELETE = "delete";

    /** Pauses by default. */
    Teardown {
      subscriptions = Objects.requireNonNullElse(subscriptions, PAUSE);
    }
  }

  /**
   * What its token may do: patterns of local wrefs, as {@code allowedMatches} of tokens has them.
   *
   * @param reads may be read; none if empty
   * @param writes may be written; none if empty
   */
  @RegisterForReflection
  record RuntimeAccess(List<String> reads, List<String> writes) {
    /** Allows nothing by default. */
    RuntimeAccess {
      reads = listed(reads);
      writes = listed(writes);
    }

    /** Whether it allows nothing. */
    boolean isEmpty() {
      return reads.isEmpty() && writes.isEmpty();
    }
  }

  /** The methods that its server offers. */
  @RegisterForReflection
  record Cli(List<Method> methods) {
    /** Has no methods by default. */
    Cli {
      methods = listed(methods);
    }
  }

  /**
   * A method.
   *
   * @param method the HTTP method of the call, {@code GET} or {@code POST}
   * @param path below the {@code cliBaseUrl} of the component
   * @param credentialSet whose {@code CLI_SIGNING_SECRET} signs the call
   * @param requiresPermission what the caller needs besides {@code repo:read}; null for nothing
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Method(
      String name,
      String method,
      String path,
      String credentialSet,
      String requiresPermission,
      List<Argument> args) {
    /** Takes no arguments by default. */
    Method {
      args = listed(args);
    }
  }

  /**
   * An argument of a method.
   *
   * @param type as of a field of a shape, such as {@code string?} for one that may be left out
   * @param description null for none
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Argument(String name, String type, String description) {}
}
