package dev.cairn.access;

import jakarta.ws.rs.PathParam;

/**
 * The repository that a path names, as it stands there: whether it exists, and for whom, says
 * {@link Authorizer}.
 *
 * @param org the organization's name
 * @param repo the repository's name
 */
public record RepositoryPath(@PathParam("org") String org, @PathParam("repo") String repo) {}
