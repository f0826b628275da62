package dev.cairn.tenant;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** What is to change in an organization; null leaves a field as it is. */
@RegisterForReflection
public record OrganizationChange(
    String name, String displayName, String description, Boolean archived) {}
