-- Keys of what belongs to a repository begin with it: docs/deploy.md, Citus. Ids and hashes are looked
-- up without it in some places, and replicas of the release before do so in more; a plain index serves
-- that, and that no two are equal is left to chance, which has 74 bits for ids and 256 for hashes.
-- Everything is locked before anything is changed: who holds a weaker lock and asks for a stronger one
-- meets somebody in the middle.
lock table export_job, service_token, subscription in access exclusive mode;

alter table export_job
  drop constraint export_job_id_key,
  drop constraint export_job_token_hash_key,
  add unique (repo_id, token_hash);
create index export_job_id on export_job (id);

alter table service_token
  drop constraint service_token_pkey,
  add primary key (repo_id, hash);
create index service_token_hash on service_token (hash);

alter table subscription drop constraint subscription_id_key;
create index subscription_id on subscription (id);

-- Of indexes that look alike to it the planner takes the newest, and on a table without rows yet all do
-- that have the columns. That was entity_kind, by which each name reads all of a kind; a plan that is
-- made so is kept through the first load, which then takes a square of time. Where there is more, the
-- planner knows better.
do $$
begin
  if (select count(*) from (select from entity limit 20001) e) <= 20000 then
    alter table entity
      drop constraint entity_repo_id_shape_name_name_key,
      add unique (repo_id, shape_name, name) deferrable;
  end if;
end
$$;
