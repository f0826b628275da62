-- What organizations store, and whose exports are whose; docs/operation.md, Quotas.

-- The bytes of a repository are the sum of these two. A commit counts what it writes in its head, which
-- it has locked anyway. What is written or deleted apart from commits is counted in the repository's
-- row, so that no cleanup waits for a commit, nor a commit for it; that part may be negative.
alter table repository_head add column stored_bytes bigint not null default 0;
alter table repository add column other_bytes bigint not null default 0;

-- The same sum from the rows themselves: the text, and a constant for the rest of each row and its
-- entries in indexes. The constants are those of access.StoredBytes. A run's covers its attempts and
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

update repository_head set stored_bytes = stored_bytes_of(repo_id);

-- Who asked for an export, the newest commit at that moment, and what it takes so far. Two exports of
-- one moment differ only where something was renamed after newest_seq, since they have today's names.
alter table export_job
  add column account_id uuid,
  add column newest_seq bigint not null default 0,
  add column stored_bytes bigint not null default 0,
  add column failure text collate "C" check (failure = 'exports_full');

update export_job j set stored_bytes = (
  select coalesce(sum(octet_length(c.bytes)), 0)
  from export_chunk c where c.repo_id = j.repo_id and c.job_id = j.id);
