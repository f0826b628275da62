package dev.cairn.access;

import jakarta.ws.rs.PathParam;

/**
 * The repository that a path names, before any check: {@link Authorizer} decides whether it exists
 * for the caller.
 *
 * @param org the organization's name
 * @param repo the repository's name
 */
public record RepositoryPath(@PathParam("org") String org, @PathParam("repo") String repo) {}
