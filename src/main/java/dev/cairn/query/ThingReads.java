package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.content.Moments;
import dev.cairn.content.Source;
import dev.cairn.content.read.EntitiesByName;
import dev.cairn.content.read.EntityDetails;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.JsonOut;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads entities by their names: one, at any version, or many at once. */
@ApplicationScoped
public class ThingReads {
  /** The version in a look-up for a wref that the caller may not know of; it is never found. */
  private static final int HIDDEN = -1;

  private final EntitiesByName entities;
  private final Moments moments;
  private final ReadBounds bounds;
  private final Targets targets;
  private final Recheck recheck;

  /**
   * A request for many entities.
   *
   * @param wrefs 1 to 500
   * @param version the version of all of them; null for HEAD
   */
  @RegisterForReflection
  public record Batch(List<String> wrefs, Integer version) {
    private static final int MAX_WREFS = 500;

    private void check() {
      if (wrefs == null || wrefs.isEmpty() || wrefs.size() > MAX_WREFS) {
        throw Problem.invalid("/wrefs", "`wrefs` must have 1 to " + MAX_WREFS + " entries.");
      }
      if (version != null && version < 1) {
        throw Problem.invalid("/version", "`version` must be an integer of at least 1.");
      }
    }
  }

  ThingReads(
      EntitiesByName entities,
      Moments moments,
      ReadBounds bounds,
      Targets targets,
      Recheck recheck) {
    this.entities = entities;
    this.moments = moments;
    this.bounds = bounds;
    this.targets = targets;
    this.recheck = recheck;
  }

  /**
   * One entity with all its members.
   *
   * @param version the version parameter of the request
   * @param at the moment to read instead of the current state; cannot be combined with a version
   */
  public byte[] get(
      RepositoryAccess access, Wref wref, Optional<Integer> version, Optional<At> at) {
    var here = Targets.here(access, wref, "?wref");
    if (at.isPresent() && (version.isPresent() || !wref.equals(wref.bare()))) {
      throw Problem.invalid("?at", "`at` determines the version: do not give another one.");
    }
    int wanted = version(here, version, "?version");
    var out = new JsonOut();
    boolean found =
        bounds.within(
            access,
            () ->
                canRead(access, here)
                    && (wanted == 0
                        ? writeCurrent(access, here, at, out)
                        : !versions(access, List.of(here), new int[] {wanted}, out).isEmpty()));
    if (!found) {
      // What there is today says little about another moment.
      throw at.isEmpty() ? missing(access, here, wanted) : notFound(here);
    }
    return out.toBytes();
  }

  /** Writes the entity in its current state, or in that at the moment. */
  private boolean writeCurrent(RepositoryAccess access, Wref wref, Optional<At> at, JsonOut out) {
    var source = Source.byName(at.map(named -> moments.find(access, named)));
    var entity = entities.find(source, access.repoId(), wref);
    entity.ifPresent(found -> write(access, found, out));
    return entity.isPresent();
  }

