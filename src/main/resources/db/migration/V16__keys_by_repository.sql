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
