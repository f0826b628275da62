package dev.cairn.access;

/**
 * The rule that a component token must be live: it has not expired, its account is still a member
 * of the repository's organization, the component was not deregistered, still mints tokens, and its
 * install is being made or complete; a setup token may come before that, and without the component
 * minting others. See {@code docs/components.md}, Tokens.
 */
public final class LiveComponentToken {
  /**
   * The SQL rows of component tokens: {@code service_token t}, {@code component_install i}, {@code
   * component c}, {@code repository p}, and {@code member m} of the account.
   */
  public static final String ROWS =
      """
      service_token t
      join component_install i on i.repo_id = t.repo_id and i.id = t.install_id
      join component c on c.id = i.component_id
      join repository p on p.id = t.repo_id
      join member m on m.org_id = p.org_id and m.account_id = t.account_id
      """;

  /** The SQL condition on one of the {@link #ROWS} that its token is live. */
  public static final String CONDITION =
      """
      t.expires_at > clock_timestamp() and c.deregistered_at is null and (t.is_setup or c.mints_token)
      and (i.state in ('installing', 'installed') or (t.is_setup and i.state = 'resolved'))
      """;

  private LiveComponentToken() {}
}
