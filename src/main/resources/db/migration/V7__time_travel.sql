-- Where a commit left the counter of ids: the entities that were there by then are those below it.
-- docs/reads.md, Time travel.
alter table commit_log add column next_entity_id bigint;
update commit_log c set next_entity_id = n.id
from (
  select l.repo_id, l.seq,
         max(coalesce(v.id, 99)) over (partition by l.repo_id order by l.seq) + 1 as id
  from commit_log l
  left join (
    select repo_id, valid_from, max(entity_id) as id from entity_version group by 1, 2) v
    on v.repo_id = l.repo_id and v.valid_from = l.seq) n
where c.repo_id = n.repo_id and c.seq = n.seq;
alter table commit_log alter column next_entity_id set not null;

-- The version that an entity had at a moment, however many it has. First versions are found by their
-- own key, so what is only ever added pays nothing for this.
create index entity_version_moment on entity_version (repo_id, entity_id, valid_from, version)
  where version > 1;

-- A row that is always there. A look-up of what is not there fetches it instead, so that it takes as
-- long as one of what is hidden; see access.Authorizer.
create table decoy (id uuid primary key);
insert into decoy values ('ffffffff-ffff-ffff-ffff-ffffffffffff');
