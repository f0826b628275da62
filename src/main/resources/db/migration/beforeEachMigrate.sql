-- Flyway sends this within each migration's transaction: an index on a large table takes longer than any
-- statement of the service may. The limit for locks stays; see docs/deploy.md, Upgrades.
set local statement_timeout = 0;

-- Commits are let out and kept out. A commit that is half
-- done holds weak locks on what a migration wants strong ones on, while it waits for the weaker ones
-- that the migration has already: one of the two is then given up, and it is the migration. Every commit
-- begins with the row in repository_head; reads look at it, which this lets them.
do $$
begin
  if to_regclass('repository_head') is not null then
    lock table repository_head in exclusive mode;
  end if;
end
$$;
