-- The pointer of a reference counts among the stored bytes, as its row does; docs/operation.md, Quotas.
-- A few long names of fields may stand above thousands of references, so that the pointers are most
-- of what a version takes.
create or replace function stored_bytes_of(repo uuid) returns bigint
  language sql stable parallel safe as $$
  select (select coalesce(sum(512 + octet_length(data)), 0) from entity where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(data)), 0) from entity_version where repo_id = repo)
       + (select coalesce(sum(256 + octet_length(pointer)), 0) from reference where repo_id = repo)
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

update repository_head h set stored_bytes = h.stored_bytes + p.bytes
from (select repo_id, sum(octet_length(pointer)) as bytes from reference group by repo_id) p
where h.repo_id = p.repo_id;
