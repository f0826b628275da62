-- Flyway runs this in the transaction of each migration, before it. An index on a large table takes longer
-- than any statement of the service may. The limit for locks stays; see docs/deploy.md, Upgrades.
set local statement_timeout = 0;

-- Waits for commits in progress, and lets new ones wait. Otherwise a commit in progress, which holds weak
-- locks on a table, and a migration, which needs strong locks on it, wait for each other, and the database
-- gives up the migration. Every commit begins with its row in repository_head. Reads of that table go on.
do $$
begin
  if to_regclass('repository_head') is not null then
    lock table repository_head in exclusive mode;
  end if;
end
$$;
