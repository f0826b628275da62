package dev.cairn.tenant;

import static dev.cairn.access.Permission.ORG_ADMIN;
import static dev.cairn.access.Permission.ORG_CONFIGURE;

import dev.cairn.access.Permission;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.ArrayList;
import java.util.List;

/** What is to change in an organization; null leaves a field as it is. */
@RegisterForReflection
public record OrganizationChange(
    String name, String displayName, String description, Boolean archived) {

  /** What it takes to change that. */
  List<Permission> permissions() {
    var permissions = new ArrayList<Permission>();
    if (displayName != null || description != null) {
      permissions.add(ORG_CONFIGURE);
    }
    if (name != null || archived != null) {
      permissions.add(ORG_ADMIN);
    }
    return permissions;
  }
}