  /** Writes the versions that are found; returns the positions of their wrefs. */
  private Set<Integer> versions(
      RepositoryAccess access, List<Wref> wrefs, int[] versions, JsonOut out) {
    var found = new HashSet<Integer>();
    entities.each(
        access.repoId(),
        wrefs,
        versions,
        (details, position) -> {
          if (details.entity().data() == null) {
            throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "The answer would have more than %,d bytes: request fewer wrefs."
                    .formatted(PageBytes.max()));
          }
          write(access, details, out);
          found.add(position);
        });
    return found;
  }

  /** Many entities, in the order of the request, duplicates included; missing ones are listed. */
  public byte[] batch(RepositoryAccess access, Batch batch) {
    batch.check();
    var texts = batch.wrefs();
    var version = Optional.ofNullable(batch.version());
    var wrefs = new ArrayList<Wref>();
    var versions = new int[texts.size()];
    for (int i = 0; i < texts.size(); i++) {
      var pointer = "/wrefs/" + i;
      var text = texts.get(i);
      var named = EntityFilter.parsed(pointer, text, Wref::parseShape);
      var wref = Targets.here(access, named, pointer);
      versions[i] = version(wref, version, pointer);
      wrefs.add(wref);
    }
    bounds.within(
        access,
        () -> {
          for (int i = 0; i < versions.length; i++) {
            if (!canRead(access, wrefs.get(i))) {
              versions[i] = HIDDEN;
            }
          }
          return true;
        });
    return PageBytes.uncut(
        () -> batch(access, texts, wrefs, versions), () -> recheck.requireStill(access, REPO_READ));
  }

  private byte[] batch(
      RepositoryAccess access, List<String> texts, List<Wref> wrefs, int[] versions) {
    var out = new JsonOut().object().name("items").array();
    var found = bounds.within(access, () -> versions(access, wrefs, versions, out));
    out.endArray().name("missing").array();
    for (int i = 0; i < texts.size(); i++) {
      if (!found.contains(i)) {
        out.value(texts.get(i));
      }
    }
    return out.endArray().end().toBytes();
  }

  /** Whether there is an entity with that name, active or not. */
  public boolean exists(RepositoryAccess access, Wref wref) {
    return bounds.within(access, () -> resolve(access, wref, 0, new JsonOut()));
  }

  /**
   * The id of an entity that the caller may read.
   *
   * @param wref without a version
   * @param pointer the parameter that names it
   * @throws Problem {@code NOT_FOUND}
   */
  public long id(RepositoryAccess access, Wref wref, String pointer) {
    var here = Targets.here(access, wref, pointer);
    return bounds
        .within(
            access,
            () ->
                canRead(access, here) ? entities.id(access.repoId(), here) : Optional.<Long>empty())
        .orElseThrow(() -> missing(access, here, 0));
  }

  /**
   * Resolves a wref to its current entity: {@code { wref, version, kind, active, canonicalWref }}.
   */
  public byte[] resolve(RepositoryAccess access, Wref wref) {
    var here = Targets.here(access, wref, "?wref");
    int wanted = version(here, Optional.empty(), "?wref");
    var out = new JsonOut();
    if (bounds.within(access, () -> canRead(access, here) && resolve(access, here, wanted, out))) {
      return out.toBytes();
    }
    throw missing(access, here, wanted);
  }

  private boolean resolve(RepositoryAccess access, Wref here, int wanted, JsonOut out) {
    var found = entities.state(access.repoId(), here, wanted);
    found.ifPresent(state -> write(access, state, out));
    return found.isPresent();
  }

  private static void write(RepositoryAccess access, EntitiesByName.State state, JsonOut out) {
    out.object().name("wref").value(state.wref());
    out.name("version").value(state.version());
    out.name("kind").value(state.kind());
    out.name("active").value(state.active());
    out.name("canonicalWref").value(canonical(access, state.wref())).end();
  }

  /** The version that the wref or the parameter gives; 0 for HEAD. */
  private static int version(Wref wref, Optional<Integer> version, String pointer) {
    return switch (wref.modifier()) {
      case Wref.Modifier.None() -> version.orElse(0);
      case Wref.Modifier.Head() -> {
        if (version.isPresent()) {
          throw Problem.invalid(pointer, "`@HEAD` and a version contradict each other.");
        }
        yield 0;
      }
      case Wref.Modifier.All() ->
          throw Problem.invalid(pointer, "`@ALL` does not name a single version: use history.");
      case Wref.Modifier.Pinned(int pinned) -> {
        if (version.filter(v -> v != pinned).isPresent()) {
          throw Problem.invalid(
              pointer,
              "`@v%d` and version %d contradict each other.".formatted(pinned, version.get()));
        }
        yield pinned;
      }
    };
  }

  private static void write(RepositoryAccess access, EntityDetails details, JsonOut out) {
    out.object();
    Items.members(out, details.entity(), true);
    out.name("canonicalWref").value(canonical(access, details.entity().local()));
    out.name("shapeVersion").value(details.shapeVersion());
    out.name("dataHash").value(HexFormat.of().formatHex(details.dataHash()));
    out.name("createdAt").value(details.createdAt());
    out.name("updatedAt").value(details.updatedAt());
    out.name("author").value(details.author());
    out.end();
  }

  private static String canonical(RepositoryAccess access, String local) {
    return Wref.SCHEME + access.fullName() + "/" + local;
  }

  /**
   * Whether the caller's token may read an entity; otherwise it is reported as missing. It is asked
   * in the turn of the read, because patterns may take long to match.
   */
  private static boolean canRead(RepositoryAccess access, Wref wref) {
    return access.narrowing().canRead(wref, access.matching());
  }

  private static Problem notFound(Wref wref) {
    return Problem.notFound("There is no `%s`.".formatted(wref.local()));
  }

  private Problem missing(RepositoryAccess access, Wref wref, int version) {
    return version == 0
        ? bounds.within(access, () -> targets.missing(access, wref))
        : Targets.noVersion(version, wref.local());
  }
}
