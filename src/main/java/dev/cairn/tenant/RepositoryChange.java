package dev.cairn.tenant;

import static dev.cairn.access.Permission.REPO_ADMIN;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Permission;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to change in a repository; null leaves a field as it is.
 *
 * @param settings merged into the present ones, member by member; see {@link RepositorySettings}
 */
@RegisterForReflection
public record RepositoryChange(
    String name, String description, String visibility, Boolean archived, JsonNode settings) {

  /** {@code null} is nothing that was said. */
  public RepositoryChange {
    settings = settings == null || settings.isNull() ? null : settings;
  }

  /** Whether it changes where notifications are sent. */
  boolean redirectsNotifications() {
    return settings != null && settings.has("notifications");
  }

  /** What it takes to change that. */
  List<Permission> permissions() {
    var permissions = new ArrayList<Permission>();
    if (description != null || settings != null) {
      permissions.add(REPO_CONFIGURE);
    }
    if (redirectsNotifications()) {
      // What is sent shows what was written.
      permissions.add(REPO_READ);
    }
    if (name != null || visibility != null || archived != null) {
      permissions.add(REPO_ADMIN);
    }
    return permissions;
  }
}
