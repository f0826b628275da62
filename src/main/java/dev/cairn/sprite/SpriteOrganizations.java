package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.tenant.OrganizationNamed;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * The organizations whose sprites are run. They are trusted by id, so a rename has no effect. A
 * name in {@code CAIRN_SPRITE_ORGANIZATIONS} means the first organization that had it, and {@code
 * demo} the one that the service itself made. See {@code docs/sprites.md}, Trusted organizations.
 */
@ApplicationScoped
public class SpriteOrganizations {
  private static final Logger LOG = Logger.getLogger(SpriteOrganizations.class);
  private static final String SETTING = "cairn.sprite.organizations (CAIRN_SPRITE_ORGANIZATIONS)";
  private static final String DEMO = "demo";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Database database;

  /** Names and ids; empty for all organizations. */
  private final Optional<Set<String>> listed;

  /**
   * An organization that may be trusted.
   *
   * @param demo whether the service made it, for the demo repository
   * @param names the listed names that are bound to it
   */
  private record Candidate(UUID id, String name, boolean demo, List<String> names) {}

  /**
   * A listed name.
   *
   * @param boundId the organization to which it is bound; null for none yet
   * @param boundName the present name of that organization; null if it no longer exists
   * @param holderId the organization that has the name now; null for none
   */
  private record Bound(String name, UUID boundId, String boundName, UUID holderId) {}

  SpriteOrganizations(Database database, CairnConfig config) {
    this.database = database;
    this.listed =
        config
            .sprite()
            .organizations()
            .map(
                entries ->
                    entries.stream()
                        .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Binds the listed names, and warns of each that has no organization or is not its present name.
   */
  void start(@Observes @Priority(200) StartupEvent event) {
    var names =
        listed.orElse(Set.of()).stream()
            .filter(entry -> !entry.equals(DEMO) && !ID.matcher(entry).matches())
            .toArray(String[]::new);
    if (names.length == 0) {
      return;
    }
    database
        .list(
            "select o.id, o.name from organization o where o.name = any (?)",
            row -> new OrganizationNamed(row.getObject(1, UUID.class), row.getString(2)),
            (Object) names)
        .forEach(this::named);
    database
        .list(
            """
            select n.name, b.org_id, present.name as present_name, holder.id as holder_id
            from unnest(?) as n (name)
            left join sprite_organization b on b.name = n.name
            left join organization present on present.id = b.org_id
            left join organization holder on holder.name = n.name
            """,
            row ->
                new Bound(
                    row.getString("name"),
                    row.getObject("org_id", UUID.class),
                    row.getString("present_name"),
                    row.getObject("holder_id", UUID.class)),
            (Object) names)
        .forEach(SpriteOrganizations::warn);
  }

  private static void warn(Bound bound) {
    if (bound.boundId() == null) {
      LOG.warnf(
          "%s lists `%s`, and no organization has that name: the first one that takes it is"
              + " trusted.",
          SETTING, bound.name());
    } else if (!bound.name().equals(bound.boundName())) {
      LOG.warnf(
          "%s lists `%s`, which means the organization %s, called `%s` now.%s To trust another"
              + " one, list its id instead of the name.",
          SETTING,
          bound.name(),
          bound.boundId(),
          bound.boundName(),
          bound.holderId() == null
              ? ""
              : " The present `%s`, %s, is not trusted.".formatted(bound.name(), bound.holderId()));
    }
  }

  /** Binds a listed name to the first organization that has it. */
  void named(@Observes OrganizationNamed event) {
    bind(event.orgId(), event.name());
  }

  private boolean bind(UUID orgId, String name) {
    return listed.filter(entries -> entries.contains(name)).isPresent()
        && !name.equals(DEMO)
        && !ID.matcher(name).matches()
        && database.update(
                """
                insert into sprite_organization (name, org_id, bound_at) values (?, ?, ?)
                on conflict (name) do nothing
                """,
                name,
                orgId,
                Instant.now())
            > 0;
  }

  /** Whether the sprites of a repository are run. */
  boolean trusts(UUID repoId) {
    return listed.isEmpty() || candidate(repoId).filter(this::isTrusted).isPresent();
  }

  private boolean isTrusted(Candidate candidate) {
    return lists(List.of(candidate.id().toString()))
        || (candidate.demo() && lists(List.of(DEMO)))
        || lists(candidate.names())
        || bind(candidate.id(), candidate.name());
  }

  private boolean lists(Collection<String> entries) {
    return entries.stream().anyMatch(listed.orElseThrow()::contains);
  }

  private Optional<Candidate> candidate(UUID repoId) {
    return database.first(
        """
        select o.id, o.name, o.is_demo,
               array(select b.name from sprite_organization b where b.org_id = o.id) as names
        from repository r join organization o on o.id = r.org_id where r.id = ?
        """,
        row ->
            new Candidate(
                row.getObject("id", UUID.class),
                row.getString("name"),
                row.getBoolean("is_demo"),
                List.of((String[]) row.getArray("names").getArray())),
        repoId);
  }
}
