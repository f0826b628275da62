-- What organizations store, and whose exports are whose; docs/operation.md, Quotas.

-- The bytes of a repository from the rows themselves: the text, and a constant for the rest of each
-- row and its entries in indexes. The constants are those of access.StoredBytes. A run's covers its attempts and
-- notifications too, so the calls of notifications are not counted.
create function stored_bytes_of(repo uuid) returns bigint
  language sql stable parallel safe as $$
  select (select coalesce(sum(512 + octet_length(data)), 0) from entity where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(data)), 0) from entity_version where repo_id = repo)
       + (select 256 * count(*) from reference where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(coalesce(message, ''))), 0)
          from commit_log where repo_id = repo)
       + (select 1024 * count(*) from entity_rename where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(answer)), 0)
          from idempotency_key where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(body)), 0)
          from matched_operation where repo_id = repo)
       + (select coalesce(sum(4096 + octet_length(envelope) + 4 * cardinality(matched)), 0)
          from action_run where repo_id = repo and executor_kind <> 'notification')
$$;

-- Counted first, since reads wait from the moment on at which repository_head is altered.
create temporary table counted on commit drop as select repo_id, stored_bytes_of(repo_id) as bytes from repository_head;

-- Who asked for an export, the newest commit at that moment, and what it takes so far. Two exports of
-- one moment differ only where something was renamed after newest_seq, since they have today's names.
alter table export_job
  add column account_id uuid,
  add column newest_seq bigint not null default 0,
  add column stored_bytes bigint not null default 0,
  add column failure text collate "C"
    check (failure in ('exports_full', 'export_share_full'));

-- The exports that take room, for the sums of all of them and of an account.
create index export_job_stored on export_job (account_id) include (stored_bytes, expires_at)
  where stored_bytes > 0;

update export_job j set stored_bytes = (
  select coalesce(sum(octet_length(c.bytes)), 0)
  from export_chunk c where c.repo_id = j.repo_id and c.job_id = j.id);

-- repository_head.stored_bytes, repository.other_bytes and the rows of stored_bytes_change together
-- are stored_bytes_of(id). A commit counts what it writes in its head, which it has locked anyway. Whatever else is written or deleted is counted by adding a row to
-- stored_bytes_change, so that no transaction waits for another one in order to count. A chore folds
-- these rows into other_bytes. Both may be negative.
alter table repository_head add column stored_bytes bigint not null default 0;
alter table repository add column other_bytes bigint not null default 0;

-- Without a foreign key: by its check a cleanup of runs would wait for whoever deletes the repository,
-- who waits for these runs. The chore drops the rows of repositories that are gone.
create table stored_bytes_change (
  repo_id uuid   not null,
  bytes   bigint not null
);
create index stored_bytes_change_repository on stored_bytes_change (repo_id) include (bytes);

update repository_head h set stored_bytes = c.bytes from counted c where c.repo_id = h.repo_id;
